"""Lints a snapshot of a cluster: its objects as files of the engine, its facts, its findings by object and field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ccmcheck.cluster.core import NamedTuple, lint_results, lint_texts, live_records, run_options
from ccmcheck.cluster.live.checks import checks
from ccmcheck.cluster.live.places import LivePlaces
from ccmcheck.cluster.live.restart import known
from ccmcheck.cluster.live.snapshot import Snapshot, region_in


class LiveOctavia(NamedTuple):
    """What was read and compared.

    Attributes:
        balancers: By the Services' subjects.
        failures: What could not be read or judged.
        line: Which cloud and project were asked.
    """

    balancers: Mapping[str, live_records.LiveBalancer] = {}
    failures: tuple[lint_results.Failure, ...] = ()
    line: str = ""


PARTIAL = "This is a partial result: what could not be read is not judged"


def lint(
    snapshot: Snapshot,
    options: run_options.RunOptions,
    progress: Callable[[int, int], None] | None = None,
    octavia: LiveOctavia | None = None,
) -> lint_results.LintResult:
    """Lint everything that was read; Services that are alike once, where there is nothing to say of them.

    Args:
        snapshot: What was read.
        options: What was asked for.
        progress: Called with the number of objects done and of all objects.
        octavia: The load balancers of its Services, which are compared one by one; None where Octavia is not asked.
    """
    baseline = options.baseline
    recorded = baseline is not None and baseline.is_about(file.subject for file in snapshot.files)
    if snapshot.alike and octavia is None and not recorded:
        return _lint_once(snapshot, options, progress)
    return _lint_each(snapshot, options, progress, octavia)


def _lint_once(
    snapshot: Snapshot, options: run_options.RunOptions, progress: Callable[[int, int], None] | None
) -> lint_results.LintResult:
    """Lint one of those that are alike; all of them where something is said of it, or is suppressed."""
    groups: dict[str, list[int]] = {}
    for number, likeness in enumerate(snapshot.alike):
        groups.setdefault(likeness or str(number), []).append(number)
    chosen = {numbers[0] for numbers in groups.values()}
    result = _lint_each(_with(snapshot, chosen), options, progress)
    seconds = result.summary.seconds
    reported = {finding.place.path for finding in result.findings} | {failure.path for failure in result.failures}
    more = {
        number
        for numbers in groups.values()
        if len(numbers) > 1 and (result.summary.suppressed or snapshot.service(numbers[0]).subject in reported)
        for number in numbers
    }
    if more:
        chosen |= more
        result = _lint_each(_with(snapshot, chosen), options, progress)
        seconds += result.summary.seconds
    left_out = len(snapshot.alike) - len(chosen)
    summary = result.summary
    return result._replace(
        summary=summary._replace(files=summary.files + left_out, services=summary.services + left_out, seconds=seconds)
    )


def _with(snapshot: Snapshot, numbers: set[int]) -> Snapshot:
    return snapshot._replace(services=tuple(snapshot.service(number) for number in sorted(numbers)), alike=())


def _lint_each(
    snapshot: Snapshot,
    options: run_options.RunOptions,
    progress: Callable[[int, int], None] | None = None,
    octavia: LiveOctavia | None = None,
) -> lint_results.LintResult:
    files = snapshot.files
    owners = {f"Service {title}": service.owner for title, service in snapshot.live.items() if service.owner}
    places = LivePlaces(files, owners)
    texts = {file.path: file.text.encode() for file in files}
    options = live_options(snapshot, options, octavia)._replace(finished=places.file_result)
    header = snapshot.identity.line
    if octavia is not None:
        header = f"{header}; {octavia.line}"
        snapshot = snapshot._replace(failures=(*snapshot.failures, *octavia.failures))
    result = lint_texts.run_texts(texts, options, progress, snapshot.pod_owners)
    summary = places.summary(result.summary)
    warnings = (*summary.warnings, PARTIAL) if snapshot.failures else summary.warnings
    return result._replace(
        failures=[*snapshot.failures, *result.failures],
        summary=summary._replace(
            header=header,
            cluster=snapshot.identity.uid,
            context=snapshot.identity.context,
            checks=tuple(checks(snapshot)),
            warnings=warnings,
            notes=(*summary.notes, *_unread(snapshot)),
        ),
    )


def _unread(snapshot: Snapshot) -> Iterator[str]:
    """What would say more, and could not be read."""
    for what, why in snapshot.unread.items():
        yield f"{what} could not be read ({why}): what it would say stays unknown"


def live_options(
    snapshot: Snapshot, options: run_options.RunOptions, octavia: LiveOctavia | None = None
) -> run_options.RunOptions:
    """The options of a run with what its rules need to know about the running CCMs and their load balancers."""
    ccms = {health.subject: health for health in snapshot.ccm_health}
    live = live_records.LiveCluster(
        tuple(map(known, snapshot.configs)),
        snapshot.live,
        snapshot.nodes,
        ccms=ccms,
        region=region_in(snapshot.configs),
    )
    if octavia is not None:
        live = live._replace(balancers=octavia.balancers)
    return options._replace(run_context=options.run_context._replace(live=live))
