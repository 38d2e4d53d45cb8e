from __future__ import annotations

from difflib import get_close_matches

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.base.suggest import distance, fold_name, hint, nearest, nearest_name

KEYS = ("create-monitor", "monitor-delay", "monitor-timeout", "monitor-max-retries", "lb-method", "subnet-id", "region")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("create-montior", "create-monitor"),
        ("createmonitor", "create-monitor"),
        ("LBMethod", "lb-method"),
        ("lb_method", "lb-method"),
        ("monitor-dely", "monitor-delay"),
        ("subnetId", "subnet-id"),
        ("monitor-retries", None),
        ("regiment", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_the_misspelt_name(word: str, expected: str | None) -> None:
    assert nearest_name(word, KEYS) == expected


def test_two_equally_near_names_give_none() -> None:
    assert nearest_name("cat-file", ("ca-file", "cut-file")) is None
    assert nearest_name("cat-file", ("ca-file", "cut-file", "cat-fife", "catfile")) == "catfile"
    assert nearest_name("cat-file", ("ca-file", "ca-file")) == "ca-file"


def test_a_nearer_name_wins_after_a_tie() -> None:
    assert nearest_name("abcdefg", ("abcdexx", "abxxefg", "abcdefx")) == "abcdefx"


def test_short_words_may_differ_less() -> None:
    assert nearest_name("ab", ("ac",)) is None
    assert nearest_name("abc", ("abd",)) == "abd"
    assert nearest_name("abc", ("add",)) is None
    assert nearest_name("abcde", ("abced",), max_distance=0) is None


def test_folding_can_be_chosen() -> None:
    assert nearest_name("TRUE", ("true",), fold=str) is None
    assert nearest("lb.method", KEYS, fold=lambda word: word.replace(".", "-")) == "lb-method"


def test_nearest_is_more_lenient() -> None:
    assert nearest("monitor-retries", KEYS) == "monitor-max-retries"
    assert nearest("monitor-dely", KEYS) == "monitor-delay"
    assert nearest("zzz", KEYS) is None
    assert nearest("x" * 10_000, KEYS) is None


@given(st.text("abcd-", max_size=9), st.lists(st.text("abcd-", min_size=1, max_size=9), max_size=8))
def test_what_a_person_may_mean_is_what_difflib_finds(word: str, names: list[str]) -> None:
    by_folded = {fold_name(name): name for name in names}
    close = get_close_matches(fold_name(word), list(by_folded), n=1, cutoff=0.6)
    expected = nearest_name(word, by_folded.values()) or (by_folded[close[0]] if close else None)
    assert nearest(word, names) == expected


def test_the_hint_is_a_sentence_or_nothing() -> None:
    assert hint("sariff", ("sarif", "text")) == "Did you mean `sarif`?"
    assert hint("zzz", ("sarif", "text")) == ""


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "abcd", 1), ("abc", "axc", 1), ("ca", "abc", 3)],
)
def test_edits_are_counted(left: str, right: str, edits: int) -> None:
    assert distance(left, right, 5) == edits


def slow_distance(left: str, right: str) -> int:
    """Optimal string alignment by its definition."""
    rows = [[max(i, j) if not min(i, j) else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] != right[j - 1]))
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@settings(max_examples=300)
@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 4))
def test_the_limit_only_caps_the_distance(left: str, right: str, limit: int) -> None:
    assert distance(left, right, limit) == min(slow_distance(left, right), limit + 1)


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(word: str) -> None:
    assert fold_name(fold_name(word)) == fold_name(word)
