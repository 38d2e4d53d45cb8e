"""Which characters are letters and digits to gcfg: those of Go's Unicode tables, whatever Python's own are.

Source: gcfg v1.2.3 scanner/scanner.go (``isLetter``, ``isDigit``): ``unicode.IsLetter`` and ``unicode.IsDigit`` beyond
ASCII.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache


def is_letter(char: str) -> bool:
    """Whether a character may begin a name."""
    return char.isalpha() if char.isascii() else _is_in(ord(char), *_letters())


def is_digit(char: str) -> bool:
    """Whether a character is a decimal digit."""
    return char.isdecimal() if char.isascii() else _is_in(ord(char), *_digits())


def is_unlike_python(char: str) -> bool:
    """Whether Python's regular expressions take a character for a word's and gcfg does not, or the other way round."""
    return not char.isascii() and char.isalnum() != (is_letter(char) or is_digit(char))


def _is_in(point: int, starts: list[int], ends: list[int]) -> bool:
    index = bisect_right(starts, point) - 1
    return index >= 0 and point <= ends[index]


@cache
def _letters() -> tuple[list[int], list[int]]:
    from ccmcheck.gcfg.unicode_tables import LETTERS

    return _ranges(LETTERS)


@cache
def _digits() -> tuple[list[int], list[int]]:
    from ccmcheck.gcfg.unicode_tables import DIGITS

    return _ranges(DIGITS)


def _ranges(table: str) -> tuple[list[int], list[int]]:
    pairs = [item.split("-") for item in table.split()]
    return [int(first, 16) for first, _ in pairs], [int(last, 16) for _, last in pairs]
