"""A part of a text as it is, such as a fenced block of a Markdown page or the body of a heredoc."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.edits import sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span


class Slice:
    """The text between two offsets.

    Args:
        outer: The text around.
        span: Which part of it.
        kind: See `Layer.kind`: ``heredoc``, ``fenced text``.
    """

    __slots__ = ("_start", "kind", "text")
    exact = True

    def __init__(self, outer: str, span: Span, kind: str) -> None:
        self.kind = kind
        self.text = outer[span.start : span.end]
        self._start = span.start

    def outward(self, span: Span) -> Span:
        """Shift a place; see `Layer.outward`."""
        return Span(span.start + self._start, span.end + self._start)

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Shift changes; see `Layer.put`."""
        ordered = sort(edits)
        if ordered and ordered[-1].end > len(self.text):
            raise CannotEdit("a change lies outside the text")
        start = self._start
        return [Edit(edit.start + start, edit.end + start, edit.text) for edit in ordered]
