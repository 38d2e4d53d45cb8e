"""A part of a text as it is, such as a fenced block of a Markdown page or the body of a heredoc."""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.layers.base import Shifted


class Slice(Shifted):
    """The text between two offsets.

    Args:
        outer: The text around.
        span: Which part of it.
        kind: See `Layer.kind`: ``heredoc``, ``fenced text``.
    """

    __slots__ = ("kind",)

    def __init__(self, outer: str, span: Span, kind: str) -> None:
        super().__init__(span.start, outer[span.start : span.end])
        self.kind = kind
