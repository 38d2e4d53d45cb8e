"""Edits on one text: order, overlaps, applying, and the difference for people.

Nothing is ever serialised from a parsed form (contract 3 of the design): a fix is a list of edits, and every byte
outside them stays.
"""

from __future__ import annotations

from bisect import bisect_right, insort_right
from collections.abc import Iterable, Sequence

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit


class OverlappingEdits(CannotEdit, ValueError):
    """Two edits change the same place in different ways; one of them has to wait for the next round."""


def sort(edits: Iterable[Edit]) -> list[Edit]:
    """Put edits in the order of the text.

    A duplicate replacement counts once. Insertions at one place keep their order, and precede a replacement that starts
    there.

    Args:
        edits: Edits on one text, in any order.

    Returns:
        The edits by their start.

    Raises:
        OverlappingEdits: Two different edits share a character.
    """
    ordered: list[Edit] = []
    end = 0
    for edit in sorted(edits, key=_place):
        if edit.end < edit.start:
            raise OverlappingEdits(f"a change ends before it starts, at offset {edit.start}")
        if edit.start < end:
            if ordered and edit == ordered[-1]:
                continue
            raise OverlappingEdits(f"two changes overlap in the text at offset {edit.start}")
        ordered.append(edit)
        end = edit.end
    return ordered


class EditsInOrder:
    """Edits on one text that do not overlap, kept in the order of `sort` while more are added."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def add(self, edits: Sequence[Edit]) -> bool:
        """Add edits, all of them or none.

        Args:
            edits: As `sort` gives them.

        Returns:
            False where one of them shares a character with another edit that was added before, and differs from it.
        """
        known = self._edits
        new: list[Edit] = []
        for edit in edits:
            at = bisect_right(known, (edit.start, edit.end), key=_place)
            if at and known[at - 1].end > edit.start:
                if edit != known[at - 1]:
                    return False
            elif at < len(known) and known[at].start < edit.end:
                return False
            else:
                new.append(edit)
        for edit in new:
            insort_right(known, edit, key=_place)
        return True


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text.

    Args:
        text: The text that the edits' offsets count in.
        edits: In any order.

    Returns:
        The changed text; ``text`` itself where there are no edits.

    Raises:
        OverlappingEdits: Two different edits share a character, or one lies outside the text.
    """
    ordered = sort(edits)
    if not ordered:
        return text
    if ordered[0].start < 0 or ordered[-1].end > len(text):
        raise OverlappingEdits("a change lies outside the text")
    pieces: list[str] = []
    position = 0
    for start, end, replacement in ordered:
        pieces.append(text[position:start])
        pieces.append(replacement)
        position = end
    pieces.append(text[position:])
    return "".join(pieces)
