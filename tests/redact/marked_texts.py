"""Texts in which `‹` and `›` stand around what must not be shown."""

from __future__ import annotations


def unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks, and start and end of each part that they stand around."""
    text, spans = "", []
    for part in marked.split("›"):
        shown, mark, hidden = part.partition("‹")
        text += shown
        if mark:
            spans.append((len(text), len(text) + len(hidden)))
            text += hidden
    return text, spans
