"""Covered marks: a text of the same length that YAML and gcfg can read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.yamlio import YamlDocument, documents, field, text_of
from ccmcheck.yamlio.cover import mask
from ccmcheck.yamlio.marks import find


def covered(text: str) -> str:
    return mask(text, find(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = ${B}\n", "a = xxxx\n"),
        ("a={{ .x }}.b\n", "a=xxxxxxxx.b\n"),
        ('a: "{{ printf "%s" .x }}"', 'a: "xxxxxxxxxxxxxxxxxxxx"'),
        ("{{ if a }}k = v{{ end }}\n", "          k = v         \n"),
        ("{% if a %}\nk = v\n{% endif %}\n", "#xxxxxxxxx\nk = v\n#xxxxxxxxxx\n"),
        ("{% if a %}{% if b %} \nk = v", "#xxxxxxxxxxxxxxxxxxxx\nk = v"),
        ("${X}\r\n  k = v\r\n", "  #x\r\n  k = v\r\n"),
        ("${X}\n      k = v\n", "    \n      k = v\n"),
        ("a: {{ x\n  | y }}\nb: 1", "a: xxxx\n        \nb: 1"),
        ("{{/* a\n  b\n*/}}\nk: v\n", "#xxxxx\n#xx\n#xxx\nk: v\n"),
        ("  {{ if a }}\n\n{{ else }}\n    k: v\n", "    #xxxxxxx\n\n    #xxxxx\n    k: v\n"),
        ("k: v\n  {{ end }}", "k: v\n  #xxxxxxxx"),
        ("{{ a }} ${B}\n", "#xxxxxxxxxxx\n"),
        ("{{ a }} = 1 {{ b }}\n", "xxxxxxx = 1 xxxxxxx\n"),
        ("no marks", "no marks"),
    ],
)
def test_the_cover_of_each_mark(text: str, expected: str) -> None:
    assert covered(text) == expected


CHART = """\
{{- if .Values.secret.create }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Values.name | default "cloud-config" }}
  labels:
    {{- include "labels" . | nindent 4 }}
stringData:
  cloud.conf: |
{{- range $k, $v := .Values.global }}
    {{ $k }} = {{ $v | quote }}
{{- end }}
    [LoadBalancer]
{{- if .x }}
    a={{ .a }}.b
{{ else }}
    a=2
{{ end }}
  other: "{{ printf "%s" .x }}"
{{- end }}
"""


def test_a_chart_is_yaml_and_its_block_scalar_goes_on() -> None:
    (document,) = documents(covered(CHART))
    assert isinstance(document, YamlDocument)
    conf = text_of(field(document.root, "stringData", "cloud.conf"))
    assert conf is not None
    lines = [line.strip("x#") for line in conf.splitlines()]
    assert lines == ["", " = ", "", "[LoadBalancer]", "", "a=xxxxxxxx.b", "", "a=2"]
    assert text_of(field(document.root, "stringData", "other")) == "x" * len('{{ printf "%s" .x }}')


TERRAFORM = """\
valuesContent: |-
  cloudConfig:
    global:
      auth-url: "${ var.auth_url }"
%{~ if lb_enabled ~}
    loadBalancer:
%{ for id in ids ~}
      floating-network-id: ${id}
%{ endfor ~}
%{~ endif ~}
"""


def test_yaml_in_yaml_with_terraforms_marks() -> None:
    (document,) = documents(covered(TERRAFORM))
    assert isinstance(document, YamlDocument)
    inner = text_of(field(document.root, "valuesContent"))
    assert inner is not None
    (nested,) = documents(inner)
    assert isinstance(nested, YamlDocument)
    assert text_of(field(nested.root, "cloudConfig", "loadBalancer", "floating-network-id")) == "xxxxx"


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["{{ x }}", "{% if %}", "${Y}", "{{\n a\n}}", "a", ": ", "\n", "\r\n", "  ", "#", "é"]),
        max_size=14,
    ).map("".join)
)
def test_length_and_line_ends_stay(text: str) -> None:
    marks = find(text)
    result = mask(text, marks)
    assert len(result) == len(text)
    for before, after in zip(text, result, strict=True):
        assert (before in "\r\n") == (after in "\r\n")
        assert before == after or before not in "\r\n"
    assert not find(result)
