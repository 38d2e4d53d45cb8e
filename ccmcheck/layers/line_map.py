"""Lines that are the same inside and outside, but for a margin before each outside: places and changes line by line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from ccmcheck.base.model import Edit, Span


def starts_of(lines: list[str], first: int = 0) -> list[int]:
    """Where each line starts, with one character between two; the first where it is said."""
    return list(accumulate([first, *[len(line) + 1 for line in lines[:-1]]]))


class LineMap:
    """How lines inside and outside correspond: one to one.

    Args:
        text: The text inside.
        lines: The lines outside, with their margins.
        starts: Where those start.
        margins: How long each margin is.
        newline: What ends a line outside.
    """

    __slots__ = ("_inner", "_lines", "_margins", "_newline", "_outer", "_text")

    def __init__(
        self, text: str, lines: list[str], starts: list[int], margins: Callable[[int], int], newline: str = "\n"
    ) -> None:
        self._text = text
        self._lines = lines
        self._outer = starts
        self._margins = margins
        self._newline = newline
        self._inner = starts_of(text.split("\n"))

    def outward(self, span: Span) -> Span:
        """Map a place; over several lines it includes the margins between them."""
        start = self._place(span.start)
        if span.end <= span.start:
            return Span(start, start)
        line = self._line(span.end)
        return Span(start, self._outer[line] if self._inner[line] == span.end else self._place(span.end))

    def carried(self, edits: list[Edit], margin_at: Callable[[int], str]) -> list[Edit]:
        """Carry changes outward, new lines with a margin.

        Args:
            edits: In order, at least one.
            margin_at: The margin of new lines at a line.
        """
        apart = edits[:1]
        for edit in edits[1:]:  # those of one line are one, so that its margin is decided once
            before = apart[-1]
            if self._line(before.end) == self._line(edit.start):
                apart[-1] = Edit(before.start, edit.end, before.text + self._text[before.end : edit.start] + edit.text)
            else:
                apart.append(edit)
        return [self._carry(edit, margin_at(self._line(edit.start))) for edit in apart]

    def _carry(self, edit: Edit, margin: str) -> Edit:
        """Carry one change: decide whether it begins and ends at a line's first column or within a line."""
        first, last = self._line(edit.start), self._line(edit.end)
        new = edit.text.split("\n")
        begins_line = edit.start == self._inner[first]
        ends_line = edit.end == self._inner[last] and not new[-1] and (len(new) > 1 or begins_line)
        pieces = [margin + piece if piece.strip("\r") else piece for piece in new]
        if not pieces[-1] and not ends_line and self._rest(last, edit.end):
            pieces[-1] = margin  # the rest of the old line follows
        if not begins_line:
            pieces[0] = new[0]
        start = self._outer[first] if begins_line else self._place(edit.start)
        end = max(self._outer[last] if ends_line else self._place(edit.end), start)
        text = self._newline.join(pieces)
        there = self._margins(first)
        if begins_line and len(margin) == there <= end - start and text.startswith(margin):
            return Edit(start + there, end, text[there:])
        return Edit(start, end, text)

    def _rest(self, line: int, offset: int) -> bool:
        """Whether text of a line follows an offset."""
        return bool(self._lines[line][self._margins(line) + offset - self._inner[line] :].strip("\r"))

    def _place(self, offset: int) -> int:
        line = self._line(offset)
        return self._outer[line] + self._margins(line) + offset - self._inner[line]

    def _line(self, offset: int) -> int:
        return bisect_right(self._inner, offset) - 1
