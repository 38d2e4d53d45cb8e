"""How wide a text becomes in a drawing, guessed on the wide side, and cut where there is no room for it.

A page that brings no font does not know which one it is shown in. The guess holds for the system fonts of the usual
systems; a test in a browser compares it with what was drawn.
"""

from __future__ import annotations

from ccmcheck.base.escape import printable

_NARROW = frozenset("iljtfrI.,:;!|'`()[]{}/\\ ·-")
_WIDE = frozenset("mwMWQO@%—…%&#")
_ELLIPSIS = "…"

MONO = 0.62
"""Width of a character of a monospaced font, in font sizes."""


def width(text: str, size: float, *, mono: bool = False) -> float:
    """How wide a text becomes.

    Args:
        text: The text, printable.
        size: The font's size.
        mono: Whether its characters are all of one width.
    """
    return sum(_advance(character, mono=mono) for character in text) * size


def fitted(text: str, room: float, size: float, *, mono: bool = False) -> str:
    """A text on one line, without what no screen shows, cut at its end so that it fits.

    Args:
        text: Any text.
        room: The width that there is.
        size: The font's size.
        mono: Whether its characters are all of one width.
    """
    # no text fits that has more characters than room for the narrowest; what follows need not be looked at
    shown = printable(text[: int(room) + 1])
    if len(text) <= int(room) + 1 and width(shown, size, mono=mono) <= room:
        return shown
    left, kept = room - width(_ELLIPSIS, size, mono=mono), 0
    for character in shown:
        left -= _advance(character, mono=mono) * size
        if left < 0:
            break
        kept += 1
    return shown[:kept].rstrip() + _ELLIPSIS


def wrapped(text: str, room: float, size: float, most: int) -> list[str]:
    """A text in lines, broken between words; the last one is cut where there would be more.

    Args:
        text: Any text.
        room: The width that there is.
        size: The font's size.
        most: How many lines there may be.
    """
    lines: list[str] = []
    left = printable(text[: int(room) * most])
    while left and len(lines) < most - 1 and width(left[: int(room)], size) > room:
        words, end = left.split(" "), 0
        while end < len(words) and width(" ".join(words[: end + 1]), size) <= room:
            end += 1
        lines.append(fitted(" ".join(words[: max(end, 1)]), room, size))
        left = " ".join(words[max(end, 1) :])
    return [*lines, fitted(left, room, size)] if left else lines


def _advance(character: str, *, mono: bool) -> float:
    if character > "\u2e7f":  # CJK, emoji and what else takes two columns; rather too wide than too narrow
        return 1.25
    if mono:
        return MONO
    if character in _NARROW:
        return 0.37
    if character in _WIDE:
        return 0.98
    return 0.71 if character.isupper() else 0.6
