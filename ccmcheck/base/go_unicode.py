"""Which characters Go takes for letters, digits and printable ones: by its own Unicode tables, whatever Python's are.

Source: Go 1.26 unicode.IsLetter, unicode.IsDigit, strconv.IsPrint.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache


def is_letter(char: str) -> bool:
    """Whether a character is a letter."""
    return char.isalpha() if char.isascii() else _is_in("LETTERS", char)


def is_digit(char: str) -> bool:
    """Whether a character is a decimal digit."""
    return char.isdecimal() if char.isascii() else _is_in("DIGITS", char)


def is_printable(char: str) -> bool:
    """Whether Go prints a character as it is; the space is the only blank."""
    return char.isprintable() if char.isascii() else _is_in("PRINTABLE", char)


def _is_in(name: str, char: str) -> bool:
    starts, ends = _ranges(name)
    index = bisect_right(starts, ord(char)) - 1
    return index >= 0 and ord(char) <= ends[index]


@cache
def _ranges(name: str) -> tuple[list[int], list[int]]:
    """The first and the last code points of a table."""
    pairs = [item.split("-") for item in table(name).split()]
    return [int(first, 16) for first, _ in pairs], [int(last, 16) for _, last in pairs]


@cache
def table(name: str) -> str:
    """One of Go's tables: ``LETTERS``, ``DIGITS`` or ``PRINTABLE``, as ranges of code points, or their ``VERSION``."""
    from ccmcheck.base.data_files import read_table

    return " ".join([values for of, values in read_table(__file__, "unicode_tables.tsv") if of == name])
