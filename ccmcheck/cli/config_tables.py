"""The tables of ``show``: the effective configuration, alone or beside profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.policy.profiles.diff import DIFFERS, NOT_APPLICABLE, SAME, UNKNOWN, ProfileDiff, ProfileRow, ProfileValue
from ccmcheck.report.document import blocks as b

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.effective_report import EffectiveReport, EffectiveValue

    ConfigTable: TypeAlias = EffectiveReport | ProfileDiff

SIGNS = {SAME: "=", DIFFERS: "≠", UNKNOWN: "?", NOT_APPLICABLE: "·"}


def as_data(table: ConfigTable) -> dict[str, object]:
    """A table as plain data, for JSON."""
    if isinstance(table, ProfileDiff):
        rows = [{**row._asdict(), "theirs": [theirs._asdict() for theirs in row.theirs]} for row in table.rows]
    else:
        rows = [row._asdict() for row in table.rows]
    return {**table._asdict(), "rows": rows}


def blocks(table: ConfigTable) -> b.ReportSection:
    """A table with its title, and the error that ends the reading."""
    where = "" if table.carrier == "file" else f"{table.carrier}  "
    against = f", against {', '.join(table.profiles)}" if isinstance(table, ProfileDiff) else ""
    title = f"{table.source}  {where}as {table.reader} uses it{against}"
    inside = _compared(table) if isinstance(table, ProfileDiff) else _effective(table)
    error = () if table.error is None else (b.Paragraph((b.Badge("fatal", "bad"), ": ", table.error)),)
    return b.ReportSection(title, (*error, *inside))


def _effective(table: EffectiveReport) -> Iterator[b.Block]:
    yield b.Table("", ("section", "key", "value", "default", "from", "known in"), tuple(map(_cells, table.rows)))


def _cells(row: EffectiveValue) -> tuple[str, ...]:
    known = f"{row.since} to {row.until}" if row.until else f"{row.since} and newer"
    return f"[{row.section}]", row.key, row.value or " ", row.default or " ", row.origin, known


def _compared(table: ProfileDiff) -> Iterator[b.Block]:
    if not table.rows:
        yield b.Paragraph(f"{'they say' if len(table.profiles) > 1 else 'it says'} nothing of any key")
        return
    is_alone = len(table.profiles) == 1
    heads = ("section", "key", "yours", "from", *table.profiles, *(("why",) if is_alone else ()))
    yield b.Table("", heads, tuple(_beside(row, is_alone=is_alone) for row in table.rows))
    yield b.Paragraph(_sum(table))


def _beside(row: ProfileRow, *, is_alone: bool) -> tuple[str, ...]:
    why = (row.theirs[0].why or " ",) if is_alone else ()
    return f"[{row.section}]", row.key, row.value or " ", row.origin, *map(_cell, row.theirs), *why


def _cell(theirs: ProfileValue) -> str:
    return f"{SIGNS[theirs.standing]} {theirs.value}".rstrip() if theirs.standing else " "


def _sum(table: ProfileDiff) -> str:
    """How many keys differ, for each profile."""
    parts = []
    for number, name in enumerate(table.profiles):
        standings = [row.theirs[number].standing for row in table.rows]
        said = sum(1 for standing in standings if standing in (SAME, DIFFERS))
        parts.append(f"{standings.count(DIFFERS)} of {said} differ from {name}")
    return ", ".join(parts)
