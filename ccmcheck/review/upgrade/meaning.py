"""What a cloud.conf means after an upgrade of the CCM: keys, behaviour, and the findings that come and go with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ccmcheck import gcfg
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Finding
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import find
from ccmcheck.carriers.base import CarriedConf, CcmPod, RunContext
from ccmcheck.catalog import Release
from ccmcheck.catalog.data.upgrades import FLAGS_GONE
from ccmcheck.catalog.upgrade_path import release_ranges, upgrade_path
from ccmcheck.conf.target_release import CCM, TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import LocatedProblem
from ccmcheck.lint.settings import Settings
from ccmcheck.predict.inputs.cloud_state import Node
from ccmcheck.predict.inputs.service_conditions import MetCase
from ccmcheck.redact.masker import Masker
from ccmcheck.review.upgrade.behaviour_changes import BehaviourEffect, behaviour_effects
from ccmcheck.review.upgrade.conditions import shared_balancers
from ccmcheck.review.upgrade.keys import KeyChange, ReleaseStep, key_changes
from ccmcheck.workspace.deployment.record import Deployment

ABOUT_LATER_RELEASES = frozenset({"key-too-new", "upgrade-turns-fatal"})
"""Rules about what a later release does; on the way to it the keys themselves are reported."""
TOLD_BY_KEYS = frozenset({"key-removed"})
"""Rules that say of a line what its key's change says already."""
TOLD_BY_TURNS = {"manage-sg-release": "managed-groups-", "ccm-release-bug": ""}
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
        before: The old release.
        after: The new one.
        facts: What is known of the cluster.
    """

    def __init__(self, before: Release, after: Release, facts: ClusterFacts) -> None:
        context = RunContext(facts=facts)
        self._linters = [
            Linter(Settings(judged=(TargetRelease(CCM, release, flag),)), context)
            for release, flag in ((before, "--from"), (after, "--to"))
        ]
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
        for number, conf in enumerate(contents.carried):
            self._numbers.setdefault(_name_of(conf), number)
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
        error_before: What stops the CCM of the old release; None where nothing does.
        error_after: The same for the new one.
        fatal_since: The first release on the way that the CCM stops in, where it did not before.
        keys: What changes, key by key.
        appear: Findings of the new release that the old one does not have, without those covered by other fields.
        gone: Findings of the old release that the new one has not, likewise.
        fatal_between: Releases that the CCM stops in though it does so at neither end, each with its error.
        turns: Changes of behaviour that no key shows, the worst first.
        flags: Flags of the CCM's command line that end it.
    """

    error_before: str | None = None
    error_after: str | None = None
    fatal_since: str = ""
    keys: tuple[KeyChange, ...] = ()
    appear: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    fatal_between: tuple[tuple[str, str], ...] = ()
    turns: tuple[BehaviourEffect, ...] = ()
    flags: tuple[FlagChange, ...] = ()


def upgrade(
    deployment: Deployment,
    carried: CarriedConf,
    before: Release,
    judge: ReleaseFindings,
    unserved: Collection[str] = (),
) -> Upgrade:
    """Compare one cloud.conf under two releases.

    Args:
        deployment: As it is after the upgrade, at the new release.
        carried: Its cloud.conf.
        before: The old release.
        judge: The findings under the old release and under the new.
        unserved: The Services that get no load balancer under either, so that no change concerns them.
    """
    on_the_way = upgrade_path(before, deployment.judged.release)
    document = gcfg.parse(carried.stack.inner)
    scrub = Masker(carried.text).scrub
    steps = [ReleaseStep(carried, document, release) for release in on_the_way]
    first, last = steps[0], steps[-1]
    every = (service.service for service in deployment.gathered.services)
    services = {service.title: service for service in every if service.title not in unserved}
    case = MetCase(
        first.options,
        last.options,
        deployment.cloud.node_count,
        shared_balancers(services.values()),
        first.has_login,
        _labels(deployment.cloud.nodes),
        {name: setting.value for name, setting in first.settings.items()},
    )
    keys = tuple(key_changes(carried, steps, case, services))
    turns = behaviour_effects(on_the_way, case, services)
    old, new = ({_known_by(one): one for one in found} for found in judge.of(deployment.config.path, carried))
    gone = _further((one for name, one in old.items() if name not in new), keys, turns)
    return Upgrade(
        scrub(first.error) if first.error is not None else None,
        scrub(last.error) if last.error is not None else None,
        _fatal_since(steps),
        keys,
        tuple(_further((one for name, one in new.items() if name not in old), keys, turns)),
        tuple(finding for finding in gone if finding.rule not in ABOUT_LATER_RELEASES),
        tuple((where, scrub(error)) for where, error in _fatal_between(steps)),
        turns,
        tuple(_flags(deployment.workloads, on_the_way)),
    )


def _labels(nodes: Sequence[Node] | None) -> tuple[Mapping[str, str], ...] | None:
    if nodes is None or any(node.made_up for node in nodes):
        return None
    return tuple(node.labels for node in nodes)


def _flags(pods: Sequence[CcmPod], on_the_way: Sequence[Release]) -> Iterator[FlagChange]:
    for pod in pods:
        gone = {f"--{name}": FLAGS_GONE.get((name, ""), ("", "")) for name in pod.flags}
        gone |= {f"--{name}={value}": FLAGS_GONE.get((name, value), ("", "")) for name, value in pod.choices}
        for shown, (since, do) in gone.items():
            if since and not on_the_way[0].at_least(since) and on_the_way[-1].at_least(since):
                yield FlagChange(shown, pod.subject, since, do)


def _fatal_since(steps: Sequence[ReleaseStep]) -> str:
    """From which release on the CCM stops; empty where it stops at the beginning already, or not at the end."""
    since = ""
    for step in reversed(steps) if steps[0].error is None else ():
        if step.error is None:
            break
        since = step.release.name
    return since


def _fatal_between(steps: Sequence[ReleaseStep]) -> Iterator[tuple[str, str]]:
    if steps[0].error is not None or steps[-1].error is not None:
        return
    on_the_way = [step.release for step in steps]
    for error in dict.fromkeys(step.error for step in steps if step.error is not None):
        yield release_ranges([step.release for step in steps if step.error == error], on_the_way), error


def _further(
    findings: Iterator[Finding], keys: Sequence[KeyChange], turns: Sequence[BehaviourEffect]
) -> Iterator[Finding]:
    """The findings that say something that the keys and the changes of behaviour do not."""
    lines = {change.line for change in keys}
    for finding in findings:
        beginning = TOLD_BY_TURNS.get(finding.rule)
        if beginning is not None and any(turn.behaviour.startswith(beginning) for turn in turns):
            continue
        if finding.rule not in TOLD_BY_KEYS or finding.place.inner_line not in lines:
            yield finding


def _known_by(finding: Finding) -> tuple[str, int, int, str]:
    """What a finding is known by under another release; the release's own name in it does not count."""
    label = _RELEASE.sub("CCM", finding.label)
    return (finding.rule, finding.place.inner_line, finding.place.inner_column, label)
