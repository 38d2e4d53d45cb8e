"""Lints one file: find its cloud.confs, read each at each release, run the rules, place what they say.

No file is opened here and nothing is printed; see `ccmcheck.lint.runner` for the way from paths to a result.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base import text
from ccmcheck.base.errors import CcmcheckError, described
from ccmcheck.base.garbage_collection import GarbageCollectionPaused
from ccmcheck.base.model import HiddenWords
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FileContents, FindOptions, find
from ccmcheck.carriers.base import EMPTY_RUN, FILE, SERVICE_ANNOTATIONS
from ccmcheck.carriers.collector import options_with_builds
from ccmcheck.carriers.mounted import Mounted
from ccmcheck.conf.target_release import TargetRelease, own_reader
from ccmcheck.lint.file_analysis import FileAnalysis, FileResult, Hit, LocatedProblem, Read
from ccmcheck.lint.file_suppressions import FileSuppressions
from ccmcheck.lint.judge import Judge
from ccmcheck.lint.locate import Locator, Texts
from ccmcheck.lint.notes import depends_on_clouds, unused, why_not_taken
from ccmcheck.lint.selection import THE_CONF
from ccmcheck.lint.settings import Settings
from ccmcheck.lint.shown_services import without_those_of_others
from ccmcheck.lint.suppress import META as UNUSED
from ccmcheck.objects.manifest import as_carried
from ccmcheck.objects.pod_owners import PodOwners
from ccmcheck.rules import GROUP_OF, rule
from ccmcheck.rules.prefilter import without as without_rules
from ccmcheck.rules.registry import ANNOTATION_RULES, ENTRIES, SERVICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.base.model import Finding, Replacement
    from ccmcheck.carriers.base import CarriedConf, NearbyConf, RunContext
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.kustomize.bundle import Bundle
    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.release_finder import ReleaseFinder


MOST_OF_RANGE = 50
LONGEST_OF_RANGE = 200_000
"""Objects and cloud.confs in a file, and characters of it, that are judged at every release where one of many may be
meant. In a larger file the newest of them stands for all."""


def _each(judged: tuple[TargetRelease, ...]) -> tuple[TargetRelease, ...]:
    """What to judge by, each release that may be the one that runs."""
    return judged[0].each if judged and judged[0].older else judged


def _newest(judged: tuple[TargetRelease, ...]) -> tuple[TargetRelease, ...]:
    """The same by the newest of these alone."""
    return judged[:1] if judged and judged[0].older else judged


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
            return FileResult(path, failures=(Failure(path, f"internal error: {described(error)}", internal=True),))
        return FileResult(
            path,
            tuple(findings),
            found.failures,
            tuple(carried.carrier for carried in found.carried),
            len({one.number for one in found.problems if 0 <= one.number < len(found.carried)}),
            found.suppressed,
            found.judged,
            tuple(why_not_taken(path, carried) for carried in found.not_taken) + notes,
            path in self.run_context.builds.bundles,
        )

    def _findings(self, path: str, whole: str, found: FileAnalysis) -> list[Finding]:
        """The findings in the order of their places; those that no report shows without their texts."""
        is_build = path in self.run_context.builds.bundles
        replaced: dict[int, tuple[Replacement, ...]] = {}
        if self.settings.replacements and not is_build:
            from ccmcheck.lint.replacements import replacements

            replaced = replacements(whole, found)
        most = self.settings.most_shown if not is_build else 0
        counts = Counter[str]()
        findings: list[Finding] = []
        problems = found.problems
        order = [_order(problem) for problem in problems]
        for number in sorted(range(len(problems)), key=order.__getitem__):
            problem = problems[number]
            counts[problem.rule] += 1
            finding = problem.finding if not most or counts[problem.rule] <= most else problem.counted
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
        if contents.not_taken:
            contents.carried.extend(self._mounted.take(contents.not_taken))
        if not self.settings.judged:
            self.releases.settle_readers(path, contents)
        bundle = _bundle_of(path, whole, self.run_context)
        failures = tuple(contents.broken)
        objects = [item for item in contents.objects if item.kind in self.object_rules]
        objects = without_those_of_others(path, whole, objects)
        not_taken = tuple(contents.not_taken)
        named = [carried for carried in not_taken if explicit and carried.carrier == FILE]
        if not contents.carried and not objects and not named:
            return FileAnalysis(failures=failures, not_taken=not_taken)
        run_context = self.run_context
        if contents.run_context is not EMPTY_RUN:
            run_context = run_context.with_file(path, contents.run_context)
        judged_of = self._judged_of(path, contents)
        is_small = len(objects) + len(contents.carried) <= MOST_OF_RANGE and len(whole) <= LONGEST_OF_RANGE
        each = _each if is_small else _newest
        off = self._off(path)
        names = self._about_confs
        if without:
            names = without_rules(names, without)
            off |= without
        pods = PodOwners(path, contents.objects, run_context)
        read: list[Read] = []
        of_object = self._judge.of_object
        judgements = [
            (conf, judged, self._judge.of_conf(conf, judged, names, off, run_context, read))
            for conf in contents.carried
            for judged in (each(own_reader(conf, judged_of(conf))),)
        ]
        judgements += [
            (as_carried(item), judged, problems)
            for item in objects
            for judged in (each(judged_of(item)),)
            if (problems := of_object(item, contents, judged, self.object_rules[item.kind], off, run_context, pods))
        ]
        judgements += [
            (carried, judged, self._judge.of_none(carried, judged[0], off))
            for carried in named
            for judged in (judged_of(carried),)
        ]
        subjects = tuple(subject for subject, _, _ in judgements)
        suppressions = FileSuppressions(whole, subjects, bundle) if self.settings.suppress else None
        if suppressions and (base := self.settings.base) is not None:
            suppressions.keep_those_of(self._suppressions_in(base, path))
        located: list[LocatedProblem] = []
        secrets: frozenset[str] = self.secrets_near(path)
        if any(problems for _, _, problems in judgements[len(contents.carried) :]):
            from ccmcheck.redact.run_secrets import joined, secrets_of_texts

            secrets = joined(secrets, secrets_of_texts(conf.text for conf in contents.carried))
        texts = Texts(bundle, secrets)
        suppressed = 0
        for number, (subject, judged, problems) in enumerate(judgements):
            locator = Locator(path, subject, texts)
            for (name, problem), hit in problems.items():
                everywhere = len(hit.releases) == len(judged) or not rule(name).META.per_release
                releases = () if everywhere else hit.releases
                found = LocatedProblem(number, name, problem, locator, hit, releases)
                if bundle is not None and self._is_hidden(found):
                    continue
                if suppressions and suppressions.covers(number, name, found.place):
                    suppressed += 1
                else:
                    located.append(found)
        judged_elsewhere = bundle is not None or bool(self.run_context.builds.documents_of(path))
        if suppressions and not (without or judged_elsewhere or UNUSED.name in off) and self._runs(UNUSED.name):
            severity = self.settings.severities.get(UNUSED.name) or UNUSED.severity
            quiet = self._quiet_about_services(path, contents, run_context)
            for locator, problem in suppressions.unused(path, self.ran - off - quiet):
                located.append(LocatedProblem(-1, UNUSED.name, problem, locator, Hit(severity, (), fatal=False), ()))
        return FileAnalysis(
            tuple(contents.carried),
            subjects,
            failures,
            tuple(located),
            suppressed,
            tuple(
                dict.fromkeys(
                    judged
                    for several in (
                        *(judged for conf, judged, _ in judgements[: len(contents.carried)]),
                        *(judged_of(item) for item in objects if item.kind == SERVICE),
                    )
                    for judged in _newest(several)
                )
            ),
            tuple(read),
            not_taken,
        )

    def _judged_of(
        self, path: str, contents: FileContents
    ) -> Callable[[CarriedConf | KubernetesObject], tuple[TargetRelease, ...]]:
        """Gives the releases to judge a cloud.conf or an object of a file by."""
        asked = self.settings.judged
        if asked:
            return lambda _: asked
        found = self.releases.of_file(path, (*contents.pods, *contents.run_context.image_tags))
        return lambda judged: (found.of_text(judged).target,)

    def secrets_near(self, path: str) -> HiddenWords:
        """The secrets of the cloud.confs near a file with Services, which it may have copies of."""
        return _secrets_of(self.run_context.confs.get(path, ()))

    def find_options(self, path: str, *, explicit: bool) -> FindOptions:
        """How a file is searched."""
        return options_with_builds(self.settings.find._replace(explicit=explicit), path, self.run_context.builds)

    def _is_hidden(self, found: LocatedProblem) -> bool:
        """Whether a finding of a build lies in a file that was not asked for, or for which the rule is off."""
        path = found.place.path
        return path in self.run_context.builds.hidden or found.rule in self._off(path)

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
        return frozenset(name for name in self.object_rules.get(SERVICE, ()) if THE_CONF in rule(name).META.needs)

    def _runs(self, name: str) -> bool:
        settings = self.settings
        if settings.only and name not in settings.only:
            return False
        return not (name in settings.severities and settings.severities[name] is None)

    def is_off(self, path: str) -> bool:
        """Whether the configuration switches off every rule for a file."""
        return self.ran <= self._off(path)

    def _off(self, path: str) -> frozenset[str]:
        ignores = self.settings.path_ignores
        if not ignores:
            return frozenset()
        return ignores.rules_for(self._relative(path))

    def _relative(self, path: str) -> str:
        """A path from the folder that the configuration is for, with slashes."""
        relative = os.path.relpath(os.path.abspath(path), self.settings.root or os.curdir)  # noqa: PTH100
        return relative.replace(os.sep, "/")


def _bundle_of(path: str, whole: str, run_context: RunContext) -> Bundle | None:
    """The files of a build, where a file stands for one."""
    if path not in run_context.builds.bundles:
        return None
    from ccmcheck.kustomize.bundle import Bundle

    return Bundle(whole)


@lru_cache(maxsize=64)
def _secrets_of(confs: tuple[NearbyConf, ...]) -> HiddenWords:
    return HiddenWords(word for conf in confs for word in conf.secrets)


def _order(problem: LocatedProblem) -> tuple[int, int, int, int, str]:
    place = problem.place
    return (place.line, place.column, place.inner_line, place.inner_column, problem.rule)
