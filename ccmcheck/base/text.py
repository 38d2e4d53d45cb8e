"""Bytes to text and back without loss, and offsets to lines and columns.

Spans everywhere count code points of decoded text. Bytes that are not UTF-8 become lone surrogates (``U+DC80`` to
``U+DCFF``) and a byte order mark stays in the text as ``U+FEFF``, so that `encode` gives every byte back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import AnyStr

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple

BOM = "\ufeff"

_LINE_END = lazy_regex("\n")
_LOOKUPS_WITHOUT_INDEX = 4  # after that, building the index once is cheaper than counting lines each time


class Decoded(NamedTuple):
    """The text of a file, and properties of its bytes.

    Attributes:
        text: The whole file; `encode` gives the bytes back.
        is_binary: True where the file holds a NUL, which no text does; UTF-16 has them too.
        is_utf8: False where bytes that are not UTF-8 became lone surrogates.
    """

    text: str
    is_binary: bool
    is_utf8: bool


def has_one(text: AnyStr, words: Iterable[AnyStr]) -> bool:
    """Whether a text has one of some words."""
    for word in words:  # noqa: SIM110 - a generator costs more than the search; every file is asked
        if word in text:
            return True
    return False


def by_part(words: Iterable[AnyStr], *parts: AnyStr) -> list[tuple[AnyStr, list[AnyStr]]]:
    """Words by the first of some parts that they have, which few texts have; the others by the empty one."""
    found: dict[AnyStr, list[AnyStr]] = {}
    for word in words:
        found.setdefault(next((part for part in parts if part in word), word[:0]), []).append(word)
    return list(found.items())


def has_one_by_part(text: AnyStr, words: Iterable[tuple[AnyStr, Iterable[AnyStr]]]) -> bool:
    """The same of words by their parts: a part is looked for once, and one character ten times as fast as a word."""
    for part, having in words:  # noqa: SIM110 - see above
        if part in text and has_one(text, having):
            return True
    return False


def decode(data: bytes) -> Decoded:
    """Decode a file's bytes as UTF-8, reversibly.

    Bytes that are not UTF-8 become lone surrogates.
    """
    try:
        text = data.decode()
        is_utf8 = True
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        is_utf8 = False
    return Decoded(text, b"\0" in data, is_utf8)


def encode(text: str) -> bytes:
    """The bytes that `decode` decoded.

    Args:
        text: Decoded text; lone surrogates in it are single bytes.

    Returns:
        The bytes to write.
    """
    return text.encode("utf-8", "surrogateescape")


class LineIndex:
    r"""Offsets of one text as lines and columns, both counted from 1.

    A line ends at ``\n`` only, as in gcfg and in editors' line numbers; a ``\r`` before it does not belong to the line
    that is shown. The first few look-ups count newlines in place, because most texts need one or none; later
    ones build an index.

    Args:
        text: The text that the offsets count in.
    """

    __slots__ = ("_lookups", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: list[int] | None = None
        self._lookups = 0

    def position(self, offset: int) -> tuple[int, int]:
        """Find the line and column of an offset.

        Args:
            offset: In code points; one past the last character is allowed.

        Returns:
            Line and column, both from 1.
        """
        if self._starts is None:
            self._lookups += 1
            if self._lookups <= _LOOKUPS_WITHOUT_INDEX:
                text = self.text
                return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def positions(self, span: Span) -> tuple[int, int, int, int]:
        """The line and column of where a span starts and of where it ends; most end on the line that they start on."""
        start, end = span
        line, column = self.position(start)
        starts = self._starts
        if starts is None or (line < len(starts) and end >= starts[line]):
            return line, column, *self.position(end)
        return line, column, line, column + end - start

    def line_span(self, number: int) -> Span:
        r"""The span of a line.

        Args:
            number: The line, from 1.

        Returns:
            Its span without ``\n`` or ``\r\n``.

        Raises:
            IndexError: There is no such line.
        """
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            raise IndexError(number)
        start = starts[number - 1]
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        if end > start and number < len(starts) and self.text[end - 1] == "\r":
            end -= 1
        return Span(start, end)

    def offset(self, line: int, column: int) -> int:
        """Find the offset of a line and column.

        Args:
            line: From 1.
            column: From 1; past the end of the line means its end.

        Returns:
            The offset in code points.

        Raises:
            IndexError: There is no such line.
        """
        start, end = self.line_span(line)
        return min(start + column - 1, end)

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return self._starts
