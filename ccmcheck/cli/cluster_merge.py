"""``ccmcheck cluster merge``: the results of the shards of a fleet as one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import fleet_output
from ccmcheck.cli.options import STDIN
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.running import declared_with

if TYPE_CHECKING:
    from ccmcheck.cluster.fleet.merge import Merged
    from ccmcheck.cluster.fleet.results import Results


class _UnreadableError(WrongUse):
    """A file that is left out."""


_NO_RESULTS = "Write them with cluster fleet --format ndjson, or with --resume FILE."


@declared_with(
    fleet_output.FleetOutputArguments,
    "cluster merge",
    "required_paths fail_on details max_clusters quiet verbose OUTPUTS",
    formats=fleet_output.FORMATS,
    says={"required_paths": "FILE..."},
)
def command(given: fleet_output.FleetOutputArguments) -> int:
    """Join the results of the shards of a fleet into one table, and name the shards that are missing.

    FILE is what `cluster fleet --format ndjson` printed, or a file of its --resume; - is standard input. A cluster that
    is there twice counts with its last result.

    What cannot be read, or holds no results, is named, and the rest is joined.

    Exit code: as for cluster fleet; 3 also where a file is left out, or a shard is missing or not complete.
    """
    from ccmcheck.cluster.fleet.forms import TableNotes
    from ccmcheck.cluster.fleet.merge import Merged
    from ccmcheck.cluster.fleet.results import Header, Results
    from ccmcheck.cluster.fleet.summary import FleetSummary

    paths = given.required_paths
    resolved = resolve_outputs(given, fleet_output.FORMATS)
    merged = Merged()
    summary = FleetSummary()
    with Results("", Header("0/1", 0, "")) as results:
        for path in paths:
            _add(path, merged, results)
        if not merged.shards:
            raise WrongUse("; ".join(merged.notes) or "there are no results", _NO_RESULTS)
        for record in results.records():
            summary.add(record)
        summary.finish(results.records)
        inputs = f"{len(paths)} file{'s' if len(paths) > 1 else ''}"
        shards = f", {merged.shards} shards" if merged.shards > 1 else ""
        notes = TableNotes(f"Fleet: {inputs}{shards}", tuple(merged.notes), merged.is_complete)
        fleet_output.write_fleet(
            resolved,
            summary,
            results.records,
            notes._replace(header="") if given.quiet else notes,
            given,
        )
    return fleet_output.exit_code(summary, notes, given.fail_on or Severity.WARNING)


def _add(path: str, merged: Merged, results: Results) -> None:
    """Add the results of a file, or note that it is left out."""
    try:
        for record in merged.records(_lines(path), "standard input" if path == STDIN else path):
            results.add(record)
    except _UnreadableError as error:
        merged.leave_out(error.message)


def _lines(path: str) -> Iterator[bytes]:
    """The lines of a file, however large it is."""
    from ccmcheck.base.open_input import open_regular
    from ccmcheck.cluster.fleet.results import MOST_OF_A_LINE

    if path == STDIN:
        stream = sys.stdin.buffer
        while line := stream.readline(MOST_OF_A_LINE + 1):
            yield line
        return
    try:
        opened, _ = open_regular(path)
    except OSError as error:
        raise _UnreadableError(f"{path} cannot be read: {(error.strerror or 'unknown reason').lower()}") from None
    except InputError as error:
        raise _UnreadableError(f"{path} cannot be read: {error.message}") from None
    with os.fdopen(opened, "rb") as file:
        while line := file.readline(MOST_OF_A_LINE + 1):
            yield line
