"""Differences of lines: right for any two texts, near the fewest changes, and soon done where nothing is alike."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.base.difference import changes

LINES = st.lists(st.sampled_from("abcd"), max_size=60)


@given(LINES, LINES)
def test_the_changes_make_the_new_lines_of_the_old(old: list[str], new: list[str]) -> None:
    made: list[str] = []
    at = 0
    for change in changes(old, new):
        assert change.start > at or not made, "two changes without an equal line between them are one"
        made += old[at : change.start]
        assert len(made) == change.start_new
        made += new[change.start_new : change.end_new]
        assert change.start < change.end or change.start_new < change.end_new
        at = change.end
    assert made + old[at:] == new


@given(LINES, st.data())
def test_a_few_deleted_lines_are_all_that_is_shown(old: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.integers(0, max(len(old) - 1, 0)), max_size=5))
    new = [line for number, line in enumerate(old) if number not in gone]
    found = list(changes(old, new))
    assert sum(change.end - change.start for change in found) == len(old) - len(new)
    assert all(change.start_new == change.end_new for change in found)


@pytest.mark.part(of=2)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([f"a{number}" for number in range(40_000)], [f"b{number}" for number in range(40_000)]),
        (["a"] * 40_000, ["b"] * 40_000),
        (["a", "b"] * 20_000, ["b", "c"] * 20_000),
        ([line for number in range(20_000) for line in ("#", f"{number}")], ["#"] * 20_000),
    ],
    ids=["all differ", "two lines", "every second", "between equal ones"],
)
def test_no_texts_take_long(old: list[str], new: list[str]) -> None:
    started = time.process_time()
    assert list(changes(old, new))
    assert time.process_time() - started < 10  # a table of all pairs of lines takes minutes
