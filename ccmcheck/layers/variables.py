"""A text whose variables are replaced by values, as rendering the template would."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.segments import Segments
from ccmcheck.yamlio.marks import Mark


class Variables:
    """The text with values instead of marks.

    Args:
        outer: The text with its marks.
        values: The marks to replace, in order, each with its value; the others stay as they are.
    """

    __slots__ = ("_segments", "text")
    kind = "template"
    exact = True

    def __init__(self, outer: str, values: Iterable[tuple[Mark, str]]) -> None:
        pieces: list[str] = []
        lengths: list[tuple[int, int, bool]] = []
        position = 0
        for mark, value in values:
            start, end = mark.span
            pieces += (outer[position:start], value)
            lengths += ((start - position, start - position, True), (len(value), end - start, False))
            position = end
        pieces.append(outer[position:])
        self.text = "".join(pieces)
        self._segments = Segments(lengths, 0)

    def outward(self, span: Span) -> Span:
        """Find the place; one inside a value is the whole mark. See `Layer.outward`."""
        return self._segments.outward(span)

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Pass on changes that leave the values alone; see `Layer.put`."""
        carried: list[Edit] = []
        for edit in sort(edits):
            span = Span(edit.start, edit.end)
            if not all(segment.same for segment in self._segments.touching(span)):
                raise CannotEdit("the text that would change comes from a variable")
            start, end = self._segments.outward(span)
            carried.append(Edit(start, end, edit.text))
        return carried


def marks_with_values(marks: Iterable[Mark], values: Mapping[str, str]) -> list[tuple[Mark, str]]:
    """Pick the marks whose variable has a value.

    Args:
        marks: Of a text, in order.
        values: By the variables' names.

    Returns:
        The marks with their values, for `Variables`.
    """
    return [(mark, values[mark.name]) for mark in marks if mark.name in values and mark.prints]
