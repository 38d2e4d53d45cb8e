"""Lines without their margin: a ``<<-`` heredoc without its tabs, a fenced or literal block without its indentation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Layer, Lens
from ccmcheck.layers.line_map import LineMap, starts_of
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
    return Unindented(outer, span, kind, margins) if any(lengths) else Slice(outer, span, kind)


def leading_tabs(lines: list[str]) -> list[int]:
    """The margins of a shell's ``<<-`` heredoc."""
    return [len(line) - len(line.lstrip("\t")) for line in lines]


def common_blanks(lines: list[str]) -> list[int]:
    """The margins of a block that is indented as a whole: what all its lines share, blank ones aside."""
    least = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
    return [min(least, len(line) - len(line.lstrip(" \t"))) for line in lines]


class Unindented(Lens):
    """A part of a text without its margins; created by `unindented`.

    Attributes:
        kind: See `Layer.kind`.
        text: The lines without their margins.
    """

    __slots__ = ("_lengths", "_lines", "_map", "_margins", "_start", "kind", "text")
    exact = True

    def __init__(self, outer: str, span: Span, kind: str, margins: Margins) -> None:
        self.kind = kind
        self._margins = margins
        self._start = span.start
        self._lines = outer[span.start : span.end].split("\n")
        self._lengths = margins(self._lines)
        self.text = _without(self._lines, self._lengths)
        self._map = LineMap(self.text, self._lines, starts_of(self._lines, span.start), self._lengths.__getitem__)

    def outward(self, span: Span) -> Span:
        """Find the place; over several lines it includes the margins between them. See `Layer.outward`."""
        return self._map.outward(span)

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry the changes outward line by line, new lines with the margin of their neighbours; see `Lens.carried`."""
        if ordered[-1].end > len(self.text):
            raise CannotEdit("a change lies outside the text")
        carried = sort(self._map.carried(ordered, self._margin_near))
        first = self._start
        inner = [Edit(edit.start - first, edit.end - first, edit.text) for edit in carried]
        after = apply("\n".join(self._lines), inner).split("\n")
        if _without(after, self._margins(after)) != apply(self.text, ordered):
            raise CannotEdit("the indentation of the lines cannot hold the new text")
        return carried

    def _margin_near(self, line: int) -> str:
        """The margin of a line, or of the nearest one that has text: those above it first."""
        for number in chain(range(line, -1, -1), range(len(self._lines))):
            if self._lines[number].strip():
                return self._lines[number][: self._lengths[number]]
        return ""


def _without(lines: list[str], margins: list[int]) -> str:
    return "\n".join(line[length:] for line, length in zip(lines, margins, strict=True))
