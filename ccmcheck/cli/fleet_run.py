"""Runs ``cluster fleet``: finds the clusters, reads them side by side, and writes the reports."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.budget import OVER, cut
from ccmcheck.base.cluster_facts import NO_FACTS
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.fleet_options import FleetArguments, FleetJudge, open_management, trust_of
from ccmcheck.cli.fleet_output import FleetProgress, exit_code, write_fleet
from ccmcheck.cli.options import STDIN
from ccmcheck.cli.output import Outputs
from ccmcheck.cluster.access.errors import name_cluster
from ccmcheck.cluster.access.kubeconfig import user_paths
from ccmcheck.cluster.access.transport import Transport
from ccmcheck.cluster.fleet.connection import Patience
from ccmcheck.cluster.fleet.examine import Examiner
from ccmcheck.cluster.fleet.files import Contexts, KubeconfigFolder
from ccmcheck.cluster.fleet.forms import TableNotes, summary_line
from ccmcheck.cluster.fleet.management import SHARED, Management
from ccmcheck.cluster.fleet.management_side import lint_side, read
from ccmcheck.cluster.fleet.record import FAILED, Record, failed
from ccmcheck.cluster.fleet.results import Header, Results, cluster_line, end_line, header_line
from ccmcheck.cluster.fleet.summary import FleetSummary
from ccmcheck.cluster.fleet.targets import ClusterSource, ClusterTarget, Shard
from ccmcheck.cluster.fleet.workers import WorkerLimits, spread
from ccmcheck.cluster.live.snapshot import ClusterReader
from ccmcheck.report import reporter
from ccmcheck.report.options import ReportOptions

UNREADABLE = 3


def run_fleet(arguments: FleetArguments, judge: FleetJudge, outputs: Outputs, part: Shard) -> int:
    """Read the clusters, report, and return the exit code.

    Args:
        arguments: What is asked for.
        judge: The options of the rules.
        outputs: Where the reports go.
        part: The part of the fleet that this run is about.

    Raises:
        CcmcheckError: The clusters cannot be listed.
    """
    source, header, management = fleet_source(arguments)
    try:
        targets = [target for target in source.targets() if part.has(target)]
        delivered, notes = _delivered(management, targets, arguments) if management is not None else ({}, [])
    finally:
        if management is not None:
            management.close()  # each process opens its own connection
    if not targets and part.total == 1:
        raise WrongUse(f"{header} has no cluster", "Look at --selector, --namespace and the kubeconfigs.")
    if part.total > 1:
        header += f", shard {part}"
    patience = Patience(arguments.timeout, arguments.cluster_timeout)
    run = _Run(Examiner(source, judge, patience, arguments.ccm_namespaces, delivered), arguments)
    summary, written = run(targets, outputs, header, notes, str(part))
    code = exit_code(summary, written, arguments.fail_on or Severity.WARNING)
    is_for_merge = outputs.main.format == "ndjson"  # which gives the verdict: a pod with another code is run again
    return 0 if arguments.exit_zero and (is_for_merge or code != UNREADABLE) else code


def fleet_source(arguments: FleetArguments) -> tuple[ClusterSource, str, Management | None]:
    """Where the clusters come from, that in words, and the management cluster if it is one.

    Raises:
        CcmcheckError: It cannot be reached.
    """
    trust = trust_of(arguments)
    if arguments.management:
        connection, context = open_management(arguments)
        with name_cluster(context, connection.server):
            identity = ClusterReader(Transport(connection), context).identity()
        source = Management(connection, trust, arguments.cluster_namespaces, arguments.selector)
        return source, f"Fleet: management cluster, {identity.line.removeprefix('Cluster: ')}", source
    folder = arguments.kubeconfig_dir
    if folder:
        return KubeconfigFolder(folder, trust, everything=arguments.all_contexts), f"Fleet: {folder}", None
    paths = ":".join(user_paths(arguments.kubeconfig))
    return Contexts(paths, arguments.contexts, trust), f"Fleet: contexts of {paths}", None


def run_management_only(arguments: FleetArguments, judge: FleetJudge, outputs: Outputs) -> int:
    """Judge what the management side says, and return the exit code.

    Raises:
        CcmcheckError: It cannot be reached.
    """
    _, header, management = fleet_source(arguments)
    if management is None:
        return UNREADABLE
    try:
        targets = management.targets()
        side = read(management.transport, targets, arguments.cluster_namespaces)
    finally:
        management.close()
    options_of_run, _ = judge(NO_FACTS, ())
    result = lint_side(side, options_of_run, f"{header}, {len(targets):,} Clusters, their management side alone")
    fail_on = arguments.fail_on or Severity.WARNING
    outputs.write(
        lambda destination: reporter(destination.format)(
            ReportOptions(
                color=destination.color,
                verbose=arguments.verbose,
                quiet=arguments.quiet,
                width=destination.width,
                fail_on=fail_on,
            )
        ).report(result)
    )
    if result.failures:
        return UNREADABLE
    is_found = any(finding.severity >= fail_on for finding in result.findings)
    return 1 if is_found and not arguments.exit_zero else 0


def _delivered(
    management: Management, targets: list[ClusterTarget], arguments: FleetArguments
) -> tuple[dict[tuple[str, str], str], list[str]]:
    """Who delivers what to which cluster, and what there is to say of it."""
    side = read(management.transport, targets, arguments.cluster_namespaces)
    notes = [f"Note: {SHARED}."]
    if side.failures:
        first = side.failures[0]
        more = f", and {len(side.failures) - 1} more" if len(side.failures) > 1 else ""
        notes.append(f"The management side could not be read completely: {first.path}: {first.message}{more}.")
    return side.delivered, notes


class _Run:
    """Reads clusters and writes the reports.

    Args:
        examine: Makes the record of a cluster.
        arguments: What is asked for.
    """

    def __init__(self, examine: Examiner, arguments: FleetArguments) -> None:
        self._examine = examine
        self._arguments = arguments

    def __call__(
        self, targets: list[ClusterTarget], outputs: Outputs, title: str, lines: list[str], part: str
    ) -> tuple[FleetSummary, TableNotes]:
        """Read them all, and write the reports."""
        arguments = self._arguments
        summary = FleetSummary()
        header = Header(part, len(targets), arguments.digest)
        is_streamed = outputs.main.format == "ndjson" and outputs.main.path == STDIN
        if not arguments.quiet and outputs.main.format != "text":
            console.warn(title)
        with Results(self._arguments.resume, header) as results:
            results.forget([target.key for target in targets])
            self._read(targets, header, results, summary, stream=is_streamed)
            results.end(header)
            summary.finish(results.records)
            notes = TableNotes(title, () if arguments.quiet else tuple(lines))
            if is_streamed:
                console.write([summary_line(summary, notes), end_line(header, header.clusters)])
            write_fleet(
                # the main report of a stream was written while the clusters came
                outputs._replace(destinations=outputs.destinations[1:]) if is_streamed else outputs,
                summary,
                results.records,
                notes,
                arguments,
            )
        return summary, notes

    def _read(
        self, targets: list[ClusterTarget], header: Header, results: Results, summary: FleetSummary, *, stream: bool
    ) -> None:

        if stream:
            console.write([header_line(header)])
        for record in self._records(targets, results):
            summary.add(record)
            if stream:
                console.write([cluster_line(record)])

    def _records(self, targets: list[ClusterTarget], results: Results) -> Iterator[Record]:
        """The records: those of an earlier run, then the others as they come."""
        left = [target for target in targets if target.key not in results.done]
        yield from (record for record in results.records() if record["key"] in results.done)
        limits = WorkerLimits(
            self._arguments.at_once, self._arguments.jobs, self._arguments.cluster_timeout + self._arguments.timeout
        )
        progress = FleetProgress(len(targets), wanted=not self._arguments.quiet)
        done = len(targets) - len(left)

        if limits.processes_for(len(left)) > 1:
            self._examine.prepare()

        def give_up(target: ClusterTarget, why: str) -> Record:
            return failed(target, why, "")

        missing = {target.key: target for target in left}
        try:
            for record in spread(self._examine, give_up, left, limits):
                results.add(record)
                done += 1
                progress(done, failed=record["state"] == FAILED)
                missing.pop(record["key"], None)
                yield record
        except OVER as error:
            said, hint = cut(error, f"{len(missing):,} of {len(targets):,} clusters were not read")
            for target in missing.values():
                record = failed(target, said, hint)
                results.add(record)
                yield record
        finally:
            progress.clear()
