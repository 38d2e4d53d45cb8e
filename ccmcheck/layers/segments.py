r"""A text inside and the text outside, split into pieces that correspond.

Quoted scalars and substituted variables are alike: long runs are the same on both sides, and between them are pieces
that differ, ``\n`` outside for a line end inside, ``${VAR}`` outside for a value inside.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.base import Lens


class Segment(NamedTuple):
    """One piece.

    Attributes:
        inner: Where it starts inside.
        outer: Where it starts outside.
        inner_length: How long it is inside; 0 for what is absent there, such as an escaped line end.
        outer_length: How long it is outside.
        same: Whether both are the same text.
    """

    inner: int
    outer: int
    inner_length: int
    outer_length: int
    same: bool


class Segments:
    """Pieces in their order, without gaps on either side; what follows the last is the same on both.

    Args:
        pieces: For each its length inside, its length outside, and whether both are the same text.
        outer: Where the first starts outside.
    """

    __slots__ = ("_segments", "_starts")

    def __init__(self, pieces: Iterable[tuple[int, int, bool]], outer: int) -> None:
        self._segments: list[Segment] = []
        inner = 0
        for inner_length, outer_length, same in pieces:
            self._segments.append(Segment(inner, outer, inner_length, outer_length, same))
            inner += inner_length
            outer += outer_length
        self._segments.append(Segment(inner, outer, 0, 0, same=True))
        self._starts = [segment.inner for segment in self._segments]

    def outward(self, span: Span) -> Span:
        """The place outside; a piece that differs counts as a whole.

        Args:
            span: Inside.

        Returns:
            The place outside. An empty span stays empty where it lies between pieces or within a run that is the same.
        """
        first = self.at(span.start)
        start = first.outer + span.start - first.inner if first.same else first.outer
        if span.end <= span.start:
            inside = not first.same and span.start > first.inner
            return Span(start, start + first.outer_length if inside else start)
        last = self.at(span.end - 1)
        end = last.outer + (span.end - last.inner if last.same else last.outer_length)
        return Span(start, end)

    def at(self, offset: int) -> Segment:
        """Find the piece that holds the character at an offset inside."""
        return self._segments[bisect_right(self._starts, offset) - 1]

    def touching(self, span: Span) -> list[Segment]:
        """Find the pieces that a change at a place inside would change.

        Args:
            span: Inside; an empty one changes only the piece that it lies within.

        Returns:
            The pieces, in order.
        """
        first, last = bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end)
        return self._segments[first:last]


class Replaced(Lens):
    """A text in which some places of the one around stand for something else.

    Args:
        outer: The text around.
        replaced: The places, in order, each with what it stands for.
    """

    __slots__ = ("segments", "text")
    exact = True

    def __init__(self, outer: str, replaced: Iterable[tuple[Span, str]]) -> None:
        pieces: list[str] = []
        lengths: list[tuple[int, int, bool]] = []
        position = 0
        for (start, end), inner in replaced:
            pieces += (outer[position:start], inner)
            lengths += ((start - position, start - position, True), (len(inner), end - start, False))
            position = end
        self.text = "".join((*pieces, outer[position:]))
        self.segments = Segments(lengths, 0)

    def outward(self, span: Span) -> Span:
        """Find the place; what stands for something else is taken whole. See `Layer.outward`."""
        return self.segments.outward(span)
