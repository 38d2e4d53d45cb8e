"""Runs the rules over one cloud.conf or object at each release that it is judged by, and keeps each problem once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import gcfg
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import IN_TREE, SERVICE_ANNOTATIONS, CarriedConf, RunContext
from ccmcheck.catalog import newest
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf.view import CloudConf
from ccmcheck.lint.file_analysis import Hit, Read
from ccmcheck.rules import rule
from ccmcheck.rules.prefilter import conf_rules, object_rules
from ccmcheck.rules.registry import ENTRIES, SERVICE
from ccmcheck.rules.views.manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccmcheck.base.model import Problem, Severity
    from ccmcheck.carriers import FileContents
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.reading import Reading
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.rules.views.pod_owners import PodOwners
    from ccmcheck.rules.views.service_view import ServiceView
    from ccmcheck.yamlio.branches import Branches

_CCM = lazy_regex(r"\b([Tt])he CCM\b")

NOT_A_CLOUD_CONF = "not-a-cloud-conf"
"""The only rule about a file that is not taken for a cloud.conf."""

_OF_IN_TREE = "svc-protocol-tcp-only"
"""The only rule about Services that judges them for the in-tree provider, where the user names it."""

CCM = "ccm"
"""The consumer whose Services are judged, beside the in-tree provider."""


class Around(NamedTuple):
    """What an object is judged with: what else is in its file and in the run, and who makes its pods."""

    contents: FileContents
    run_context: RunContext
    pods: PodOwners


class Judge:
    """Runs the rules, with the same settings for all files of a run.

    Args:
        severities: A rule's severity where the configuration changes it.
        ran: The rules of the run.
    """

    def __init__(self, severities: Mapping[str, Severity | None], ran: frozenset[str]) -> None:
        self._severities = severities
        self._ran = ran
        self._hits: dict[Hit, Hit] = {}  # few different ones, of any number of problems
        self._first_hits: dict[tuple[str, Severity | None, str, str, bool], Hit] = {}  # those of one release

    def of_conf(
        self,
        carried: CarriedConf,
        judged: tuple[TargetRelease, ...],
        names: Sequence[str],
        run_context: RunContext,
        conditions: Branches | None = None,
    ) -> tuple[dict[tuple[str, Problem], Hit], Read]:
        """Every problem of one cloud.conf, once, whatever the number of releases it occurs at, and what is read.

        Args:
            carried: The cloud.conf.
            judged: The releases.
            names: The rules.
            run_context: What else is in the run.
            conditions: Those of a template, where the texts that they make are judged one by one.
        """
        if conditions is None:
            return self._of_text(carried, judged, tuple(names), run_context)
        from ccmcheck.conf.alternatives import alternatives
        from ccmcheck.lint.alternative_findings import joined_alternatives

        found = [
            (one.kept, self._of_text(one.conf, judged, tuple(names), run_context)[0])
            for one in alternatives(carried, conditions)
        ]
        document = gcfg.parse(carried.stack.inner)
        views = [CloudConf.read(carried, one.release, one.consumer, document=document) for one in judged]
        readings = tuple(view.reading for view in views)
        return joined_alternatives(found, conditions), Read(document, readings, judged)

    def _of_text(
        self, carried: CarriedConf, judged: tuple[TargetRelease, ...], names: tuple[str, ...], run_context: RunContext
    ) -> tuple[dict[tuple[str, Problem], Hit], Read]:
        """The problems of one text."""
        document = gcfg.parse(carried.stack.inner)
        readings: list[Reading] = []
        problems: dict[tuple[str, Problem], Hit] = {}
        for number, one in enumerate(judged):
            conf = CloudConf.read(
                carried,
                one.release,
                one.consumer,
                run_context=run_context,
                document=document,
                is_assumed=one.is_assumed,
            )
            readings.append(conf.reading)
            first_stop = conf.first_known_stop
            for name in conf_rules(names, conf):
                if number and not ENTRIES[name].per_release:
                    continue
                for found in rule(name).check(conf):
                    problem = _said_of(one.consumer, found)
                    fatal = problem.stop is not None and problem.stop == first_stop
                    if problem.stop is not None and conf.reading.hidden_error is not None:
                        # it is not reported, and whether the process ends depends on the clouds.yaml
                        problem, fatal = problem._replace(stop=None), False
                    self._count(problems, name, problem, one, fatal=fatal)
            conf.answers.clear()  # some hold the cloud.conf in turn, which would outlive its use
        read = Read(document, tuple(readings), judged)
        return _at_all(problems, judged), read

    def of_none(
        self, carried: CarriedConf, judged: TargetRelease, off: frozenset[str]
    ) -> dict[tuple[str, Problem], Hit]:
        """The one problem of a text that is no cloud.conf, which no other rule looks at."""
        problems: dict[tuple[str, Problem], Hit] = {}
        if NOT_A_CLOUD_CONF in self._ran and NOT_A_CLOUD_CONF not in off:
            conf = CloudConf.read(carried, judged.release, judged.consumer)
            for problem in rule(NOT_A_CLOUD_CONF).check(conf):
                self._count(problems, NOT_A_CLOUD_CONF, problem, judged, fatal=False)
        return problems

    def of_object(
        self,
        item: KubernetesObject,
        judged: tuple[TargetRelease, ...],
        names: Sequence[str],
        off: frozenset[str],
        around: Around,
    ) -> dict[tuple[str, Problem], Hit]:
        """Every problem of one object, once."""
        problems: dict[tuple[str, Problem], Hit] = {}
        is_service = item.kind in (SERVICE, SERVICE_ANNOTATIONS)
        names = object_rules(names, item.source.text[slice(*item.node.content)], around.run_context)
        if not names:
            return problems
        for number, release in enumerate(judged):
            at, run_context = release.release, around.run_context
            if is_service and release.consumer == IN_TREE:  # as where the files around it tell so
                at, run_context = newest(), run_context._replace(in_tree=frozenset({""}), confs={})
            manifest = Manifest(item, at, run_context, around.contents, around.pods)
            view: Manifest | ServiceView = manifest
            if is_service:
                from ccmcheck.rules.views.service_view import ServiceView

                if release.consumer not in (CCM, IN_TREE):
                    continue
                view = ServiceView(manifest)
            for name in names:
                if name in off or (number and not ENTRIES[name].per_release):
                    continue
                if is_service and release.consumer == IN_TREE and name != _OF_IN_TREE:
                    continue
                for problem in rule(name).check(view):
                    self._count(problems, name, problem, release, fatal=False)
            manifest.answers.clear()
        return _at_all(problems, judged)

    def _count(
        self,
        problems: dict[tuple[str, Problem], Hit],
        name: str,
        problem: Problem,
        judged: TargetRelease,
        *,
        fatal: bool,
    ) -> None:
        if problem.help:
            from ccmcheck.lint.advised import with_releases

            problem = problem._replace(help=with_releases(problem.help, judged.release, judged.consumer))
        kind = (name, problem.severity, judged.release.name, judged.consumer, fatal)
        hit = self._first_hits.get(kind)
        if hit is None:
            changed = self._severities.get(name)
            severity = changed or problem.severity or ENTRIES[name].severity
            reader = "" if judged.consumer == CCM else judged.consumer
            hit = self._first_hits[kind] = Hit(severity, (judged.release.name,), fatal, reader)
        count = len(problems)
        known = problems.setdefault((name, problem), hit)
        if len(problems) == count:
            is_fatal = known.fatal and fatal if judged.older else known.fatal or fatal
            hit = known._replace(releases=(*known.releases, judged.release.name), fatal=is_fatal)
            problems[name, problem] = self._hits.setdefault(hit, hit)


def _said_of(consumer: str, problem: Problem) -> Problem:
    """A problem in the words for who reads the file.

    Such rules are about the syntax and about keys that both read: all of these programs read the file with gcfg.

    Args:
        consumer: See `ccmcheck.catalog.CONSUMERS`.
        problem: What a rule yielded.
    """
    if consumer == "ccm":
        return problem
    name = reader_name(consumer).removeprefix("the ")

    def words(text: str) -> str:
        return _CCM.sub(rf"\1he {name}", text)

    return problem._replace(label=words(problem.label), detail=words(problem.detail), help=words(problem.help))


def _at_all(
    problems: dict[tuple[str, Problem], Hit], judged: Sequence[TargetRelease]
) -> dict[tuple[str, Problem], Hit]:
    """What was found at each release, joined where one of many may be the one that runs."""
    if not (judged and judged[0].older):
        return problems
    from ccmcheck.lint.release_range import joined

    return joined(problems, judged)
