"""A fleet as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ccmcheck import __version__
from ccmcheck.cluster.core import NamedTuple, columns, json_text, printable
from ccmcheck.cluster.fleet.record import FAILED, PARTIAL, Record
from ccmcheck.cluster.fleet.results import VERSION, line_of
from ccmcheck.cluster.fleet.summary import SHARED_KINDS, ClusterRow, FindingGroup, FleetSummary, Shared, rows_to_show

MOST_ROWS = 50
MOST_GROUPS = 30
MOST_SHARED = 30
_HEADINGS = (
    "CLUSTER", "CCM", "RELEASE", "FATAL", "ERRORS", "WARNINGS", "SERVICES", "BROKEN", "RESTART", "DIFFER", "REACHABLE",
)  # fmt: skip
_NUMBERS = frozenset({"FATAL", "ERRORS", "WARNINGS", "SERVICES", "BROKEN"})
_WIDEST = 48
_REACHABLE = {FAILED: "no", PARTIAL: "partly"}


class TableNotes(NamedTuple):
    """What stands around a table.

    Attributes:
        header: The first line: which fleet it is.
        lines: What else is to be said.
        complete: False where clusters or shards are missing altogether.
    """

    header: str = ""
    lines: tuple[str, ...] = ()
    complete: bool = True


def as_text(
    summary: FleetSummary,
    records: Callable[[], Iterable[Record]],
    notes: TableNotes,
    *,
    most_rows: int = MOST_ROWS,
    details: Sequence[str] = (),
    width: int = 0,
) -> Iterator[str]:
    """The table, then what clusters share, then what many have in common.

    Args:
        summary: The fleet.
        records: All records.
        notes: What stands around.
        most_rows: Rows of the table; 0 for all.
        details: Names of clusters whose findings are printed, with wildcards.
        width: Columns to write for; 0 for any.
    """
    if notes.header:
        yield f"{printable(notes.header)}\n"
    yield f"{_totals(summary)}\n"
    yield from (f"{printable(line)}\n" for line in notes.lines)
    rows = list(rows_to_show(summary.rows, most_rows))
    if rows:
        yield "\n"
        yield from (f"{line}\n" for line in _table(rows))
    clean = sum(row.is_clean for row in summary.rows)
    more = len(summary.rows) - clean - len(rows)
    if more:
        yield f"{more:,} more clusters with something to say: --max-clusters 0 shows them.\n"
    if clean:
        yield f"{clean:,} cluster{'s' if clean > 1 else ''} without findings.\n"
    if summary.twins:
        shown = ", ".join(f"{printable(name)} is {printable(first)}" for name, first in summary.twins[:3])
        rest = f", and {len(summary.twins) - 3:,} more" if len(summary.twins) > 3 else ""
        yield f"Reached twice, counted once: {shown}{rest}.\n"
    yield from _across(summary, width)
    yield from _common(summary.groups, width)
    if details:
        for record in records():
            if any(fnmatchcase(str(record["name"]), pattern) for pattern in details):
                yield from _details(record, width)


def as_json(summary: FleetSummary, records: Callable[[], Iterable[Record]], notes: TableNotes) -> Iterator[str]:
    """One object, a cluster a line."""
    head: dict[str, Any] = {
        "version": VERSION,
        "kind": "fleet",
        "tool_version": __version__,
        "fleet": notes.header,
        "notes": list(notes.lines),
        "complete": notes.complete,
        "summary": summary.totals._asdict(),
        **_together(summary),
        "reached_twice": [{"name": name, "is": first} for name, first in summary.twins],
    }
    yield json_text.dumped(head)[:-1] + ',\n"clusters": ['
    separator = "\n"
    for record in records():
        yield separator + json_text.dumped(record)
        separator = ",\n"
    yield "\n]}\n"


def summary_line(summary: FleetSummary, notes: TableNotes) -> str:
    """The last line of ``ndjson``: what the clusters say together."""
    return line_of(
        {
            "type": "summary",
            "complete": notes.complete,
            "notes": list(notes.lines),
            **summary.totals._asdict(),
            **_together(summary),
        }
    )


def _together(summary: FleetSummary) -> dict[str, object]:
    """What clusters have in common, and what they must not share."""
    return {
        "common": [
            {**group._asdict(), "severity": group.severity.word, "names": list(group.names)} for group in summary.groups
        ],
        "across": [shared.as_record() for shared in summary.across],
    }


def _totals(summary: FleetSummary) -> str:
    totals = summary.totals
    parts = [f"{totals.clusters:,} cluster{'s' if totals.clusters != 1 else ''}: {totals.read:,} read"]
    if totals.partial:
        parts.append(f"{totals.partial:,} read in part")
    if totals.failed:
        parts.append(f"{totals.failed:,} not read")
    said = ", ".join(parts)
    plural = "" if totals.services == 1 else "s"
    services = f"{totals.services:,} Service{plural} of type LoadBalancer, {totals.broken:,} of them do not work"
    compared = f"{totals.differ:,} of {totals.compared:,} differ from the prediction"
    restart = (
        f"{totals.restart:,} CCM{'s' if totals.restart != 1 else ''} need{'' if totals.restart != 1 else 's'} a restart"
    )
    return f"{said}; {services}; {compared}; {restart}."


def _table(rows: Iterable[ClusterRow]) -> Iterator[str]:
    lines = [_HEADINGS, *map(_cells, rows)]
    widths = [max(columns.width_of(line[number]) for line in lines) for number in range(len(_HEADINGS) - 1)]
    for cells in lines:
        padded = [
            " " * (width - columns.width_of(cell)) + cell
            if heading in _NUMBERS
            else cell + " " * (width - columns.width_of(cell))
            for heading, cell, width in zip(_HEADINGS, cells, widths, strict=False)
        ]
        yield "  ".join((*padded, cells[-1])).rstrip()


def _cells(row: ClusterRow) -> tuple[str, ...]:
    reachable = _REACHABLE.get(row.state, "yes")
    message = f"{reachable}: {row.message}" if row.message else reachable
    if row.state == FAILED:
        return (_cut(row.name), *("-" for _ in _HEADINGS[1:-1]), printable(message))
    return (
        _cut(row.name),
        _cut(row.ccm or "-"),
        _cut(row.release or "-"),
        *(str(number) if number else "-" for number in (row.fatal, row.errors, row.warnings)),
        str(row.services),
        str(row.broken) if row.broken else "-",
        row.restart if row.restart not in ("", "no") else "-",
        f"{row.differ} of {row.compared}" if row.differ else "-",
        printable(message),
    )


def _cut(text: str) -> str:
    shown = printable(text)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"


def _across(summary: FleetSummary, width: int) -> Iterator[str]:
    if not summary.across:
        return
    yield "\nShared by clusters that should not share it:\n"
    groups = list(_by_clusters(summary.across).values())
    for shared, *others in groups[:MOST_SHARED]:
        names = ", ".join(map(printable, shared.clusters))
        more = ", …" if shared.total > len(shared.clusters) else ""
        services = f"; Services {', '.join(map(printable, dict.fromkeys(shared.services)))}" if shared.services else ""
        yield from _item(f"{printable(shared.text)} ({names}{more}{services}){_besides(others)}", width)
    rest = len(groups) - MOST_SHARED
    if rest > 0:
        yield f"  {rest:,} more; --format json has all of them.\n"


def _by_clusters(across: Iterable[Shared]) -> dict[tuple[object, ...], list[Shared]]:
    """What the same clusters share, the worst first: one line is enough for them."""
    groups: dict[tuple[object, ...], list[Shared]] = {}
    for shared in across:
        groups.setdefault((shared.clusters, shared.total), []).append(shared)
    return groups


def _besides(others: list[Shared]) -> str:
    """How much more the same clusters share, by its kind."""
    counts = Counter(other.kind for other in others)
    counted = [f"{count:,} {SHARED_KINDS[kind]}{'s' if count > 1 else ''}" for kind, count in counts.items()]
    return f"; they also share {', '.join(counted)}" if counted else ""


def _common(groups: list[FindingGroup], width: int) -> Iterator[str]:
    if not groups:
        return
    yield "\nWhat the clusters have in common, the worst and most frequent first:\n"
    for group in groups[:MOST_GROUPS]:
        count = f"{group.clusters:,} cluster{'s' if group.clusters > 1 else ''}"
        fatal = ", fatal" if group.fatal else ""
        made_by = f", from {printable(group.made_by)}" if group.made_by else ""
        label = printable(group.label) if group.same else f"{printable(group.label)} (and the like)"
        names = ", ".join(map(printable, group.names)) + (", …" if group.clusters > len(group.names) else "")
        yield from _item(f"{count}: {group.severity.word} {group.rule}{fatal}{made_by}: {label} ({names})", width)
    rest = len(groups) - MOST_GROUPS
    if rest > 0:
        yield f"  {rest:,} more; --format json has all of them.\n"


def _details(record: Record, width: int) -> Iterator[str]:
    yield f"\n{printable(record['name'])}: {printable(record['server'] or 'no server')}"
    yield f", kube-system {printable(record.get('uid') or 'of unknown UID')}, read at {record['read_at']}\n"
    if record["state"] == FAILED:
        error = record["error"]
        yield from _item(printable(f"{error['message']}  {error['hint']}".rstrip()), width)
        return
    for finding in record["findings"]:
        places = ", ".join(map(printable, finding["places"]))
        more = f", … ({finding['count']} in all)" if finding["count"] > len(finding["places"]) else ""
        made_by = f", from {printable(finding['made_by'])}" if finding["made_by"] else ""
        said = f"{finding['severity']} {finding['rule']}: {printable(finding['label'])}"
        yield from _item(f"{said} ({places}{more}{made_by})", width)
    for service in record["broken"]:
        yield from _item(
            printable(f"Service {service['service']} does not work, by {service['basis']}: {service['why']}"), width
        )
    for service in record["differing"]:
        yield from _item(printable(f"Service {service['service']}: {service['how']}"), width)
    for failure in record["failures"]:
        yield from _item(printable(f"not read: {failure['path']}: {failure['message']}"), width)


def _item(text: str, width: int) -> Iterator[str]:
    first, *others = columns.wrap(text, max(width - 2, 40) if width else 0)
    yield f"  {first}\n"
    yield from (f"    {line}\n" for line in others)
