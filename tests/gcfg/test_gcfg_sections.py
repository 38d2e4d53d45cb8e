"""Headers: names, subsections, and what belongs to which."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Span
from ccmcheck.gcfg import parse


@pytest.mark.parametrize(
    ("header", "name", "subsection", "raw"),
    [
        ("[Global]", "Global", None, None),
        ("[ Global\t]", "Global", None, None),
        ("[a-1]", "a-1", None, None),
        ('[A "b"]', "A", "b", '"b"'),
        ('[A"b"]', "A", "b", '"b"'),
        ('[ A  "b"  ]', "A", "b", '"b"'),
        ('[A " "]', "A", " ", '" "'),
        ('[A "a#b;c]"]', "A", "a#b;c]", '"a#b;c]"'),
        ('[A "é€"]', "A", "é€", '"é€"'),
        (r'[A "a\"b\\"]', "A", 'a"b\\', r'"a\"b\\"'),
        ('[A "' + "\\\\" * 1_500 + '"]', "A", "\\" * 1_500, '"' + "\\\\" * 1_500 + '"'),
        ('[A "a\rb"]', "A", "a\rb", '"a\rb"'),
        ("[Ünï]", "Ünï", None, None),
    ],
)
@pytest.mark.parametrize("after", ["", "\n", "\r\n", " # c\n", "\t;c\r\n"])
def test_header(header: str, name: str, subsection: str | None, raw: str | None, after: str) -> None:
    text = f"\n  {header}{after}"
    document = parse(text)
    assert document.stops == ()
    (section,) = document.sections
    assert section.sound
    assert (section.name, section.subsection) == (name, subsection)
    assert text[slice(*section.span)] == header
    assert text[slice(*section.name_span)] == name
    shown = section.subsection_span
    assert (text[slice(*shown)] if shown else None) == raw
    assert section.end == len(text.rstrip("\r\n"))


def test_every_header_is_a_section_of_its_own() -> None:
    document = parse('[A]\nx\n[B "1"]\n[a]\ny = 1\nz = 2\n')
    found = [(section.name, [entry.key for entry in section.entries]) for section in document.sections]
    assert found == [("A", ["x"]), ("B", []), ("a", ["y", "z"])]


def test_a_continuation_includes_a_header() -> None:
    document = parse("[A]\nx = 1\\\n[B]\ny = 2\n")
    (section,) = document.sections
    assert [(entry.key, entry.value) for entry in section.entries] == [("x", "1[B]"), ("y", "2")]


def test_entries_are_cached() -> None:
    (section,) = parse("[A]\nx = 1\n").sections
    assert section.entries is section.entries


def test_repr_shows_no_values() -> None:
    document = parse('[A "b"]\npassword = hunter2\n')
    assert "hunter2" not in repr(document) + repr(document.sections)
    assert repr(document.sections[0]) == "<Section [A 'b'] at 0>"
    assert repr(parse("\n[A]\n").sections[0]) == "<Section [A] at 1>"


def test_headers_that_are_the_same_stand_each_in_its_place() -> None:
    lines = ["[A]\n", '[ B "x" ] # c\n', "[A]\r\n", '[B ""]\n', "a=1\n", "  [A]\n", f"[A] # {'c' * 300}\n"]
    places = [number % len(lines) for number in range(50)] + [0, 0, 1, 1]
    text = "".join(lines[number] for number in places) + "[A]"
    document = parse(text)
    at = 0
    sections = iter(document.sections)
    for line in [lines[number] for number in places] + ["[A]"]:
        if "[" in line:
            alone, section = parse(line).sections[0], next(sections)
            assert (section.name, section.subsection, section.sound) == (alone.name, alone.subsection, alone.sound)
            assert section.span == Span(at + alone.span.start, at + alone.span.end)
            assert section.name_span == Span(at + alone.name_span.start, at + alone.name_span.end)
            shown = alone.subsection_span
            assert section.subsection_span == (shown and Span(at + shown.start, at + shown.end))
            assert section.end == at + alone.end
        at += len(line)
    assert next(sections, None) is None
    assert [stop.kind for stop in document.stops] == ["empty-subsection"] * places.count(3)
