"""Layers on one another: what holds for all of them, and why a change of the innermost text must be made by hand."""

from __future__ import annotations

import pytest

from ccmcheck.base.model import Edit, Span
from ccmcheck.layers import stack
from ccmcheck.layers.base import ReadOnly, Shifted
from ccmcheck.layers.composed import Composed, ComposedPiece
from ccmcheck.layers.stack import FILE_BEGINS, Stack

TEXT = "outer text"
SHIFTED = Shifted(6, "text")
LOCKED = ReadOnly("folded", "ext", Span(1, 4), "it is folded")
CHANGE = [Edit(0, 1, "T")]


def test_what_a_stack_is_of() -> None:
    plain = Stack(TEXT)
    inner = plain.push(SHIFTED)
    assert (plain.inner, inner.inner) == (TEXT, "text")
    assert (inner.push(LOCKED).outermost(1).inner, inner.outermost(0).inner) == ("text", TEXT)
    assert (plain.is_of_files, Stack(f"{FILE_BEGINS}a").is_of_files) == (False, True)
    assert not inner.is_composed
    composed = Composed("text", "ext", [ComposedPiece(0, 3, Span(1, 4), verbatim=True)])
    assert inner.push(composed).is_composed
    assert not inner.push(composed).push(LOCKED).is_composed


def test_why_a_change_must_be_made_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    free = Stack(TEXT).push(SHIFTED)
    locked = free.push(LOCKED)
    assert (free.by_hand(CHANGE), locked.by_hand(CHANGE)) == ("", "it is folded")
    assert (locked.by_hand([]), Stack(TEXT).by_hand(CHANGE)) == ("", "")
    assert free.by_hand([Edit(3, 5, "")]) == "a change lies outside the text"
    for longest, tried in ((4, True), (3, False)):  # of a longer text only a lock is known
        monkeypatch.setattr(stack, "LONGEST_TRIED", longest)
        assert (free.by_hand([Edit(3, 5, "")]) == "") is not tried
        assert locked.by_hand(CHANGE) == "it is folded"
    assert locked.by_hand([]) == "it is folded"
