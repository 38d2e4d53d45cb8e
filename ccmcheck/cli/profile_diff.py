"""How ``show --profile`` is drawn: one profile with its reasons, several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.policy.profiles.diff import DIFFERS, NOT_APPLICABLE, SAME, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.policy.profiles.diff import ProfileDiff, ProfileValue, Row

SIGNS = {SAME: "=", DIFFERS: "≠", UNKNOWN: "?", NOT_APPLICABLE: "·"}
_WIDEST = 48


def as_data(one: ProfileDiff) -> dict[str, object]:
    """A comparison as plain data, for JSON."""
    rows = [{**row._asdict(), "theirs": [theirs._asdict() for theirs in row.theirs]} for row in one.rows]
    return {**one._asdict(), "rows": rows}


def as_text(one: ProfileDiff) -> Iterator[str]:
    """A comparison as a table for a terminal, line by line."""
    yield printable(_title(one))
    if one.error is not None:
        yield printable(f"  fatal: {one.error}")
    if not one.rows:
        yield "  they say nothing of any key" if len(one.profiles) > 1 else "  it says nothing of any key"
    else:
        cells = [_headings(one), *(tuple(map(printable, _cells(row))) for row in one.rows)]
        last = len(cells[0]) - 1
        widths = [
            0 if column == last else min(_WIDEST, max(len(row[column]) for row in cells)) for column in range(last + 1)
        ]
        for row in cells:
            yield ("  " + "  ".join(f"{cell:<{size}}" for cell, size in zip(row, widths, strict=True))).rstrip()
        yield f"  {_sum(one)}"
    yield ""


def as_markdown(one: ProfileDiff) -> Iterator[str]:
    """A comparison as a table in Markdown, line by line."""
    yield f"### {printable(_title(one))}"
    yield ""
    if one.error is not None:
        yield f"fatal: `{printable(one.error)}`"
        yield ""
    headings = _headings(one)
    yield f"| {' | '.join(headings)} |"
    yield "|" + "---|" * len(headings)
    for row in one.rows:
        yield "| " + " | ".join(printable(cell).replace("|", "\\|") for cell in _cells(row)) + " |"
    yield ""


def _title(one: ProfileDiff) -> str:
    where = "" if one.carrier == "file" else one.carrier + "  "
    return f"{one.source}  {where}as {one.reader} uses it, against {', '.join(one.profiles)}"


def _headings(one: ProfileDiff) -> tuple[str, ...]:
    shared = ("section", "key", "yours", "from")
    return (*shared, *one.profiles, "why") if len(one.profiles) == 1 else (*shared, *one.profiles)


def _cells(row: Row) -> tuple[str, ...]:
    shared = (f"[{row.section}]", row.key, row.value, row.origin)
    theirs = tuple(map(_cell, row.theirs))
    return (*shared, *theirs, row.theirs[0].why) if len(theirs) == 1 else (*shared, *theirs)


def _cell(theirs: ProfileValue) -> str:
    return f"{SIGNS[theirs.standing]} {theirs.value}".rstrip() if theirs.standing else ""


def _sum(one: ProfileDiff) -> str:
    """How many keys differ, for each profile."""
    parts = []
    for number, name in enumerate(one.profiles):
        standings = [row.theirs[number].standing for row in one.rows]
        said = sum(1 for standing in standings if standing in (SAME, DIFFERS))
        parts.append(f"{standings.count(DIFFERS)} of {said} differ from {name}")
    return ", ".join(parts)
