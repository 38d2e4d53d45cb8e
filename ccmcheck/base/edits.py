"""Edits on one text: order, overlaps, applying, and the difference for people.

Nothing is ever serialised from a parsed form (contract 3 of the design): a fix is a list of edits, and every byte
outside them stays.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.end < edit.start:
            raise OverlappingEdits(f"a change ends before it starts, at offset {edit.start}")
        if edit.start < end:
            if ordered and edit == ordered[-1]:
                continue
            raise OverlappingEdits(f"two changes overlap in the text at offset {edit.start}")
        ordered.append(edit)
        end = edit.end
    return ordered


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


def unified_diff(old: str, new: str, old_name: str, new_name: str, context: int = 3) -> str:
    r"""The difference in the format of ``diff -u`` and ``git apply``.

    Args:
        old: The text before.
        new: The text after.
        old_name: The file's name before, such as ``a/secret.yaml``.
        new_name: The file's name after.
        context: Unchanged lines around each change.

    Returns:
        The difference, empty where there is none. Lines end at ``\n`` only, so a ``\r`` stays part of its line.
    """
    if old == new:
        return ""
    from ccmcheck.base.difference import unified

    return "".join(unified(old, new, old_name, new_name, context))
