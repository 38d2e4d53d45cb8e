"""Letters and digits are those of Go's Unicode 15.0, on every host."""

from __future__ import annotations

import sys
import unicodedata
from unittest.mock import patch

import pytest

from ccmcheck.base import go_unicode
from ccmcheck.base.escape import printable
from ccmcheck.gcfg import parse
from ccmcheck.gcfg.errors import illegal, quote
from ccmcheck.gcfg.letters import is_digit, is_letter, is_unlike_python

NEW_IN_15 = "\U00010efd\U00011f04\U0001e4d0\U000323af"
"""A mark and three letters of Unicode 15.0; Python 3.11 has 14.0."""
NEW_IN_15_1 = "\U0002ebf0"
"""A letter of Unicode 15.1, which Python 3.13 has."""


def test_the_version() -> None:
    assert go_unicode.table("VERSION") == "15.0.0"


def test_letters_of_the_version_alone() -> None:
    assert [is_letter(char) for char in NEW_IN_15] == [False, True, True, True]
    assert not is_letter(NEW_IN_15_1)
    assert is_digit("\U00011f50")
    assert not is_letter("\U00011f50")


def test_error_texts_have_what_go_prints_on_every_host() -> None:
    assert quote("a\U00031350") == '"a\U00031350"'
    assert quote(NEW_IN_15_1) == '"\\U0002ebf0"'
    assert quote("\u200b\u3000") == '"\\u200b\\u3000"'
    assert illegal("\U0001f6dc") == "illegal character U+1F6DC '\U0001f6dc'"
    assert printable("\U00031350\u202e") == "\U00031350\\u202e"


@pytest.mark.parametrize(("char", "letter", "digit"), [("a", 1, 0), ("5", 0, 1), ("_", 0, 0), ("é", 1, 0), ("٣", 0, 1), ("½", 0, 0), ("Ⅷ", 0, 0), ("ⓐ", 0, 0)])  # fmt: skip
def test_some_characters(char: str, letter: int, digit: int) -> None:
    assert (is_letter(char), is_digit(char)) == (bool(letter), bool(digit))


def test_like_python_where_its_version_knows_no_more() -> None:
    old = unicodedata.ucd_3_2_0
    for point in range(0x80, sys.maxunicode + 1):
        char = chr(point)
        category = old.category(char)
        if category != "Cn" and category == unicodedata.category(char):
            assert is_letter(char) == category.startswith("L"), hex(point)
            assert is_digit(char) == (category == "Nd"), hex(point)


def test_names_in_new_scripts() -> None:
    name = NEW_IN_15[1:]
    document = parse(f"[Global]\n{name} = x\n")
    assert document.stops == ()
    assert document.sections[0].entries[0].key == name
    document = parse(f"[Global]\na{NEW_IN_15_1} = x\n")
    assert [stop.kind for stop in document.stops] == ["illegal-character"]


def test_large_texts_agree_with_small_ones() -> None:
    for char in (NEW_IN_15[1], NEW_IN_15_1, "é", "½", "_"):
        line = f"a{char} = x\n"
        small = parse(f"[Global]\n{line}")
        large = parse("[Global]\n" + "# é\n" * 20_000 + line)
        assert [stop.kind for stop in small.stops] == [stop.kind for stop in large.stops]
        assert [entry.key for entry in small.sections[0].entries] == [entry.key for entry in large.sections[0].entries]


@pytest.mark.parametrize(("char", "unlike"), [("a", 0), ("_", 0), ("é", 0), ("٣", 0), ("€", 0), ("½", 1), ("ⓐ", 0), ("Ⅷ", 1)])  # fmt: skip
def test_what_python_takes_for_a_part_of_a_word(char: str, unlike: int) -> None:
    assert is_unlike_python(char) == bool(unlike)


def test_ascii_needs_no_table() -> None:
    with patch.object(go_unicode, "_ranges", side_effect=AssertionError):
        assert parse("[Global]\na-1 = x\n").stops == ()


def test_the_tables_are_sorted() -> None:
    for table in (go_unicode.table("LETTERS"), go_unicode.table("DIGITS")):
        points = [int(point, 16) for item in table.split() for point in item.split("-")]
        assert points == sorted(points)
