"""After an error: parsing continues as if the error were corrected."""

from __future__ import annotations

import pytest

from ccmcheck.gcfg import parse


def test_all_errors_in_the_order_of_the_file() -> None:
    text = "[A]\nauth_url = x\nok = 1\ny z\n[B c]\nw = a\\b\nv = 'x'\n= 1\n"
    document = parse(text)
    assert [(stop.kind, stop.error.partition(":")[0]) for stop in document.stops] == [
        ("illegal-character", "2"),
        ("expected-equals", "4"),
        ("bad-header", "5"),
        ("bad-backslash", "6"),
        ("expected-key", "8"),
    ]
    assert document.complete


@pytest.mark.parametrize(
    ("line", "key", "value", "raw"),
    [
        ("auth_url = https://k # c", "auth_url", "https://k", "https://k"),
        ("a.b = 1", "a.b", "1", "1"),
        ("1a=", "1a", "", ""),
        ("$x = v", "$x", "v", "v"),
        ("a\xa0= v", "a", "v", "v"),
        ("a = C:\\dir # c", "a", "C:\\dir", "C:\\dir"),
        ('a = "C:\\dir"', "a", "C:\\dir", '"C:\\dir"'),
        ('a = "b', "a", "b", '"b'),
        ("a = b\udcffc", "a", "b\udcffc", "b\udcffc"),
        ("a = b # \udcff", "a", "b", "b"),
        ("a = b\udcff # c", "a", "b\udcff", "b\udcff"),
        ('a = "b # c', "a", "b # c", '"b # c'),
        ('a_b = "c" # d', "a_b", "c", '"c"'),
        ("a_b = 1\\\n2", "a_b", "12", "1\\\n2"),
    ],
)
def test_the_recovered_entry(line: str, key: str, value: str, raw: str) -> None:
    text = f"[A]\n{line}\nnext = 1\n"
    document = parse(text)
    assert len(document.stops) == 1
    entry, following = document.sections[0].entries
    assert not entry.sound
    assert (entry.key, entry.value) == (key, value)
    assert text[slice(*entry.key_span)] == key
    assert entry.value_span is not None
    assert text[slice(*entry.value_span)] == raw
    assert entry.quoted == ('"' in raw)
    assert following.sound
    assert following.key == "next"


@pytest.mark.parametrize("line", ["a: b", "---", "{% if a = b %}", "a b = c", "= v", '"a" = b', "a_b", "// x = y"])
def test_unrecoverable_lines_leave_no_entry(line: str) -> None:
    document = parse(f"[A]\n{line}\nnext = 1\n")
    assert len(document.stops) == 1
    assert [entry.key for entry in document.sections[0].entries] == ["next"]


@pytest.mark.parametrize(
    ("header", "name", "subsection", "span"),
    [
        ("[A", "A", None, "[A"),
        ("[A]]", "A", None, "[A]"),
        ("[A] x = 1", "A", None, "[A]"),
        ("[[A]]", "A", None, "[[A]"),
        ("[A b]", "A", "b", "[A b]"),
        ("[A 'b']", "A", "b", "[A 'b']"),
        ('[A ""]', "A", None, '[A ""]'),
        ('[A "b]', "A", "b", '[A "b]'),
        ("[]", "", None, "[]"),
        ("[", "", None, "["),
        ("[A] # \udcff", "A", None, "[A]"),
    ],
)
def test_a_broken_header_still_opens_a_section(header: str, name: str, subsection: str | None, span: str) -> None:
    text = f"[Before]\nx = 1\n{header}\ny = 2\n"
    document = parse(text)
    assert len(document.stops) == 1
    before, section = document.sections
    assert [entry.key for entry in before.entries] == ["x"]
    assert [entry.key for entry in section.entries] == ["y"]
    assert not section.sound
    assert (section.name, section.subsection) == (name, subsection)
    shown = section.subsection_span
    assert (text[slice(*shown)].strip("\"'") if shown else None) == subsection
    assert text[slice(*section.span)] == span
    assert text[slice(*section.name_span)] == name


@pytest.mark.parametrize("invisible", ["\ufeff", "\xa0", "\u200b", " \ufeff"])
def test_behind_an_invisible_character_the_line_is_read(invisible: str) -> None:
    document = parse(f"{invisible}[Global]\nusername = u\n")
    assert len(document.stops) == 1
    (section,) = document.sections
    assert (section.name, section.sound) == ("Global", True)
    assert [entry.key for entry in section.entries] == ["username"]


def test_a_missing_header_is_reported_once() -> None:
    document = parse("a = 1\nb_c = 2\nd\n  [A]\ne = 1\n")
    assert [stop.error for stop in document.stops] == ["1:1: expected section header"]
    assert [entry.key for entry in document.sections[0].entries] == ["e"]


def test_each_line_with_a_bad_byte_is_reported() -> None:
    document = parse("# \udce9\udce9\n\udce9 = 1\n[A]\nx = \udce9\ny\n")
    assert document.sections[0].entries_named({"x"}) == [document.sections[0].entries[0]]
    assert [stop.error for stop in document.stops] == [
        "1:3: illegal UTF-8 encoding (and 2 more errors)",
        "2:1: illegal UTF-8 encoding",
        "4:5: illegal UTF-8 encoding",
    ]
    assert [entry.key for entry in document.sections[0].entries] == ["x", "y"]
