"""An offset is found in the spans that it lies in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.model import Span
from ccmcheck.base.span_index import SpanIndex

SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda pair: Span(pair[0], sum(pair))))


@given(SPANS, st.integers(0, 30))
def test_the_end_is_that_of_the_last_span_around(spans: list[Span], offset: int) -> None:
    ends = [span.end for span in spans if span.start <= offset < span.end]
    assert SpanIndex(spans).end_around(offset) == max(ends, default=None)


def test_a_span_ends_before_its_end() -> None:
    index = SpanIndex([Span(5, 7), Span(0, 2)])
    assert [index.end_around(offset) for offset in range(8)] == [2, 2, None, None, None, 7, 7, None]
