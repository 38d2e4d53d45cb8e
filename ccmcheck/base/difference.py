"""The difference between two texts, line by line, as ``diff -u`` shows it.

`difflib` takes minutes for a thousand changes among equal lines: it searches for the longest run of equal lines again
and again. Lines that occur once in both texts split the work first, as in the patience diff. Between them Myers'
algorithm looks for the fewest changes, a limited number of them at a time, so that the cost is linear.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.base.records import NamedTuple

_AHEAD = 32
"""Changes to look ahead before the best way so far is kept; the cost of a line grows with it."""

Run = tuple[int, int, int]
"""Equal lines: their first in the old text, their first in the new one, how many."""


class LineChange(NamedTuple):
    """Lines of the old text, and the lines of the new one that replace them."""

    start: int
    end: int
    start_new: int
    end_new: int


def line_range(start: int, end: int) -> str:
    """Format a range of lines: from 1, without the count where it is 1, the line before an empty range."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def changes(old: Sequence[str], new: Sequence[str]) -> Iterator[LineChange]:
    """Compare two texts.

    Args:
        old: The lines before.
        new: The lines after.

    Yields:
        What is changed, in order; equal lines are between any two changes.
    """
    at = at_new = 0
    for start, start_new, count in (*_equal_runs(old, new), (len(old), len(new), 0)):
        if at < start or at_new < start_new:
            yield LineChange(at, start, at_new, start_new)
        at, at_new = start + count, start_new + count


def hunks(found: Iterable[LineChange], context: int) -> Iterator[list[LineChange]]:
    """Group the changes whose context lines would overlap.

    Args:
        found: What is changed, in order.
        context: The lines around each.
    """
    hunk: list[LineChange] = []
    for change in found:
        if hunk and change.start - hunk[-1].end > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _equal_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    """The runs of equal lines; none is empty."""
    at = at_new = 0
    for anchor, anchor_new in (*_anchors(old, new), (len(old), len(new))):
        yield from _between(old, new, (at, anchor), (at_new, anchor_new))
        if anchor < len(old):
            yield anchor, anchor_new, 1
        at, at_new = anchor + 1, anchor_new + 1


def _between(
    old: Sequence[str], new: Sequence[str], lines: tuple[int, int], lines_new: tuple[int, int]
) -> Iterator[Run]:
    """Find equal runs between two anchors: at both ends first, then the fewest changes in the rest."""
    (start, end), (start_new, end_new) = lines, lines_new
    head = 0
    while start + head < end and start_new + head < end_new and old[start + head] == new[start_new + head]:
        head += 1
    if head:
        yield start, start_new, head
    start, start_new, tail = start + head, start_new + head, 0
    while end - tail > start and end_new - tail > start_new and old[end - tail - 1] == new[end_new - tail - 1]:
        tail += 1
    rest, rest_new = old[start : end - tail], new[start_new : end_new - tail]
    at = at_new = 0
    while at < len(rest) and at_new < len(rest_new):
        runs, at, at_new = _ahead(rest, rest_new, at, at_new)
        yield from ((start + run[0], start_new + run[1], run[2]) for run in runs)
    if tail:
        yield end - tail, end_new - tail, tail


def _ahead(old: Sequence[str], new: Sequence[str], start: int, start_new: int) -> tuple[list[Run], int, int]:
    """Find the equal runs of the way with the fewest changes, to the end or for a limited number of changes.

    Args:
        old: The lines before.
        new: The lines after.
        start: Where to start in the old lines.
        start_new: Where to start in the new ones.

    Returns:
        The runs, and where the way ends in both texts, which is further on in at least one of them.
    """
    end, shift = len(old), start - start_new  # a diagonal is the line before without the line after
    last = end - len(new)
    rows = [{shift: _slide(old, new, start, shift)}]
    while last not in rows[-1] or rows[-1][last] < end:
        if len(rows) > _AHEAD:
            break
        row: dict[int, int] = {}
        for diagonal in range(shift - len(rows), shift + len(rows) + 1, 2):
            at = _stepped(rows[-1], diagonal, end, len(new))
            if at >= 0:
                row[diagonal] = _slide(old, new, at, diagonal)
        rows.append(row)
    reached = rows[-1]
    diagonal = (
        last if reached.get(last) == end else max(reached, key=lambda one: (2 * reached[one] - one, -abs(one - shift)))
    )
    at, at_new = reached[diagonal], reached[diagonal] - diagonal
    return _way(rows, diagonal, start, (end, len(new))), at, at_new


def _slide(old: Sequence[str], new: Sequence[str], at: int, diagonal: int) -> int:
    """Where the equal lines from a place on a diagonal end."""
    end = min(len(old), len(new) + diagonal)
    while at < end and old[at] == new[at - diagonal]:
        at += 1
    return at


def _stepped(row: dict[int, int], diagonal: int, end: int, end_new: int) -> int:
    """Where one change more, from a neighbour, arrives on a diagonal; negative where neither can."""
    added, deleted = row.get(diagonal + 1, -1), row.get(diagonal - 1, -1) + 1
    if added - diagonal > end_new:
        added = -1
    return deleted if added < deleted <= end and deleted else added


def _way(rows: Sequence[dict[int, int]], diagonal: int, start: int, ends: tuple[int, int]) -> list[Run]:
    """The equal runs of the way that ends on a diagonal, read back from its end."""
    runs: list[Run] = []
    for number in range(len(rows) - 1, -1, -1):
        at = _stepped(rows[number - 1], diagonal, *ends) if number else start
        count = rows[number][diagonal] - at
        if count:
            runs.append((at, at - diagonal, count))
        if number:
            diagonal += 1 if rows[number - 1].get(diagonal + 1, -1) == at else -1
    return runs[::-1]


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The lines that occur once in each text, as many as are in the same order in both."""
    places: dict[str, int] = {}
    for number, line in enumerate(old):
        places[line] = -1 if line in places else number
    places_new: dict[str, int] = {}
    for number, line in enumerate(new):
        places_new[line] = -1 if line in places_new else number
    pairs = [
        (place, places_new[line]) for line, place in places.items() if place >= 0 and places_new.get(line, -1) >= 0
    ]
    ends: list[int] = []  # for each length the smallest line of the new text that a rising row of it can end with
    chains: list[int] = []  # the pair at that end
    before: list[int] = []  # for each pair the one before it in the best row
    for number, (_, line_new) in enumerate(pairs):
        length = bisect_left(ends, line_new)
        before.append(chains[length - 1] if length else -1)
        ends[length : length + 1] = [line_new]
        chains[length : length + 1] = [number]
    row: list[tuple[int, int]] = []
    number = chains[-1] if chains else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]
