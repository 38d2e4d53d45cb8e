"""Lints one file: find its cloud.confs, read each at each release, run the rules, place what they say.

No file is opened here and nothing is printed; see `ccmcheck.lint.runner` for the way from paths to a result.

Which Services of a file are for the CCM: a page may show those of several clouds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from ccmcheck.base import text
from ccmcheck.base.budget import ended_by, is_out_of_memory, refuse_to_go_on
from ccmcheck.base.errors import CcmcheckError, described
from ccmcheck.base.garbage_collection import GarbageCollectionPaused
from ccmcheck.base.model import Finding, HiddenWords, Problem, Replacement, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FileContents, FindOptions, find
from ccmcheck.carriers.base import EMPTY_RUN, FILE, SERVICE_ANNOTATIONS, CarriedConf, ConfPlace, NearbyConf, RunContext
from ccmcheck.carriers.collector import options_with_builds
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.mounted import Mounted
from ccmcheck.catalog.data.deployments import KUBERNETES_AROUND
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.nearby_conf import is_for_ccm, read_by_drivers
from ccmcheck.conf.starting import version_of_nodes
from ccmcheck.conf.target_release import FoundRelease, TargetRelease, own_reader
from ccmcheck.lint.file_analysis import FileAnalysis, FileResult, Hit, LocatedProblem, Read
from ccmcheck.lint.file_suppressions import FileSuppressions, may_suppress
from ccmcheck.lint.judge import Around, Judge
from ccmcheck.lint.locate import Locator, Texts
from ccmcheck.lint.notes import depends_on_clouds, unused, why_not_taken
from ccmcheck.lint.selection import THE_CONF
from ccmcheck.lint.settings import Settings
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.prefilter import without as without_rules
from ccmcheck.rules.registry import ANNOTATION_RULES, ENTRIES, SERVICE, UNUSED
from ccmcheck.rules.views.manifest import as_carried
from ccmcheck.rules.views.pod_owners import PodOwners

if TYPE_CHECKING:
    from ccmcheck.kustomize.bundle import Bundle
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.release_finder import FileReleases, ReleaseFinder
    from ccmcheck.yamlio.branches import Branches

_SERVICES = (SERVICE, SERVICE_ANNOTATIONS)
_OWN = "openstack"
"""In the names of all annotations that the CCM reads alone."""


def without_those_of_others(path: str, text: str, objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
    """Some objects without the Services of a document that may be for any cloud.

    Args:
        path: The file.
        text: Its text.
        objects: Objects in it.
    """
    if not objects or not is_document(path):
        return list(objects)
    from ccmcheck.catalog.service_annotations import FOREIGN_PREFIXES

    if not any(start in text for start in FOREIGN_PREFIXES):
        return list(objects)
    return [one for one in objects if one.kind not in _SERVICES or _OWN in one.source.text[slice(*one.node.content)]]


MOST_OF_RANGE = 50
LONGEST_OF_RANGE = 200_000
"""Objects and cloud.confs in a file, and characters of it, that are judged at every release where one of many may be
meant. In a larger file the newest of them stands for all."""
LONGEST_OF_ALTERNATIVES = 400_000
"""Characters of the texts that the conditions of the cloud.confs of one file make, which are judged one by one."""


def _each(judged: tuple[TargetRelease, ...]) -> tuple[TargetRelease, ...]:
    """What to judge by, each release that may be the one that runs."""
    return judged[0].each if judged and judged[0].older else judged


def _newest(judged: tuple[TargetRelease, ...]) -> tuple[TargetRelease, ...]:
    """The same by the newest of these alone."""
    return judged[:1] if judged and judged[0].older else judged


def _is_again(seen: set[object], one: LocatedProblem) -> bool:
    """Whether the same was said of a place before: several releases may have one file of values."""
    said = one.rule, one.place[:5], one.problem.label
    if said in seen:
        return True
    seen.add(said)
    return False


class _File(NamedTuple):
    """What of a file is judged.

    Attributes:
        path: Its name.
        whole: Its text.
        contents: What is in it.
        confs: The cloud.confs that are judged.
        objects: The objects that rules are about.
        named: Texts that were named and are no cloud.conf.
        run_context: What was found in the run, with this file's share.
        without: Rules that do not matter.
        off: These, and those that the configuration switches off for it.
        judged_of: Gives the releases to judge a cloud.conf or an object by.
        bundle: The files of a build, where it stands for one.
    """

    path: str
    whole: str
    contents: FileContents
    confs: list[CarriedConf]
    objects: list[KubernetesObject]
    named: list[CarriedConf]
    run_context: RunContext
    without: frozenset[str]
    off: frozenset[str]
    judged_of: Callable[[CarriedConf | KubernetesObject], tuple[TargetRelease, ...]]
    bundle: Bundle | None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to judge."""
        return not (self.confs or self.objects or self.named)


