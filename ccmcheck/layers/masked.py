"""A text whose template marks are masked, so that YAML and gcfg can parse it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Lens
from ccmcheck.yamlio.cover import mask
from ccmcheck.yamlio.mark import TemplateMark


class Masked(Lens):
    """The text under a mask of the same length.

    Args:
        outer: The text with its marks.
        marks: The marks, in order, as `marks.find` gives them.

    Attributes:
        marks: The same.
    """

    __slots__ = ("_ends", "marks", "text")
    kind = "template"
    exact = True

    def __init__(self, outer: str, marks: Sequence[TemplateMark]) -> None:
        self.marks = tuple(marks)
        self.text = mask(outer, self.marks)
        self._ends = [mark.span.end for mark in self.marks]

    def outward(self, span: Span) -> Span:
        """The same place; see `Layer.outward`."""
        return span

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Pass on changes that leave the marks alone; see `Lens.carried`."""
        for edit in ordered:
            index = bisect_right(self._ends, edit.start)
            if index < len(self.marks) and self.marks[index].span.start < max(edit.end, edit.start):
                raise CannotEdit("a template mark stands in the text that would change")
        return ordered
