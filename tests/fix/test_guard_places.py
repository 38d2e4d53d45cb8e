"""What a change touches is told by a search in its sorted places as by a look at each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.model import Span
from ccmcheck.fix.guard import Touched


@st.composite
def places(draw: st.DrawFn) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for gap, length in draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8)):
        spans.append(Span(at + gap, at + gap + length))
        at += gap + length
    return spans


@given(places(), st.integers(0, 30), st.integers(0, 5))
def test_the_search_agrees_with_a_look_at_each(spans: list[Span], start: int, length: int) -> None:
    place = Span(start, start + length)
    touched = Touched(sorted(spans))
    over = [one for one in spans if one.start < place.end and one.end > place.start]
    assert touched.first_over(place) == (over[0] if over else None)
    assert touched.overlaps(place) == bool(over)
    assert touched.changes(place) == (bool(over) or any(one.start == one.end == place.end for one in spans))
