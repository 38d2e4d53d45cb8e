"""A text whose variables are replaced by values, as rendering the template would."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.segments import Replaced
from ccmcheck.yamlio.mark import TemplateMark


class Variables(Replaced):
    """The text with values instead of marks.

    Args:
        outer: The text with its marks.
        values: The marks to replace, in order, each with its value; the others stay as they are.
    """

    __slots__ = ()
    kind = "template"

    def __init__(self, outer: str, values: Iterable[tuple[TemplateMark, str]]) -> None:
        super().__init__(outer, ((mark.span, value) for mark, value in values))

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Pass on changes that leave the values alone; see `Lens.carried`."""
        for edit in ordered:
            if not all(segment.same for segment in self.segments.touching(Span(edit.start, edit.end))):
                raise CannotEdit("the text that would change comes from a variable")
        return [Edit(*self.outward(Span(edit.start, edit.end)), edit.text) for edit in ordered]
