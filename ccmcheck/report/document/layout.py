"""The layout of all text for a screen: tabs, wide characters, carets, lines broken between words, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from ccmcheck.base.escape import printable
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Snippet
from ccmcheck.base.records import NamedTuple

TAB = 4
"""Columns from one tab stop to the next."""

CUT = "…"
GAP = "  "
"""Between two columns of a table."""
NARROW = 10
"""Columns below which a column of a table is not narrowed."""
ESCAPE = "\x1b"
_COLOUR = lazy_regex(r"\x1b\[[0-9;]*m")


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
    """Count the columns that a printable text takes: wide characters two, combining ones and colours none."""
    if ESCAPE in text:
        text = _COLOUR.sub("", text)
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


def wrap(text: str, room: int, *, breaks: bool = False) -> list[str]:
    """Break a text between its words.

    Args:
        text: Printable, one line; colours in it take no column.
        room: Columns a line may take; 0 for no limit.
        breaks: Whether a longer word is broken; otherwise it stands alone.

    Returns:
        At least one line.
    """
    if room <= 0 or width_of(text) <= room:
        return [text]
    lines: list[list[str]] = []
    used = room
    words = text.split(" ")
    for part in chain.from_iterable(_parts(word, room) for word in words) if breaks else words:
        columns = width_of(part)
        if used + 1 + columns > room:
            if lines and not part:
                continue  # a second space, where a line ends
            lines.append([])
            used = -1
        lines[-1].append(part)
        used += 1 + columns
    return [" ".join(line) for line in lines]


def _parts(word: str, room: int) -> Iterator[str]:
    """A word in parts that fit; one in colours stays whole."""
    while ESCAPE not in word and width_of(word) > room:
        cut = room
        while cut > 1 and width_of(word[:cut]) > room:
            cut -= 1
        yield word[:cut]
        word = word[cut:]
    yield word


_LEAD = lazy_regex(r"(?:[│├└][─ ] )*+ *+(?:(?:[-*·!?✗✓→–]|\d{1,2}\.) )?(?:[^\s:](?:[^\s:]| (?! )){0,22}+ {2,})?")
"""What the lines below begin under: the branch of a tree, a mark or number, and a label with blanks behind it."""
_BELOW = str.maketrans({"├": "│", "─": " ", "└": " "})


def fitted(line: str, room: int) -> Iterator[str]:
    """A line of a report, broken between words, with its rest below its text; pictures and what fits stay as they are.

    Args:
        line: Printable.
        room: Columns a line may take; 0 for no limit.
    """
    if not room or width_of(line) <= room or "─▶" in line:
        yield line
        return
    match = _LEAD.match(line)
    lead = match[0] if match and width_of(match[0]) <= room // 2 else line[: len(line) - len(line.lstrip(" "))]
    below = "".join(character if character == "│" else " " for character in lead.translate(_BELOW))
    below = below if below.strip() or len(below) > len(lead) - len(lead.lstrip(" ")) else f"{below}{GAP}"
    first, *rest = wrap(line[len(lead) :], room - width_of(below))
    yield f"{lead}{first}"
    yield from (f"{below}{part}" for part in rest)


def columns_that_fit(needed: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The columns of a table in so much room: the widest are narrowed, all to the same width, if that breaks no word.

    Args:
        needed: What each would take.
        least: The longest word of each.
        room: What there is for all.

    Returns:
        The width of each. Where a word would be broken, the first columns, which name what a row is about, are the last
        to be narrowed below theirs.
    """
    widths = list(needed)
    left = room
    for waiting, number in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        widths[number] = min(widths[number], max(1, left // (len(widths) - waiting)))
        left -= widths[number]
    if all(width >= word for width, word in zip(widths, least, strict=True)):
        return widths
    behind = sum(min(NARROW, word) for word in least)
    for number, word in enumerate(least):
        behind -= min(NARROW, word)
        widths[number] = max(0, min(word, room - behind))
        room -= widths[number]
    widths[-1] = min(needed[-1], widths[-1] + room)
    return widths


def table(rows: Sequence[Sequence[str]], room: int, indent: str = "") -> Iterator[str]:
    """A table without borders, its cells broken between words where it would be too wide.

    A word that has no room in its column stands below its row, with the column's head.

    Args:
        rows: The cells, as many in each.
        room: Columns a line may take; 0 for no limit.
        indent: What each line begins with.
    """
    needed = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    gaps = len(indent) + len(GAP) * (len(needed) - 1)
    if not room or sum(needed) + gaps <= room:
        for row in rows:
            yield (indent + GAP.join(map(_padded, row, needed))).rstrip()
        return
    least = [max(map(_longest_word, column)) for column in zip(*rows, strict=True)]
    widths = columns_that_fit(needed, least, room - gaps)
    if min(widths, default=0) < min(NARROW, *needed):
        yield from _as_records(rows, room, indent)
        return
    for row in rows:
        below = [_longest_word(cell) > width for cell, width in zip(row, widths, strict=True)]
        below[0] = False  # says what the row is about
        cells = [
            wrap("" if out else cell, width, breaks=True) for cell, width, out in zip(row, widths, below, strict=True)
        ]
        for line in zip_longest(*cells, fillvalue=""):
            yield (indent + GAP.join(map(_padded, line, widths))).rstrip()
        for head, cell, out in zip(rows[0], row, below, strict=True):
            if out:
                deep = f"{indent}{GAP}{GAP}"
                yield from (f"{deep}{part}" for part in wrap(f"{head}: {cell}", room - len(deep), breaks=True))


def _longest_word(cell: str) -> int:
    return max(map(width_of, cell.split(" ")))


def _as_records(rows: Sequence[Sequence[str]], room: int, indent: str) -> Iterator[str]:
    """Each row as lines of its own, where there is no room for columns."""
    heads, *others = rows
    for row in others:
        for head, cell in zip(heads, row, strict=True):
            first, *more = wrap(f"{head}: {cell}".removeprefix(": "), room - len(indent) - len(GAP), breaks=True)
            yield f"{indent}{first}"
            yield from (f"{indent}{GAP}{line}" for line in more)
        yield ""


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - width_of(cell))
