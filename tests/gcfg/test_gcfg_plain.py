"""Texts as they should be: every key, value and comment at its place."""

from __future__ import annotations

from typing import SupportsIndex

import pytest

from ccmcheck.base.model import Span
from ccmcheck.gcfg import Document, Variable, parse
from ccmcheck.gcfg.lines import plain_entries


def only_entry(line: str) -> tuple[Document, Variable]:
    document = parse(f"[Global]\n{line}")
    assert document.stops == ()
    ((entry,),) = [section.entries for section in document.sections]
    return document, entry


@pytest.mark.parametrize(
    ("line", "value", "raw"),
    [
        ("key = value", "value", "value"),
        ("key=value", "value", "value"),
        ("\t key\t=\tvalue \t", "value", "value"),
        ("key = a=b", "a=b", "a=b"),
        ("key = a b  c ", "a b  c", "a b  c"),
        ('key = "a#b;c"', "a#b;c", '"a#b;c"'),
        ('key = ab"#"cd', "ab#cd", 'ab"#"cd'),
        ('key = "a" "b"', "a b", '"a" "b"'),
        ('key = "  x  "  ', "  x  ", '"  x  "'),
        ('key = a ""  ', "a ", 'a ""'),
        ("key = 'a b'", "'a b'", "'a b'"),
        (r'key = "a\\b\"c\nd\te"', 'a\\b"c\nd\te', r'"a\\b\"c\nd\te"'),
        (r"key = \"a\"", '"a"', r"\"a\""),
        (r'key = "\\"', "\\", r'"\\"'),
        (r'key = "\\\\n"', r"\\n", r'"\\\\n"'),
        ("key = abc\\\n   def", "abc   def", "abc\\\n   def"),
        ("key = abc\\\r\ndef", "abcdef", "abc\\\r\ndef"),
        ("key = abc\\\n", "abc", "abc\\\n"),
        ("key = \\\n\\\n", "", "\\\n\\\n"),
        ("key = a\rb\r", "ab", "a\rb"),
        ('key = "a\rb"', "ab", '"a\rb"'),
        ("key = \xa0v\xa0", "\xa0v\xa0", "\xa0v\xa0"),
        ("key = grüße €", "grüße €", "grüße €"),
        ("key = ${VAR} %(x)s {{ x }}", "${VAR} %(x)s {{ x }}", "${VAR} %(x)s {{ x }}"),
        ("key = v\x0b", "v\x0b", "v\x0b"),
        ("key = v\x85w", "v\x85w", "v\x85w"),
        ("key = \ufeffv", "\ufeffv", "\ufeffv"),
    ],
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n", "\n[Next]\n"])
def test_value(line: str, value: str, raw: str, end: str) -> None:
    document = parse(f"[Global]\n{line}{end}")
    assert document.stops == ()
    (entry,) = document.sections[0].entries
    assert entry.value == value
    assert entry.value_span is not None
    assert document.text[slice(*entry.value_span)] == raw
    assert document.text[slice(*entry.key_span)] == entry.key == "key"
    assert entry.quoted is ('"' in raw)
    assert entry.sound


@pytest.mark.parametrize("line", ["key", "key ", "\tkey\t", "key # c", "key;c"])
def test_bare_key(line: str) -> None:
    _, entry = only_entry(line)
    assert entry.key == "key"
    assert entry.value is None
    assert (entry.value_start, entry.value_end) == (-1, -1)
    assert entry.value_span is None
    assert not entry.quoted


@pytest.mark.parametrize(("line", "after_equals"), [("key =", 5), ("key=  ", 4), ("key = # c", 5), ("key =;", 5)])
def test_empty_value_is_right_after_the_equals_sign(line: str, after_equals: int) -> None:
    _, entry = only_entry(line)
    assert entry.value == ""
    assert entry.value_span == Span(9 + after_equals, 9 + after_equals)


@pytest.mark.parametrize(
    ("line", "value", "comment"),
    [
        ("key = pa#ss", "pa", "#ss"),
        ("key = pa;ss", "pa", ";ss"),
        ("key = v # a ; b", "v", "# a ; b"),
        ('key = "v" ; "c', "v", '; "c'),
        ("key # = v", None, "# = v"),
        ("key = #x", "", "#x"),
        ("key = https://k/v3#f \\", "https://k/v3", "#f \\"),
    ],
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_comment(line: str, value: str | None, comment: str, end: str) -> None:
    document, entry = only_entry(line + end)
    assert entry.value == value
    assert entry.comment_start != -1
    assert document.text[entry.comment_start : entry.end] == comment


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("[Global]\nkey = v  \nnext", 18),
        ("[Global]\nkey = v\r\nnext", 16),
        ("[Global]\nkey = v\\\nw # c\nnext", 23),
        ("[Global]\nkey = v", 16),
        ("[Global]\nkey # c\r\n", 16),
    ],
)
def test_end_of_the_logical_line(text: str, end: int) -> None:
    assert parse(text).sections[0].entries[0].end == end


