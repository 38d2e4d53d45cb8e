"""What a cloud.conf means after an upgrade of the CCM: keys, behaviour, and the findings that come and go with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import gcfg
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import find
from ccmcheck.catalog.data.upgrades import FLAG_VALUES_GONE, FLAGS_GONE
from ccmcheck.catalog.upgrade_path import release_ranges, upgrade_path
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.redact.masker import Masker
from ccmcheck.review.upgrade.behaviour_changes import BehaviourEffect, behaviour_effects
from ccmcheck.review.upgrade.conditions import Case, shared_balancers
from ccmcheck.review.upgrade.keys import KeyChange, key_changes
from ccmcheck.review.upgrade.service import ServiceEffect, service_effects
from ccmcheck.review.upgrade.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.base.model import Finding
    from ccmcheck.carriers.base import CarriedConf, CcmPod
    from ccmcheck.catalog import Release
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.file_analysis import LocatedProblem
    from ccmcheck.predict.inputs.cloud_state import Node
    from ccmcheck.predict.inputs.service import Service

__all__ = ["FlagChange", "KeyChange", "Upgrade", "upgrade", "upgrade_path"]

ABOUT_LATER_RELEASES = frozenset({"key-too-new", "upgrade-turns-fatal"})
"""Rules about what a later release does; on the way to it the keys themselves are reported."""
TOLD_BY_KEYS = frozenset({"key-removed"})
"""Rules that say of a line what its key's change says already."""
TOLD_BY_TURNS = {"manage-sg-release": "managed-groups-"}
"""Rules that say what a change of behaviour says, with how such behaviours' names begin."""
_RELEASE = lazy_regex(r"CCM [\w.-]+")


class FlagChange(NamedTuple):
    """One flag of the CCM's command line that ends it after the upgrade.

    Attributes:
        flag: With its hyphens, and with its value where other values are fine.
        subject: The workload that gives it.
        since: The first release on the way that does not know or accept it.
        do: What to do.
    """

    flag: str
    subject: str
    since: str
    do: str


class ReleaseFindings:
    """The findings of each cloud.conf of a file under the old release and the new; the file is searched once.

    Args:
        linters: They judge by one release each.
    """

    def __init__(self, *linters: Linter) -> None:
        self._linters = linters
        self._file: tuple[str, str] | None = None
        self._numbers: dict[tuple[str, int, str], int] = {}
        self._problems: list[dict[int, list[LocatedProblem]]] = []

    def of(self, path: str, carried: CarriedConf) -> list[list[Finding]]:
        """The findings of one cloud.conf.

        Args:
            path: The file.
            carried: The cloud.conf; those of one file one after another.

        Returns:
            Those of each linter.
        """
        file = (path, carried.stack.text)
        if file != self._file:
            self._file = file
            self._search(*file)
        number = self._numbers.get(_name_of(carried), 0)
        return [[problem.finding for problem in problems.get(number, ())] for problems in self._problems]

    def _search(self, path: str, text: str) -> None:
        contents = find(path, text, self._linters[0].find_options(path, explicit=True))
        self._numbers, self._problems = {}, []
        for number, one in enumerate(contents.carried):
            self._numbers.setdefault(_name_of(one), number)
        for linter in self._linters:
            problems: dict[int, list[LocatedProblem]] = {}
            for problem in linter.examine(path, text, explicit=True, contents=contents).problems:
                problems.setdefault(problem.number, []).append(problem)
            self._problems.append(problems)


def _name_of(carried: CarriedConf) -> tuple[str, int, str]:
    """What tells the cloud.confs of a file apart; those with one route and text have the same findings."""
    return carried.route, carried.document, carried.text


class Upgrade(NamedTuple):
    """What one cloud.conf means before and after.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        error_before: What stops the CCM of the old release; None where nothing does.
        error_after: The same for the new one.
        fatal_since: The first release on the way that the CCM stops in, where it did not before.
        keys: What changes, key by key.
        appear: Findings of the new release that the old one does not have, without those covered by other fields.
        gone: Findings of the old release that the new one has not, likewise.
        fatal_between: Releases that the CCM stops in though it does so at neither end, each with its error.
        turns: Changes of behaviour that no key shows, the worst first.
        services: What becomes of each Service.
        flags: Flags of the CCM's command line that end it.
    """

    source: str
    carrier: str
    error_before: str | None
    error_after: str | None
    fatal_since: str
    keys: tuple[KeyChange, ...]
    appear: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    fatal_between: tuple[tuple[str, str], ...] = ()
    turns: tuple[BehaviourEffect, ...] = ()
    services: tuple[ServiceEffect, ...] = ()
    flags: tuple[FlagChange, ...] = ()

    @property
    def is_quiet(self) -> bool:
        """Whether the upgrade changes nothing for this file."""
        changes = (
            self.keys or self.turns or self.services or self.flags or self.appear or self.gone or self.fatal_between
        )
        return not changes and self.error_before == self.error_after


