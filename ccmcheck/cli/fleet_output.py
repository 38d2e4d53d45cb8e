"""What ``cluster fleet`` and ``cluster merge`` print, and their exit codes."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.given import flag, number, texts
from ccmcheck.cli.options import Given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ccmcheck.cli.output import Destination, Outputs
    from ccmcheck.cluster.fleet.forms import TableNotes
    from ccmcheck.cluster.fleet.record import Record
    from ccmcheck.cluster.fleet.summary import FleetSummary

FORMATS = ("text", "json", "ndjson")
FOUND, UNREADABLE = 1, 3
_LINE_SECONDS = 30.0


class FleetOutputArguments(Given):
    """What is shown of many clusters."""

    details = texts()
    max_clusters = number()
    exit_zero = flag()


class FleetProgress:
    """Tells on standard error how far a fleet is: a bar on a terminal, else a line now and then.

    Args:
        wanted: Whether to tell anything.
        total: How many clusters.
    """

    def __init__(self, total: int, *, wanted: bool) -> None:
        self._total = total
        self._failed = 0
        self._bar = console.ProgressBar("clusters") if wanted and console.is_terminal(sys.stderr) else None
        self._next = time.monotonic() + _LINE_SECONDS if wanted and self._bar is None else None

    def __call__(self, done: int, *, failed: bool) -> None:
        """One more is done."""
        self._failed += failed
        if self._bar is not None:
            self._bar(done, self._total)
        elif self._next is not None and time.monotonic() >= self._next:
            self._next = time.monotonic() + _LINE_SECONDS
            console.warn(f"{done:,} of {self._total:,} clusters, {self._failed:,} not read")

    def clear(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.clear()


def write_fleet(
    outputs: Outputs,
    summary: FleetSummary,
    records: Callable[[], Iterable[Record]],
    notes: TableNotes,
    given: FleetOutputArguments,
) -> None:
    """Write all reports.

    Args:
        outputs: Where to.
        summary: The fleet.
        records: All records.
        notes: What stands around.
        given: What is shown.
    """
    from ccmcheck.cluster.fleet.forms import MOST_ROWS, as_json, as_text

    def report(destination: Destination) -> Iterator[str]:
        if destination.format == "json":
            return as_json(summary, records, notes)
        if destination.format == "ndjson":
            return _lines(summary, records, notes)
        return as_text(
            summary,
            records,
            notes,
            most_rows=MOST_ROWS if given.max_clusters is None else given.max_clusters,
            details=("*",) if given.verbose else given.details,
            width=destination.width,
        )

    outputs.write(report)


def _lines(summary: FleetSummary, records: Callable[[], Iterable[Record]], notes: TableNotes) -> Iterator[str]:
    from ccmcheck.cluster.fleet.forms import summary_line
    from ccmcheck.cluster.fleet.results import Header, cluster_line, end_line, header_line

    header = Header("0/1", summary.totals.clusters, "")
    yield header_line(header)
    for record in records():
        yield cluster_line(record)
    yield summary_line(summary, notes)
    yield end_line(header, summary.totals.clusters)


def exit_code(summary: FleetSummary, notes: TableNotes, fail_on: Severity) -> int:
    """3 where something was not read, else 1 where there are findings or Services that do not work, else 0."""
    totals = summary.totals
    if totals.failed or totals.partial or not notes.complete:
        return UNREADABLE
    is_found = summary.worst >= fail_on
    is_broken = totals.broken or summary.across
    return FOUND if is_found or (is_broken and fail_on <= Severity.ERROR) else 0
