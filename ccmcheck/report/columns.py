"""Text in columns of a screen: tabs, wide characters, long lines, and where the caret goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.base.model import Snippet

TAB = 4
"""Columns from one tab stop to the next."""

CUT = "…"


class Drawn(NamedTuple):
    """A line as it stands on the screen, with the columns to underline."""

    text: str
    lead: int
    mark: int


EXCERPT = 400
"""Code points of a line that a machine-readable format quotes; a minified file would repeat itself in every finding."""


def excerpt(snippet: Snippet) -> Snippet:
    """A snippet whose line is cut around what it underlines, where it is longer than anybody reads."""
    text, half = snippet.text, EXCERPT // 2
    if len(text) <= EXCERPT:
        return snippet
    low = max(0, min(snippet.start - half, len(text) - EXCERPT))
    high = min(len(text), low + EXCERPT)
    before, after = CUT if low else "", CUT if high < len(text) else ""
    start = snippet.start - low + len(before)
    length = max(1, min(snippet.length, high - snippet.start))
    return snippet._replace(text=f"{before}{text[low:high]}{after}", start=start, length=length)


def width_of(text: str) -> int:
    """Count the columns that a printable text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        2 if east_asian_width(character) in "WF" else 0 if category(character) in ("Mn", "Me") else 1
        for character in text
    )


def draw(snippet: Snippet, limit: int) -> Drawn:
    """Put one line on the screen.

    Args:
        snippet: The line and what to underline.
        limit: The columns there are; a longer line is cut on both sides of the underlined place.

    Returns:
        The line with tabs expanded and control characters escaped, and where the underlining starts and how long it is.
    """
    text = snippet.text
    start = min(max(snippet.start, 0), len(text))
    end = min(start + max(snippet.length, 1), len(text))
    if len(text) <= limit and text.isascii() and text.isprintable():
        return Drawn(text, start, max(1, end - start))
    # what lies further away than this cannot be shown anyway, however little room its characters take
    low, high = max(0, start - 2 * limit), min(len(text), start + 2 * limit)
    cells = _cells(text[low:high])
    widths = [width_of(cell) for cell in cells]
    first, last = start - low, min(end, high) - low
    if low == 0 and high == len(text) and sum(widths) <= limit:
        return _joined(cells, widths, first, last)
    room = max(limit - 2, 1)
    left, right = _window(widths, first, last, room)
    before = CUT if low + left > 0 else ""
    after = CUT if low + right < len(text) else ""
    drawn = _joined(cells[left:right], widths[left:right], first - left, min(last, right) - left)
    return Drawn(f"{before}{drawn.text}{after}", drawn.lead + len(before), drawn.mark)


def _joined(cells: list[str], widths: list[int], first: int, last: int) -> Drawn:
    return Drawn("".join(cells), sum(widths[:first]), max(1, sum(widths[first:last])))


def _cells(text: str) -> list[str]:
    """One printable string a code point; a tab is the blanks that lead to its stop."""
    cells: list[str] = []
    column = 0
    for character in text:
        cell = " " * (TAB - column % TAB) if character == "\t" else printable(character)
        cells.append(cell)
        column += width_of(cell)
    return cells


def _window(widths: list[int], first: int, last: int, room: int) -> tuple[int, int]:
    """Choose which cells to show: the underlined ones, and as much as fits on both sides of them."""
    left = right = first
    used = 0
    while right < last and used + widths[right] <= room:
        used += widths[right]
        right += 1
    spare = (room - used) // 2
    while left > 0 and widths[left - 1] <= spare:
        left -= 1
        spare -= widths[left]
        used += widths[left]
    while right < len(widths) and used + widths[right] <= room:
        used += widths[right]
        right += 1
    while left > 0 and used + widths[left - 1] <= room:
        left -= 1
        used += widths[left]
    return left, right


def wrap(text: str, room: int) -> list[str]:
    """Break a text between its words.

    Args:
        text: Printable, one line.
        room: Columns a line may take; 0 for no limit. A word that is longer stands alone.

    Returns:
        At least one line.
    """
    if room <= 0 or width_of(text) <= room:
        return [text]
    lines: list[list[str]] = []
    used = room
    for word in text.split(" "):
        columns = width_of(word)
        if used + 1 + columns > room:
            lines.append([])
            used = -1
        lines[-1].append(word)
        used += 1 + columns
    return [" ".join(words) for words in lines]
