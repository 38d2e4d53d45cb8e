"""Spans of one text, to be asked whether an offset lies in one of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from ccmcheck.base.model import Span


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, those that overlap as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


class SpanIndex:
    """Finds the spans that an offset lies in.

    Args:
        spans: In any order; they may overlap.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [span.start for span in ordered]
        self._ends = list(accumulate((span.end for span in ordered), max))

    def end_around(self, offset: int) -> int | None:
        """Where the last one ends that an offset lies in; None where it lies in none."""
        before = bisect_right(self._starts, offset)
        return self._ends[before - 1] if before and offset < self._ends[before - 1] else None