class _Judgement(NamedTuple):
    """What the rules say of one subject at the releases that it is judged by."""

    subject: CarriedConf
    judged: tuple[TargetRelease, ...]
    problems: dict[tuple[str, Problem], Hit]


class Linter:
    """Lints files one after another with the same settings.

    Args:
        settings: What was asked for.
        run_context: What was found in the run beforehand; see `ccmcheck.carriers.base.RunContext`.
        releases: Finds the release of a file where the settings name none; by default by the run's workloads.
    """

    def __init__(self, settings: Settings, run_context: RunContext, releases: ReleaseFinder | None = None) -> None:
        self.settings = settings
        self.run_context = run_context
        self._releases = releases
        self._names = tuple(name for name in GROUP_OF if self._runs(name))
        self._about_confs = tuple(name for name in self._names if not ENTRIES[name].kinds)
        self.ran = frozenset(self._names)
        self._judge = Judge(settings.severities, self.ran)
        self._of_places: dict[ConfPlace, FoundRelease] = {}

    @cached_property
    def releases(self) -> ReleaseFinder:
        """Finds the release of a file where the settings name none."""
        from ccmcheck.workspace.release_finder import NO_SEARCH, ReleaseFinder

        run_context = self.run_context
        return self._releases or ReleaseFinder(NO_SEARCH, (*run_context.pods, *run_context.image_tags))

    @cached_property
    def _mounted(self) -> Mounted:
        """What the CCM's workloads of the run mount."""
        return Mounted(self.run_context.pods)

    @cached_property
    def _contributions(self) -> dict[str, RunContext]:
        """What each file contributes to what the rules of others are told."""
        return self.run_context.by_file()

    @cached_property
    def _version_of_nodes(self) -> tuple[str, frozenset[str]]:
        """The version of Kubernetes that Nodes of the run tell, and where it holds: their folders and those above."""
        nodes = self.run_context.node_labels
        folders = [os.path.dirname(one.path) for one in nodes if one.kubelet]
        return version_of_nodes(nodes), frozenset((*folders, *map(os.path.dirname, folders)))

    @cached_property
    def object_rules(self) -> dict[str, list[str]]:
        """The rules about objects, by the kind of object."""
        found: dict[str, list[str]] = {}
        for name in self._names:
            for kind in ENTRIES[name].kinds:
                found.setdefault(kind, []).append(name)
        found[SERVICE_ANNOTATIONS] = [name for name in found.get(SERVICE, ()) if name in ANNOTATION_RULES]
        return found

    def lint(self, path: str, data: bytes, *, explicit: bool = False) -> FileResult:
        """Lint one file.

        Args:
            path: Its name, for findings and for recognising its kind.
            data: Its bytes.
            explicit: True when the user named the file itself.

        Returns:
            What was found; a file that cannot be read is a failure in it, never an exception.
        """
        try:
            whole = text.decode(data).text
            with GarbageCollectionPaused(len(whole)):
                found = self.examine(path, whole, explicit=explicit)
                notes = (*depends_on_clouds(path, found), *unused(path, found.carried))
                found = found._replace(read=())  # nothing more is asked of it, and the findings take as much memory
                findings = self._findings(path, whole, found)
        except CcmcheckError as error:
            return FileResult(path, failures=(Failure(path, error.message, error.hint),))
        except Exception as error:  # noqa: BLE001 - one bad file must not stop the others
            if is_out_of_memory(error):
                return FileResult(path, failures=(Failure(path, *ended_by(error)),))
            refuse_to_go_on(error)
            return FileResult(path, failures=(Failure(path, f"internal error: {described(error)}", internal=True),))
        unlisted = 0
        if findings and not explicit:
            from ccmcheck.catalog.upstream import is_upstream_copy

            unlisted = len(findings) if is_upstream_copy(path, data) else 0
        return FileResult(
            path,
            tuple(findings) if not unlisted else (),
            found.failures,
            tuple(carried.carrier for carried in found.carried),
            len({one.number for one in found.problems if 0 <= one.number < len(found.carried)}),
            found.suppressed,
            found.judged,
            tuple(why_not_taken(path, carried) for carried in found.not_taken) + notes,
            path in self.run_context.builds.bundles,
            unlisted,
        )

    def _findings(self, path: str, whole: str, found: FileAnalysis) -> list[Finding]:
        """The findings in the order of their places; those that no report shows without their texts."""
        problems = found.problems
        if not problems:
            return []
        is_build = path in self.run_context.builds.bundles
        replaced: dict[int, tuple[Replacement, ...]] = {}
        if self.settings.replacements and not is_build:
            from ccmcheck.lint.replacements import replacements

            replaced = replacements(whole, found)
        most = self.settings.most_shown if not is_build else 0
        counts: Counter[tuple[str, Severity, bool]] = Counter()
        findings: list[Finding] = []
        order = [_order(problem) for problem in problems]
        for number in sorted(range(len(problems)), key=order.__getitem__):
            problem = problems[number]
            kind = (problem.rule, problem.severity, problem.fatal)  # of the worst of each rule some may be shown
            counts[kind] += 1
            finding = problem.finding if not most or counts[kind] <= most else problem.counted
            findings.append(finding._replace(replacements=replaced[number]) if number in replaced else finding)
        return findings

    def examine(
        self,
        path: str,
        whole: str,
        *,
        explicit: bool = False,
        without: frozenset[str] = frozenset(),
        contents: FileContents | None = None,
    ) -> FileAnalysis:
        """Lint one file's text, keeping what each finding is made of.

        Args:
            path: See `lint`.
            whole: The file's text.
            explicit: See `lint`.
            without: Rules that do not matter; where there are any, unused suppressions are not reported.
            contents: What is in the file, where it was searched before; see `find_options`.

        Raises:
            CcmcheckError: Something in the file cannot be opened.
        """
        if contents is None:
            contents = find(path, whole, self.find_options(path, explicit=explicit))
        file = self._found(path, whole, contents, without, explicit=explicit)
        if file.is_empty:
            return FileAnalysis(failures=tuple(contents.broken), not_taken=tuple(contents.not_taken))
        read: list[Read] = []
        judgements = self._judgements(file, read)
        suppressions = self._suppressions(file, judgements)
        located = self._placed(file, judgements)
        problems = located
        if suppressions:
            problems = [one for one in located if not suppressions.covers(one.number, one.rule, one.place)]
        suppressed = len(located) - len(problems)
        if suppressions:
            problems += self._unused(file, suppressions)
        return FileAnalysis(
            tuple(file.confs),
            tuple(judgement.subject for judgement in judgements),
            tuple(contents.broken),
            tuple(problems),
            suppressed,
            _releases(file, judgements),
            tuple(read),
            tuple(contents.not_taken),
        )

    def _found(
        self, path: str, whole: str, contents: FileContents, without: frozenset[str], *, explicit: bool
    ) -> _File:
        """What of a file is judged."""
        if contents.not_taken:
            contents.carried.extend(self._mounted.take(contents.not_taken))
        releases = None
        if not self.settings.judged:
            releases = self.releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
            contents.carried[:] = map(releases.with_reader, contents.carried)
            contents.answers[KUBERNETES_AROUND] = partial(self.releases.kubernetes_around, path)
        run_context = self.run_context
        if run_context.drivers:
            drivers, alone = Mounted(run_context.drivers), not (run_context.pods or run_context.image_tags)
            contents.carried[:] = read_by_drivers(contents.carried, self._mounted, drivers, alone=alone)
        if contents.run_context not in (EMPTY_RUN, self._contributions.get(path)):
            run_context = run_context.with_file(path, contents.run_context)
        if path in run_context.nodes and run_context.facts.nodes is None:
            facts = run_context.facts._replace(nodes=run_context.nodes[path])
            run_context = run_context._replace(facts=facts)
        told, folders = self._version_of_nodes
        if told and os.path.dirname(path) in folders and not run_context.facts.kubernetes_version:
            run_context = run_context._replace(facts=run_context.facts._replace(kubernetes_version=told))
        if run_context.filled:
            from ccmcheck.workspace.left_empty import without_filled

            contents.carried[:] = without_filled(contents.carried, run_context.filled)
        confs, objects = contents.carried, [item for item in contents.objects if item.kind in self.object_rules]
        chosen = self.settings.chosen
        if chosen is not None:
            confs = list(filter(chosen.has, confs))
            objects = objects if chosen.has_objects_of(path) else []
        return _File(
            path,
            whole,
            contents,
            confs,
            without_those_of_others(path, whole, objects),
            [carried for carried in contents.not_taken if explicit and carried.carrier == FILE],
            run_context,
            without,
            self.off(path) | without,
            self._judged_of(path, contents, releases),
            _bundle_of(path, whole, run_context),
        )

    def _judgements(self, file: _File, read: list[Read]) -> list[_Judgement]:
        """What the rules say of each cloud.conf, each object, and each text that was named and is no cloud.conf."""
        contents, judged_of, off = file.contents, file.judged_of, file.off
        is_small = len(file.objects) + len(file.confs) <= MOST_OF_RANGE and len(file.whole) <= LONGEST_OF_RANGE
        each = _each if is_small else _newest
        names = without_rules(self._about_confs, off) if off else self._about_confs
        around = Around(contents, file.run_context, PodOwners(file.path, contents.objects, file.run_context))
        judgements: list[_Judgement] = []
        left = LONGEST_OF_ALTERNATIVES
        drivers = file.run_context.drivers if not self.settings.judged else ()
        for conf in file.confs:
            judged = each(own_reader(conf, judged_of(conf), drivers))
            conditions = _conditions_of(conf) if conf.marks else None
            if conditions is not None:
                left -= (len(conditions.arms) + 2) * len(conf.text) * len(judged)
                conditions = conditions if left >= 0 else None
            problems, what_is_read = self._judge.of_conf(conf, judged, names, file.run_context, conditions)
            read.append(what_is_read)
            judgements.append(_Judgement(conf, judged, problems))
        for item in file.objects:
            judged = each(judged_of(item))
            if problems := self._judge.of_object(item, judged, self.object_rules[item.kind], off, around):
                judgements.append(_Judgement(as_carried(item), judged, problems))
        for carried in file.named:
            judged = judged_of(carried)
            judgements.append(_Judgement(carried, judged, self._judge.of_none(carried, judged[0], off)))
        return judgements

    def _suppressions(self, file: _File, judgements: list[_Judgement]) -> FileSuppressions | None:
        """What suppresses findings of a file; None where nothing may."""
        if not self.settings.suppress:
            return None
        subjects = tuple([judgement.subject for judgement in judgements])
        if not may_suppress(file.whole, subjects):
            return None
        suppressions = FileSuppressions(file.whole, subjects, file.bundle)
        if suppressions and self.settings.base is not None:
            suppressions.keep_those_of(self._suppressions_in(self.settings.base, file.path))
        return suppressions

    def _placed(self, file: _File, judgements: list[_Judgement]) -> list[LocatedProblem]:
        """The problems with their places in the file."""
        if not any(judgement.problems for judgement in judgements):
            return []
        secrets: frozenset[str] = self.secrets_near(file.path)
        confs = file.confs
        if any(judgement.problems for judgement in judgements[len(confs) :]):
            from ccmcheck.redact.run_secrets import joined, secrets_of_texts

            secrets = joined(secrets, secrets_of_texts(conf.text for conf in confs))
        texts = Texts(file.bundle, secrets)
        located: list[LocatedProblem] = []
        seen: set[object] = set()
        for number, (subject, judged, problems) in enumerate(judgements):
            locator = Locator(file.path, subject, texts)
            for (name, problem), hit in problems.items():
                everywhere = len(hit.releases) == len(judged) or not ENTRIES[name].per_release
                one = LocatedProblem(number, name, problem, locator, hit, () if everywhere else hit.releases)
                if file.bundle is None or not (self._is_hidden(one) or _is_again(seen, one)):
                    located.append(one)
        return located

    def _unused(self, file: _File, suppressions: FileSuppressions) -> Iterator[LocatedProblem]:
        """The suppressions that suppress nothing, where every rule looked at the file as it is."""
        path = file.path
        builds = self.run_context.builds
        judged_elsewhere = path in builds.bundles or self.settings.chosen or bool(builds.documents_of(path))
        if file.without or judged_elsewhere or UNUSED.name in file.off or not self._runs(UNUSED.name):
            return
        severity = self.settings.severities.get(UNUSED.name) or UNUSED.severity
        quiet = self._quiet_about_services(path, file.contents, file.run_context)
        for locator, problem in suppressions.unused(path, self.ran - file.off - quiet):
            yield LocatedProblem(-1, UNUSED.name, problem, locator, Hit(severity, (), fatal=False), ())

    def _judged_of(
        self, path: str, contents: FileContents, found: FileReleases | None
    ) -> Callable[[CarriedConf | KubernetesObject], tuple[TargetRelease, ...]]:
        """Gives the releases to judge a cloud.conf or an object of a file by: those named, or those of the file."""
        if found is None:
            return lambda _: self.settings.judged
        version = self.run_context.facts.kubernetes_version

        def judged(item: CarriedConf | KubernetesObject) -> tuple[TargetRelease, ...]:
            target = found.of_text(item).in_cluster(version).target
            if (
                isinstance(item, CarriedConf)
                or item.kind not in (SERVICE, SERVICE_ANNOTATIONS)
                or not target.is_assumed
            ):
                return (target,)
            return (self._of_confs(path, contents, version) or target,)

        return judged

    def _of_confs(self, path: str, contents: FileContents, version: str) -> TargetRelease | None:
        """What a Service without a release of its own is judged by: that of its cloud.confs, if they have one."""
        near = self.run_context.confs
        places = [one.place for one in contents.carried if is_for_ccm(one)]
        places = places or [one.place for one in near.get(path) or near.get("", ()) if one.place is not None]
        for one in places:
            if one not in self._of_places:
                self._of_places[one] = self.releases.of_file(one.path).of_text(one)
        targets = [self._of_places[one].in_cluster(version).target for one in places]
        return targets[0] if len({one.release for one in targets}) == 1 else None

    def secrets_near(self, path: str) -> HiddenWords:
        """The secrets of the cloud.confs near a file with Services, which it may have copies of."""
        return _secrets_of(self.run_context.confs.get(path, ()))

    def find_options(self, path: str, *, explicit: bool) -> FindOptions:
        """How a file is searched."""
        options = self.settings.find
        options = options if options.explicit == explicit else options._replace(explicit=explicit)
        return options_with_builds(options, path, self.run_context.builds)

    def _is_hidden(self, found: LocatedProblem) -> bool:
        """Whether a finding of a build lies in a file that was not asked for, or for which the rule is off."""
        path = found.place.path
        return path in self.run_context.builds.hidden or found.rule in self.off(path)

    def _suppressions_in(self, base: BaseRevision, path: str) -> FileSuppressions | None:
        """What suppresses findings of a file in the base revision; None where it has no such file, or it is broken."""
        try:
            data = base.read(path)
            if data is None:
                return None
            whole = text.decode(data).text
            contents = find(path, whole, self.settings.find)
        except CcmcheckError:
            return None
        return FileSuppressions(whole, (*contents.carried, *map(as_carried, contents.objects)))

    def _quiet_about_services(self, path: str, contents: FileContents, run_context: RunContext) -> frozenset[str]:
        """The rules about Services that could not judge a file, because nobody knows the cloud.conf."""
        if contents.carried or run_context.confs.get(path) or run_context.confs.get(""):
            return frozenset()
        return frozenset(name for name in self.object_rules.get(SERVICE, ()) if THE_CONF in ENTRIES[name].needs)

    def _runs(self, name: str) -> bool:
        settings = self.settings
        if settings.only and name not in settings.only:
            return False
        return not (name in settings.severities and settings.severities[name] is None)

    def is_off(self, path: str) -> bool:
        """Whether the configuration switches off every rule for a file."""
        return self.ran <= self.off(path)

    def is_built(self, path: str) -> bool:
        """Whether a file is judged with others, as a kustomization builds them, or patches what is not there."""
        builds = self.run_context.builds
        return path in builds.bundles or bool(builds.documents_of(path) or builds.patches.get(os.path.normpath(path)))

    def off(self, path: str) -> frozenset[str]:
        """The rules that the configuration switches off for a file."""
        ignores = self.settings.path_ignores
        return ignores.rules_for(self._relative(path)) if ignores else frozenset()

    def _relative(self, path: str) -> str:
        """A path from the folder that the configuration is for, with slashes."""
        relative = os.path.relpath(os.path.abspath(path), self.settings.root or os.curdir)
        return relative.replace(os.sep, "/")


