"""What ``cluster fix`` says of each object: its difference when it is known, or everything as JSON at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.cli import console
from ccmcheck.cli.fix_file import fix_notes
from ccmcheck.cluster.fixing.verdict import FixVerdict
from ccmcheck.cluster.live.places import LivePlaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.result import Failure
    from ccmcheck.cli.cluster_fix_arguments import ClusterFixArguments
    from ccmcheck.cli.cluster_fix_write import FixWriter
    from ccmcheck.cluster.fixing.plan import FixedObject, Planned
    from ccmcheck.cluster.live.snapshot import Snapshot

IMMUTABLE = "it is immutable, so the API server accepts no change of it"


class ClusterFixOutput:
    """Says what becomes of the objects, in their order; stderr is the same in every format.

    Args:
        arguments: The options.
        snapshot: What was read.
        color: Whether differences have colours.

    Attributes:
        changes: What the fixes change.
        failures: What could not be read or made.
        fatal: The objects at whose text the CCM stops, as it is after the fixes.
    """

    def __init__(self, arguments: ClusterFixArguments, snapshot: Snapshot, *, color: bool) -> None:
        self.changes: list[FixedObject] = []
        self.failures: list[Failure] = list(snapshot.failures)
        self.fatal: set[str] = set()
        self._given = arguments
        self._snapshot = snapshot
        self._color = color
        self._is_json = "json" in arguments.formats
        self._places = LivePlaces(snapshot.files)
        self._objects: list[dict[str, object]] = []
        self._made = self._dropped = 0
        if not self._is_json:
            console.write([snapshot.identity.line + "\n"])

    def add(self, planned: Planned) -> None:
        """Show one object: what changes, what is to know of that, and which fixes cannot be made."""
        result, change = planned.result, planned.change
        self.failures += planned.failures
        if result is None:
            return
        subject = self._places.subject(result.path)
        if planned.is_fatal:
            self.fatal.add(subject)
        fixed = fix_notes(result.done, self._places.place) if change is not None else ()
        unfixed = fix_notes(result.dropped, self._places.place)
        if change is not None:
            self.changes.append(change)
            self._show(change)
        self._made += len(fixed)
        self._dropped += len(unfixed)
        if not self._given.quiet:
            for fix in unfixed:
                console.warn(fix.text)
        if change is not None or unfixed:
            verdict = change.verdict if change is not None else FixVerdict((), ())
            refused = [] if self._given.take_ownership else [*verdict.refused]
            self._objects.append(
                {
                    "object": subject,
                    "changed": change is not None,
                    "keys": [*change.keys] if change is not None else [],
                    "fixed": [fix._asdict() for fix in fixed],
                    "not_fixed": [fix._asdict() for fix in unfixed],
                    "refused": [IMMUTABLE] * (change is not None and change.is_immutable) + refused,
                    "notes": [*verdict.notes],
                }
            )

    def _show(self, change: FixedObject) -> None:
        lines = console.painted_diff(change.diff, color=self._color)
        if not self._is_json:
            console.write(["\n", *lines])
        elif self._given.write and not self._given.yes:  # whoever is asked sees what is written
            click.echo("".join(lines), err=True, nl=False)
        if change.is_immutable:
            for line in _steps(change):
                console.warn(line)
        if not self._given.take_ownership:
            for reason in change.verdict.refused:
                console.warn(f"{change.subject} is not written: {reason}. --take-ownership writes it all the same.")
        if not self._given.quiet:
            for note in change.verdict.notes:
                console.warn(f"{change.subject}: {note}.")

    def sum_up(self) -> None:
        """Say what could not be read, and what would change."""
        for failure in self.failures:
            console.warn(f"{failure.path}: {failure.message}" + (f". {failure.hint}" if failure.hint else ""))
        if self._given.quiet or (self._given.write and self.changes):
            return
        findings = f"{self._made} finding{'' if self._made == 1 else 's'} would be fixed"
        objects = f"{len(self.changes)} object{'' if len(self.changes) == 1 else 's'}"
        left = f", {self._dropped} left to do by hand" if self._dropped else ""
        hint = "  Write with --write." if self.changes else ""
        console.warn(f"{findings} in {objects}{left}.{hint}")

    def close(self, writer: FixWriter | None = None) -> None:
        """Print the JSON where that is asked for.

        Args:
            writer: What wrote the changes; None where nothing was to be written.
        """
        if not self._is_json:
            return
        from ccmcheck.redact.report import redact_report
        from ccmcheck.report.records import dumped_lines

        written = writer.written if writer is not None else {}
        failures = self.failures + (writer.failures if writer is not None else [])
        document = {
            "version": 1,
            "cluster": self._snapshot.identity._asdict(),
            "objects": [{**one, "written": one["object"] in written} for one in self._objects],
            "restarted": [*writer.restarted] if writer is not None else [],
            "failures": [{"path": one.path, "message": one.message, "hint": one.hint} for one in failures],
            "summary": {
                "fixed": self._made,
                "by_hand": self._dropped,
                "objects": len(self.changes),
                "written": len(written),
            },
        }
        console.write([dumped_lines(redact_report(document, self._snapshot.conf_texts))])


def _steps(change: FixedObject) -> Iterator[str]:
    """How an immutable object is replaced; its text is never shown."""
    request = change.request
    kind, name, namespace = request.resource.removesuffix("s"), request.name, request.namespace
    yield f"{change.subject} is not written: {IMMUTABLE}. Step by step:"
    yield f"  1. (umask 077; kubectl -n {namespace} get {kind} {name} -o yaml > {name}.yaml)"
    yield f"  2. In {name}.yaml write another name, {name}-2, and delete uid, resourceVersion and creationTimestamp."
    yield f"  3. ccmcheck fix --write {name}.yaml && kubectl create -f {name}.yaml"
    yield f"  4. Name {name}-2 in the volume of the CCM's workload, which restarts it; then delete {name}."