def test_no_comment() -> None:
    _, entry = only_entry('key = "#"')
    assert entry.comment_start == -1


@pytest.mark.parametrize("name", ["a", "A1", "a-b-c", "a-", "ü", "üö-1", "a٣", "кey", "名前", "ª"])
def test_names_of_any_script(name: str) -> None:
    document = parse(f"[{name}]\n{name} = 1\n{name}\n")
    assert document.stops == ()
    (section,) = document.sections
    assert section.name == name
    assert [entry.key for entry in section.entries] == [name, name]
    assert document.text[slice(*section.name_span)] == name


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\n", "# c", "; c\n# d\r\n", "\r"])
def test_nothing_to_read(text: str) -> None:
    document = parse(text)
    assert (document.sections, document.stops) == ((), ())


def test_a_key_may_be_repeated() -> None:
    (section,) = parse("[Global]\na = 1\nA = 2\na\n").sections
    assert [(entry.key, entry.value) for entry in section.entries] == [("a", "1"), ("A", "2"), ("a", None)]


def test_long_values_and_many_pieces() -> None:
    long = "x" * 70_000
    pieces = 'c"a#b"' * 2_000 + "\\\n" * 200 + '"\\n"' * 2_000 + '"' + "\\n" * 2_000 + '"'
    document = parse(f"[Global]\na = {long}\nb = {pieces}\nc = 1\n")
    assert document.stops == ()
    assert [entry.value for entry in document.sections[0].entries] == [long, "ca#b" * 2_000 + "\n" * 4_000, "1"]


def test_a_large_text_is_read_like_a_small_one() -> None:
    lines = "ключ = значение\nkey = value # comment\n\n; c\nüber\n" * 2_000
    large, after = parse(f"[Global]\n{lines}[B]\nx\n").sections
    small = parse("[Global]\nключ = значение\nkey = value # comment\n\n; c\nüber\n").sections[0]
    assert large.names == small.names == ("ключ", "key", "über")
    assert [entry[:2] for entry in large.entries] == [entry[:2] for entry in small.entries] * 2_000
    assert large.is_large
    assert not small.is_large
    assert not after.is_large
    assert large.entries_named({"über"}) == [entry for entry in large.entries if entry.key == "über"]


@pytest.mark.parametrize(("size", "large"), [((1 << 16) - 1, False), (1 << 16, True)])
def test_a_section_is_large_from_64_ki_characters_on(size: int, *, large: bool) -> None:
    assert parse("[A]\n" + "k" * size).sections[0].is_large is large


def test_a_range_of_lines_may_begin_with_a_carriage_return() -> None:
    assert plain_entries("\rkey = v\r\n", 0, 10) == [Variable("key", "v", False, True, 1, 4, 7, 8, -1, 8)]


def test_a_line_ends_before_its_own_carriage_return_alone() -> None:
    assert [entry.end for entry in plain_entries("k=v\nl=w\r\n", 0, 9)] == [3, 7]


class _LongText(str):
    """A text that nothing looks through from end to end."""

    __slots__ = ()

    def __contains__(self, part: object) -> bool:
        raise AssertionError(f"{part!r} is looked for everywhere")

    def find(self, part: str, start: SupportsIndex | None = 0, end: SupportsIndex | None = None) -> int:
        assert end is not None, f"{part!r} is looked for up to the end of the text"
        return super().find(part, start, end)


def test_the_keys_of_a_section_cost_the_same_in_a_long_text() -> None:
    (entry,) = plain_entries(_LongText("[a]\nk=1\nl=2\r\n"), 4, 8)
    assert entry == Variable("k", "1", False, True, 4, 5, 6, 7, -1, 7)
