"""Lines without their margin: a ``<<-`` heredoc without its tabs, a fenced or literal block without its indentation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, chain

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Layer
from ccmcheck.layers.slice import Slice

Margins = Callable[[list[str]], list[int]]
"""Gives the length of the margin of each line."""


def unindented(outer: str, span: Span, kind: str, margins: Margins) -> Layer:
    """The layer of a part of a text; a plain `Slice` where no line has a margin.

    Args:
        outer: The text around.
        span: The part of it: whole lines.
        kind: See `Layer.kind`.
        margins: How long each line's margin is.
    """
    lines = outer[span.start : span.end].split("\n")
    lengths = margins(lines)
    if not any(lengths):
        return Slice(outer, span, kind)
    return Unindented(outer, span, kind, margins)


def leading_tabs(lines: list[str]) -> list[int]:
    """The margins of a shell's ``<<-`` heredoc."""
    return [len(line) - len(line.lstrip("\t")) for line in lines]


def common_blanks(lines: list[str]) -> list[int]:
    """The margins of a block that is indented as a whole: what all its lines share, blank ones aside."""
    least = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
    return [min(least, len(line) - len(line.lstrip(" \t"))) for line in lines]


class Unindented:
    """A part of a text without its margins; created by `unindented`.

    Attributes:
        kind: See `Layer.kind`.
        text: The lines without their margins.
    """

    __slots__ = ("_inner", "_lengths", "_lines", "_margins", "_outer", "_starts", "kind", "text")
    exact = True

    def __init__(self, outer: str, span: Span, kind: str, margins: Margins) -> None:
        self.kind = kind
        self._margins = margins
        self._outer = outer[span.start : span.end]
        self._lines: list[str] = self._outer.split("\n")
        self._lengths = margins(self._lines)
        inside = [line[length:] for line, length in zip(self._lines, self._lengths, strict=True)]
        self.text = "\n".join(inside)
        self._starts = list(accumulate([span.start, *[len(line) + 1 for line in self._lines[:-1]]]))
        self._inner = list(accumulate([0, *[len(line) + 1 for line in inside[:-1]]]))

    def outward(self, span: Span) -> Span:
        """Find the place; over several lines it includes the margins between them. See `Layer.outward`."""
        start = self._place(span.start)
        if span.end <= span.start:
            return Span(start, start)
        line = self._line(span.end)
        return Span(start, self._starts[line] if self._inner[line] == span.end else self._place(span.end))

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry the changes outward line by line, new lines with the margin of their neighbours; see `Layer.put`."""
        ordered = sort(edits)
        if not ordered:
            return []
        if ordered[-1].end > len(self.text):
            raise CannotEdit("a change lies outside the text")
        carried = sort(self._carry(edit) for edit in self._apart(ordered))
        first = self._starts[0]
        after = apply(self._outer, [Edit(e.start - first, e.end - first, e.text) for e in carried]).split("\n")
        inside = "\n".join(line[length:] for line, length in zip(after, self._margins(after), strict=True))
        if inside != apply(self.text, ordered):
            raise CannotEdit("the indentation of the lines cannot hold the new text")
        return carried

    def _apart(self, edits: list[Edit]) -> list[Edit]:
        """Merge changes that touch one line, so that each line's margin is decided once."""
        apart = edits[:1]
        for edit in edits[1:]:
            before = apart[-1]
            if self._line(before.end) == self._line(edit.start):
                apart[-1] = Edit(before.start, edit.end, before.text + self.text[before.end : edit.start] + edit.text)
            else:
                apart.append(edit)
        return apart

    def _carry(self, edit: Edit) -> Edit:
        """Carry one change: decide whether it begins and ends at a line's first column or within a line."""
        first, last = self._line(edit.start), self._line(edit.end)
        margin = self._margin_near(first)
        new = edit.text.split("\n")
        begins_line = edit.start == self._inner[first]
        ends_line = edit.end == self._inner[last] and not new[-1] and (len(new) > 1 or begins_line)
        keeps_margin = begins_line and not ends_line and bool(self._lengths[first])
        pieces = [margin + piece if piece.strip("\r") else piece for piece in new]
        if not pieces[-1] and not ends_line and len(pieces) > 1 and self._rest(last, edit.end):
            pieces[-1] = margin  # the rest of the old line follows
        if not begins_line or keeps_margin:
            pieces[0] = new[0]
        start = self._starts[first] if begins_line and not keeps_margin else self._place(edit.start)
        end = self._starts[last] if ends_line else self._place(edit.end)
        return Edit(start, max(start, end), "\n".join(pieces))

    def _rest(self, line: int, offset: int) -> bool:
        """Whether text of a line follows an offset."""
        return bool(self._lines[line][self._lengths[line] + offset - self._inner[line] :].strip("\r"))

    def _margin_near(self, line: int) -> str:
        """The margin of a line, or of the nearest one that has text: those above it first."""
        for number in chain(range(line, -1, -1), range(len(self._lines))):
            if self._lines[number].strip():
                return self._lines[number][: self._lengths[number]]
        return ""

    def _place(self, offset: int) -> int:
        line = self._line(offset)
        return self._starts[line] + self._lengths[line] + offset - self._inner[line]

    def _line(self, offset: int) -> int:
        return bisect_right(self._inner, offset) - 1
