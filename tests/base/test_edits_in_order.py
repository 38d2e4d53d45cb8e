"""Edits that are added one after another overlap exactly where all of them sorted at once would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.edits import EditsInOrder, OverlappingEdits, sort
from ccmcheck.base.model import Edit

EDITS = st.lists(
    st.builds(
        lambda start, length, text: Edit(start, start + length, text),
        st.integers(0, 12),
        st.integers(0, 4),
        st.sampled_from(["", "x"]),
    ),
    max_size=10,
)


@given(EDITS)
def test_adding_is_like_sorting_all(edits: list[Edit]) -> None:
    known = EditsInOrder()
    kept: list[Edit] = []
    for edit in edits:
        try:
            sort([*kept, edit])
        except OverlappingEdits:
            assert not known.add([edit])
        else:
            assert known.add([edit])
            kept.append(edit)
