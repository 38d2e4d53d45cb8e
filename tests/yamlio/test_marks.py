"""Template marks of every language that cloud.conf files are written in."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccmcheck.yamlio.cover import mask
from ccmcheck.yamlio.mark import TemplateMark
from ccmcheck.yamlio.marks import find


def seen(text: str, find: Callable[[str], list[TemplateMark]] = find) -> list[tuple[str, str]]:
    """Each mark's source and kind."""
    return [(text[slice(*mark.span)], mark.kind) for mark in find(text)]


@pytest.mark.parametrize(
    ("mark", "name", "default"),
    [
        ("${VAR}", "VAR", None),
        ("${VAR:=a b}", "VAR", "a b"),
        ("${VAR=x}", "VAR", "x"),
        ("${VAR:-}", "VAR", ""),
        ("${VAR-x}", "VAR", "x"),
        ("${VAR:?must be set}", "VAR", None),
        ("${VAR:+x}", "VAR", None),
        ("${VAR/a/b}", "VAR", None),
        ("${VAR##*/}", "VAR", None),
        ("${VAR%.*}", "VAR", None),
        ("${VAR^^}", "VAR", None),
        ("${VAR,,}", "VAR", None),
        ("${VAR:0:3}", "VAR", None),
        ("${A:-${B}/x}", "A", "${B}/x"),
        ("${A:-$B}", "A", "$B"),
        ("${var.auth_url}", "var.auth_url", None),
        ("${clouds.auth.auth_url}", "clouds.auth.auth_url", None),
        ('${join(",", var.ids)}', "", None),
        ("${ var.x }", "", None),
        ("${#VAR}", "", None),
        ("${tostring({a = 1})}", "", None),
    ],
)
def test_variables(mark: str, name: str, default: str | None) -> None:
    text = f"é {mark}. "
    (found,) = find(text)
    assert (found.span, found.kind, found.name, found.default) == ((2, 2 + len(mark)), "variable", name, default)
    assert found.prints


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ .Values.x | quote }}", [("{{ .Values.x | quote }}", "braces")]),
        ('{{ "}}" }} {{ "{{" }}', [('{{ "}}" }}', "braces"), ('{{ "{{" }}', "braces")]),
        ("{{ '}}' }}", [("{{ '}}' }}", "braces")]),
        ("{{ `}}` }}", [("{{ `}}` }}", "braces")]),
        ("{{ it's }} its", [("{{ it's }}", "braces")]),
        ('{{ "\\"}}" }}', [('{{ "\\"}}" }}', "braces")]),
        ("{{\n  x |\n  y\n}}", [("{{\n  x |\n  y\n}}", "braces")]),
        (
            "{{- if .x }}a{{ else if .y -}}b{{ end }}",
            [("{{- if .x }}", "control"), ("{{ else if .y -}}", "control"), ("{{ end }}", "control")],
        ),
        (
            '{{ range .x }}{{ with .y }}{{ define "z" }}',
            [("{{ range .x }}", "control"), ("{{ with .y }}", "control"), ('{{ define "z" }}', "control")],
        ),
        (
            "{{ $x := 1 }}{{ $x = 2 }}{{ $x }}",
            [("{{ $x := 1 }}", "control"), ("{{ $x = 2 }}", "control"), ("{{ $x }}", "braces")],
        ),
        ("{{ endpoint }}{{ iffy }}", [("{{ endpoint }}", "braces"), ("{{ iffy }}", "braces")]),
        ("{{/* it's }} a comment */}}", [("{{/* it's }} a comment */}}", "comment")]),
        ("{{- /* c */ -}}x", [("{{- /* c */ -}}", "comment")]),
        ("{% if a %}b{%- endif -%}", [("{% if a %}", "control"), ("{%- endif -%}", "control")]),
        ("{# note {{ x }} #}", [("{# note {{ x }} #}", "comment")]),
        ("%{ if a ~}b%{~ endif }", [("%{ if a ~}", "control"), ("%{~ endif }", "control")]),
        ("%%{ if }", []),
        (
            "<%= a %><% b %><%# c %><%== d %>",
            [("<%= a %>", "braces"), ("<% b %>", "control"), ("<%# c %>", "comment"), ("<%== d %>", "braces")],
        ),
        ("$${VAR} $$${X}", [("$${VAR}", "escape"), ("$${X}", "escape")]),
        ("${{ secrets.X }}", [("${{ secrets.X }}", "braces")]),
        ("$VAR $$ $1 100%", []),
        ("{a: {b: c}} {} [{}]", []),
        ("{{ never closed", []),
        ("${never closed", []),
        ("{% x {{ y }}", [("{{ y }}", "braces")]),
        ("{{{{ x }}", [("{{{{ x }}", "braces")]),
        ("${a\nb}", []),
        ("a: #@ x()\n- #@ {{ y }}\nb: c #@ d\n#@ if z:\n", [("#@ x()", "braces"), ("#@ {{ y }}", "braces")]),
        ("{{ a: #@ b\n}}\nc: #@ d", [("{{ a: #@ b\n}}", "braces"), ("#@ d", "braces")]),
        ("\"a b\": #@ x\n- 'c': #@ y\n- - d/e:f: #@ z", [("#@ x", "braces"), ("#@ y", "braces"), ("#@ z", "braces")]),
        ('a: "b: #@ c"\n\'d: #@ e\'\n- "f: #@ g"', []),
        ("# a: #@ b\n; a: #@ b\na = b: #@ c\na: b: #@ c\n", []),
        ("a: #@\nb: #comment\n", []),
    ],
)
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert seen(text) == expected


