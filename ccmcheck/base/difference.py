"""The difference between two texts, line by line, as ``diff -u`` shows it.

`difflib` alone takes minutes for a file of ten thousand objects with a change in each: it searches for the longest run
of equal lines again and again. Lines that occur once in both texts split the work first, as in the patience diff, and
what remains between them is small.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from ccmcheck.base.records import NamedTuple

_NO_FINAL_NEWLINE = "\\ No newline at end of file\n"
_LARGEST = 1_000_000  # pairs of lines to compare between two anchors; beyond, all of them count as changed

Run = tuple[int, int, int]
"""Equal lines: their first in the old text, their first in the new one, how many."""


class Change(NamedTuple):
    """Lines of the old text, and the lines of the new one that replace them."""

    start: int
    end: int
    start_new: int
    end_new: int


def unified(old: str, new: str, old_name: str, new_name: str, context: int) -> Iterator[str]:
    """Write the difference of two texts; see `edits.unified_diff`."""
    before, after = _lines(old), _lines(new)
    yield f"--- {old_name}\n+++ {new_name}\n"
    for hunk in _hunks(_changes(_equal_runs(before, after), len(before), len(after)), context):
        at = max(hunk[0].start - context, 0)
        at_new = max(hunk[0].start_new - context, 0)
        last = min(hunk[-1].end + context, len(before))
        last_new = min(hunk[-1].end_new + context, len(after))
        yield f"@@ -{_range(at, last)} +{_range(at_new, last_new)} @@\n"
        for change in hunk:
            yield from _written(" ", before[at : change.start])
            yield from _written("-", before[change.start : change.end])
            yield from _written("+", after[change.start_new : change.end_new])
            at = change.end
        yield from _written(" ", before[at:last])


def _written(sign: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line if line.endswith("\n") else f"{sign}{line}\n{_NO_FINAL_NEWLINE}"


def _range(start: int, end: int) -> str:
    """Format a range of lines: from 1, without the count where it is 1, the line before an empty range."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _lines(text: str) -> list[str]:
    r"""Split after each ``\n``; ``str.splitlines`` would split at ``\r``, form feeds and more."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _changes(runs: Iterator[Run], length: int, length_new: int) -> Iterator[Change]:
    """The changes between the equal runs."""
    at = at_new = 0
    for start, start_new, count in (*runs, (length, length_new, 0)):
        if at < start or at_new < start_new:
            yield Change(at, start, at_new, start_new)
        at, at_new = start + count, start_new + count


def _hunks(changes: Iterator[Change], context: int) -> Iterator[list[Change]]:
    """Group the changes whose context lines would overlap."""
    hunk: list[Change] = []
    for change in changes:
        if hunk and change.start - hunk[-1].end > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    yield hunk


def _equal_runs(old: list[str], new: list[str]) -> Iterator[Run]:
    at = at_new = 0
    for anchor, anchor_new in (*_anchors(old, new), (len(old), len(new))):
        yield from _between(old, new, (at, anchor), (at_new, anchor_new))
        if anchor < len(old):
            yield anchor, anchor_new, 1
        at, at_new = anchor + 1, anchor_new + 1


def _between(old: list[str], new: list[str], lines: tuple[int, int], lines_new: tuple[int, int]) -> Iterator[Run]:
    """Find equal runs between two anchors: at both ends first, then `difflib` for the rest."""
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
    if rest and rest_new and len(rest) * len(rest_new) <= _LARGEST:
        from difflib import SequenceMatcher

        for at, at_new, count in SequenceMatcher(None, rest, rest_new, autojunk=False).get_matching_blocks():
            if count:
                yield start + at, start_new + at_new, count
    if tail:
        yield end - tail, end_new - tail, tail


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
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