def _conditions_of(conf: CarriedConf) -> Branches | None:
    """The conditions of a template, where they are few enough to judge what each makes of it."""
    from ccmcheck.conf.alternatives import MOST_ARMS, branches_of

    conditions = branches_of(conf)
    return conditions if conditions is not None and len(conditions.arms) <= MOST_ARMS else None


def _bundle_of(path: str, whole: str, run_context: RunContext) -> Bundle | None:
    """The files of a build, where a file stands for one."""
    if path not in run_context.builds.bundles:
        return None
    from ccmcheck.kustomize.bundle import Bundle

    return Bundle(whole)


def _releases(file: _File, judgements: list[_Judgement]) -> tuple[TargetRelease, ...]:
    """By what a file was judged, each once; the newest where one of many may run."""
    several = [judgement.judged for judgement in judgements[: len(file.confs)]]
    several += [file.judged_of(item) for item in file.objects if item.kind == SERVICE and _may_be_for_the_ccm(item)]
    return tuple(dict.fromkeys(judged for each in several for judged in _newest(each)))


def _may_be_for_the_ccm(service: KubernetesObject) -> bool:
    """Whether a Service is of type LoadBalancer, or may be: a template decides, or it is a patch without a type."""
    kind = service.text_at("spec", "type") or ("ClusterIP" if service.at("spec", "ports") else "")
    return kind == "LoadBalancer" or not kind.isalpha()


@lru_cache(maxsize=64)
def _secrets_of(confs: tuple[NearbyConf, ...]) -> HiddenWords:
    return HiddenWords(word for conf in confs for word in conf.secrets)


def _order(problem: LocatedProblem) -> tuple[int, int, int, int, str]:
    place = problem.place
    return (place.line, place.column, place.inner_line, place.inner_column, problem.rule)