def test_variables_without_braces_are_none() -> None:
    text = '$A$B_1 $$C ${D} $1 a$ "$é" $E{{ x }}'
    assert [source for source, _ in seen(text)] == ["${D}", "{{ x }}"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("{{ x }}", "x"), ("{{- .Values.a-b -}}", ".Values.a-b"), ("{{ x | y }}", ""), ("{{ $item }}", "$item")],
)
def test_the_variable_name_of_a_mark(text: str, name: str) -> None:
    assert [mark.name for mark in find(text)] == [name]


@settings(max_examples=300)
@given(st.text("${}%#@<>=\"'`\\/*- ab:\n", max_size=30))
@example("{{ '}}'\n{{ '}}'")
@example("${${a}")
def test_marks_are_in_order_and_do_not_overlap(text: str) -> None:
    position = 0
    for mark in find(text):
        assert position <= mark.span.start < mark.span.end <= len(text)
        position = mark.span.end
        assert text[mark.span.start] in "${%<#"


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[Global]\n{% if x\n[LoadBalancer]\nsubnet-id={{ a }}\n{% endif %}\n", ["{% if x"]),
        ("{%- if {{ x }} %}\nregion=R\n{% endif %}\n", ["{%- if {{ x }} %}"]),
        ("region={{ .Values.region\nurl={{ .Values.url }}\n", ["{{ .Values.region"]),
        ("{{- if .x\n[Global]\n{{- end }}\n", ["{{- if .x"]),
        ("%{ if x\nregion=${r}\n%{ endif }\n", ["%{ if x"]),
        ("{% if x\nregion=R\n", ["{% if x"]),
        ("{% set x = [\n 1,\n] %}\nregion={{ x }}\n", []),
        ("{{/* {{ x }}\n*/}}\n", []),
        ("password={{a\nx={%b\ny=%{c\n", []),
    ],
)
def test_a_tag_that_is_not_closed_ends_with_its_line(text: str, broken: list[str]) -> None:
    found = find(text)
    assert [text[slice(*mark.span)] for mark in found if mark.kind == "broken"] == broken
    masked = mask(text, found)
    assert len(masked) == len(text)
    for header in ("[Global]", "[LoadBalancer]"):
        assert (header in masked) == (header in text)


@pytest.mark.parametrize("sign", ["{% if ", "{{ if ", "%{ if ", "{% if x\n", "{{ .x\n", "<% ", "{%- if {{ "])
def test_many_open_tags_take_linear_time(sign: str) -> None:
    started = time.process_time()
    find(sign * 60_000)
    assert time.process_time() - started < 4