def upgrade(
    path: str,
    carried: CarriedConf,
    on_the_way: Sequence[Release],
    judge: ReleaseFindings | None,
    services: Mapping[str, Service] | None = None,
    cloud: CloudState | None = None,
    pods: Sequence[CcmPod] = (),
) -> Upgrade:
    """Compare one cloud.conf under two releases.

    Args:
        path: The file.
        carried: The cloud.conf.
        on_the_way: The releases, oldest first, as `way` gives them.
        judge: The findings under the old release and under the new; None where they do not matter.
        services: The Services by what to call them, where some are known.
        cloud: What is known of the cloud and the cluster; None for nothing.
        pods: The CCM's workloads that the file may be for.
    """
    document = gcfg.parse(carried.stack.inner)
    scrub = Masker(carried.text).scrub
    steps = [Step(carried, document, release) for release in on_the_way]
    first, last = steps[0], steps[-1]
    around = cloud or CloudState()
    known = services or {}
    case = Case(
        first.options,
        last.options,
        first.has_login,
        around.node_count,
        _labels(around.nodes),
        {name: setting.value for name, setting in first.settings.items()},
        shared_balancers(known.values()),
    )
    keys = tuple(key_changes(carried, steps, case, known))
    behaviour_changes = behaviour_effects(on_the_way, case, known)
    judged = judge.of(path, carried) if judge is not None else ([], [])
    found = [{_known_by(finding): finding for finding in findings} for findings in judged]
    return Upgrade(
        path,
        scrub(carried.route) or carried.carrier,
        scrub(first.error) if first.error is not None else None,
        scrub(last.error) if last.error is not None else None,
        _fatal_since(steps),
        keys,
        tuple(
            _further((finding for name, finding in found[1].items() if name not in found[0]), keys, behaviour_changes)
        ),
        tuple(
            finding
            for finding in _further(
                (one for name, one in found[0].items() if name not in found[1]), keys, behaviour_changes
            )
            if finding.rule not in ABOUT_LATER_RELEASES
        ),
        tuple((where, scrub(error)) for where, error in _fatal_between(steps)),
        behaviour_changes,
        tuple(change for service in known.values() for change in service_effects(case, service, around)),
        tuple(_flags(pods, on_the_way)),
    )


def _labels(nodes: Sequence[Node] | None) -> tuple[Mapping[str, str], ...] | None:
    if nodes is None or any(node.made_up for node in nodes):
        return None
    return tuple(node.labels for node in nodes)


def _flags(pods: Sequence[CcmPod], on_the_way: Sequence[Release]) -> Iterator[FlagChange]:
    for pod in pods:
        gone = {f"--{name}": FLAGS_GONE.get(name, ("", "")) for name in pod.flags}
        gone |= {f"--{name}={value}": FLAG_VALUES_GONE.get((name, value), ("", "")) for name, value in pod.choices}
        for shown, (since, do) in gone.items():
            if since and not on_the_way[0].at_least(since) and on_the_way[-1].at_least(since):
                yield FlagChange(shown, pod.subject, since, do)


def _fatal_since(steps: Sequence[Step]) -> str:
    """From which release on the CCM stops; empty where it stops at the beginning already, or not at the end."""
    since = ""
    for step in reversed(steps) if steps[0].error is None else ():
        if step.error is None:
            break
        since = step.release.name
    return since


def _fatal_between(steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    if steps[0].error is not None or steps[-1].error is not None:
        return
    on_the_way = [step.release for step in steps]
    for error in dict.fromkeys(step.error for step in steps if step.error is not None):
        yield release_ranges([step.release for step in steps if step.error == error], on_the_way), error


def _further(
    findings: Iterator[Finding], keys: Sequence[KeyChange], behaviour_changes: Sequence[BehaviourEffect]
) -> Iterator[Finding]:
    """The findings that say something that the keys and the changes of behaviour do not."""
    lines = {change.line for change in keys}
    for finding in findings:
        beginning = TOLD_BY_TURNS.get(finding.rule)
        if beginning is not None and any(
            behaviour_change.behaviour.startswith(beginning) for behaviour_change in behaviour_changes
        ):
            continue
        if finding.rule not in TOLD_BY_KEYS or finding.place.inner_line not in lines:
            yield finding


def _known_by(finding: Finding) -> tuple[str, int, int, str]:
    """What a finding is known by under another release; the release's own name in it does not count."""
    label = _RELEASE.sub("CCM", finding.label)
    return (finding.rule, finding.place.inner_line, finding.place.inner_column, label)
