"""From paths to a result: find the files, look for the CCM's own pods, lint each file, count."""

from __future__ import annotations

import os
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge
from ccmcheck.base.model import Applicability
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure, LintResult, SkippedRule, Summary
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.collector import options_with_builds
from ccmcheck.carriers.prefilter import needed_by_other_files
from ccmcheck.kustomize.builds import NO_BUILDS, WHOLE
from ccmcheck.lint import parallel
from ccmcheck.lint.engine import FileResult, Linter, Settings
from ccmcheck.lint.selection import rules_not_judged
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, DiscoverReport, Target
from ccmcheck.workspace.kustomizations import find_builds
from ccmcheck.workspace.related_files import RelatedFiles
from ccmcheck.workspace.release_finder import ReleaseFinder, search_around
from ccmcheck.workspace.survey import STDIN, StandardInput, SurveyedFile, read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.base.model import Finding
    from ccmcheck.base.profile import Requirement
    from ccmcheck.carriers import FindOptions
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.kustomize.builds import Builds
    from ccmcheck.lint.baseline import Baseline, Baselines
    from ccmcheck.workspace.release_finder import ReleaseSearch

KEPT_BYTES = 16 * 1024 * 1024
"""How many bytes of the survey are kept for linting; the other files are read once more."""

MOST_NOTES = 100
"""Notes about files that ``-v`` prints."""


class FileOptions(NamedTuple):
    """What the configuration of a file says, with the options of the run, which win.

    Attributes:
        settings: See `ccmcheck.lint.engine.Settings`.
        requirements: Those of the profiles.
        facts: What is known of the cluster and the cloud.
        fixes: Whether the fixes of a rule are made, by its name.
    """

    settings: Settings
    requirements: tuple[Requirement, ...] = ()
    facts: ClusterFacts = NO_FACTS
    fixes: Callable[[str], bool] = bool


class RunOptions(NamedTuple):
    """What one run was asked for.

    Attributes:
        settings: See `ccmcheck.lint.engine.Settings`.
        options_of: The options of a file, where they depend on the file: the same object for the same options.
        discover: What narrows the files.
        run_context: What the options say about the cluster; the files' share is added to it.
        jobs: How many processes; None to decide.
        baseline: What is known already.
        tell_unjudged: Whether to report the rules that lack an input; all rules are loaded for it.
        stdin: The bytes of standard input, read for the path ``-``.
        stdin_name: What to call it.
    """

    settings: Settings = Settings()
    options_of: Callable[[str], FileOptions] | None = None
    discover: DiscoverOptions = DiscoverOptions()
    run_context: RunContext = RunContext()
    jobs: int | None = None
    baseline: Baseline | Baselines | None = None
    tell_unjudged: bool = True
    stdin: bytes = b""
    stdin_name: str = "<stdin>"

    def settings_of(self, path: str) -> Settings:
        """The settings of a file."""
        return self.settings if self.options_of is None else self.options_of(path).settings

    def find_options(self, path: str) -> FindOptions:
        """How a file is searched."""
        return options_with_builds(self.settings_of(path).find, path, self.run_context.builds)


class Linters:
    """The linter of each file: one for each configuration.

    Args:
        options: What the run was asked for.
        run_context: What was found in the run beforehand.
        releases: Finds the releases of files for which nobody names one.
    """

    def __init__(self, options: RunOptions, run_context: RunContext, releases: ReleaseFinder | None = None) -> None:
        self.run_context = run_context
        self._releases = releases
        self._of = options.options_of
        self._for_all = FileOptions(options.settings, run_context.requirements)
        self._by_options: dict[int, Linter] = {}

    def of(self, path: str) -> Linter:
        """The linter of a file."""
        options = self._of(path) if self._of is not None else self._for_all
        found = self._by_options.get(id(options))
        if found is None:
            facts = merge(options.facts, self.run_context.facts)
            around = self.run_context._replace(requirements=options.requirements, facts=facts)
            found = self._by_options[id(options)] = Linter(options.settings, around, self._releases)
        return found

    def of_files(self, files: Sequence[SurveyedFile], place: str) -> list[Linter]:
        """The linters of some files, each once; without files that of a place."""
        paths = (file.target.path for file in files)
        found = {id(linter): linter for linter in map(self.of, paths)} if self._of is not None else {}
        return list(found.values()) or [self.of(place)]


def run(paths: Sequence[str], options: RunOptions, progress: Callable[[int, int], None] | None = None) -> LintResult:
    """Lint everything below some paths.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What was asked for.
        progress: Called with the number of files done and of all files.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    started = time.monotonic()
    survey = survey_for_lint(paths, options)
    files = survey.files
    # before any fork: children share what is read and made here
    survey.linters.of_files(files, options.stdin_name)
    work = partial(_lint, survey.linters, options.discover)
    tally = _Tally(keeps_paths=options.baseline is not None)
    count = parallel.processes(len(files), options.jobs)
    for done, result in enumerate(parallel.spread(work, files, count), 1):
        tally.count(result)
        if progress is not None:
            progress(done, len(files))
    return _result(tally, survey, options, started)


class _Tally:
    """Counts the results of the files, and keeps only what is reported: nothing of a file without findings.

    Args:
        keeps_paths: Whether to keep the names of all files that were judged.
    """

    def __init__(self, *, keeps_paths: bool) -> None:
        self.findings: list[Finding] = []
        self.failures: list[Failure] = []
        self.carriers = Counter[str]()
        self.judged: set[TargetRelease] = set()
        self.linted: list[str] = []
        self.notes: list[str] = []
        self.with_confs = self.with_findings = self.suppressed = 0
        self._keeps_paths = keeps_paths
        self._of_builds: set[object] = set()

    def count(self, result: FileResult) -> None:
        """Take one file's result in."""
        for finding in result.findings:
            # overlays that have a base in common have its findings in common
            if result.is_build:
                key = (finding.rule, finding.place[:5], finding.label)
                if key in self._of_builds:
                    continue
                self._of_builds.add(key)
            self.findings.append(finding)
        self.failures += result.failures
        self.carriers.update(result.carriers)
        self.judged.update(result.judged)
        self.notes += result.notes
        self.with_confs += bool(result.carriers)
        self.with_findings += result.with_findings
        self.suppressed += result.suppressed
        if self._keeps_paths and (result.findings or result.failures or result.judged):
            self.linted.append(result.path)


class LintSurvey(NamedTuple):
    """The files of a run, before they are linted.

    Attributes:
        linters: The linter of each file.
        files: The files worth linting, in order, with their bytes where those were kept.
        failures: The files that could not be read.
        seen: How many files were looked at.
        report: What there is to say of the search for them.
    """

    linters: Linters
    files: list[SurveyedFile]
    failures: list[Failure]
    seen: int
    report: DiscoverReport


def survey_for_lint(paths: Sequence[str], options: RunOptions) -> LintSurvey:
    """Read every file once: which are worth linting, how the CCM is run, and what the rules about Services need.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What was asked for.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    seen = kept = 0
    files: list[SurveyedFile] = []
    failures: list[Failure] = []
    paths_seen: list[str] = []
    shared: dict[str, Sequence[RunContext]] = {}
    related = RelatedFiles(options.find_options)
    stdin = StandardInput(options.stdin_name, options.stdin)
    report = DiscoverReport()
    limits = options.discover._replace(report=report, diff_base="")
    changed = _changed(paths, options, failures) if options.discover.diff_base else None
    for file in read_files(paths, limits, stdin=stdin):
        if isinstance(file, Failure):
            if changed is None or file.path in changed:
                failures.append(file)
            continue
        seen += changed is None or file.target.path in changed
        path, data = file.target.path, file.data
        paths_seen.append(path)
        if data is None:
            related.not_linted.append(path)
            continue
        related.add(path, data)
        shared[path] = _shared(path, data, options)
        kept += len(data)
        files.append(file if kept <= KEPT_BYTES else file._replace(data=None))
    builds = find_builds(paths_seen, [file.target.path for file in files], limits)
    if builds is not NO_BUILDS:
        options = options._replace(run_context=options.run_context._replace(builds=builds))
        related, files = _with_builds(related, files, shared, options)
    contributions = [one for of_file in shared.values() for one in of_file]
    run_context = related.resolve(options.run_context.joined(contributions), _Reader(files, options.discover))
    search = search_around(paths, limits, options.find_options)
    releases = ReleaseFinder(search, (*run_context.pods, *run_context.image_tags))
    if changed is not None:
        affected = _affected(files, changed, options, run_context, (search, releases))
        affected |= _changed_builds(builds, changed | affected)
        seen += len(affected)
        files = [file for file in files if file.target.path in changed or file.target.path in affected]
    for file in files:
        if not options.settings_of(file.target.path).judged:
            releases.look_around(file.target.path)
    return LintSurvey(Linters(options, run_context, releases), files, failures, seen, report)


def _changed(paths: Sequence[str], options: RunOptions, failures: list[Failure]) -> frozenset[str]:
    """The files that differ from the base, and standard input; what is no file is a failure."""
    found = [options.stdin_name]
    for target in discover.discover([path for path in paths if path != STDIN], options.discover):
        if isinstance(target, Failure):
            failures.append(target)
        else:
            found.append(target.path)
    return frozenset(found)


def _affected(
    files: Sequence[SurveyedFile],
    changed: frozenset[str],
    options: RunOptions,
    run_context: RunContext,
    releases: tuple[ReleaseSearch, ReleaseFinder],
) -> frozenset[str]:
    """The files that did not change themselves, but what they are judged by."""
    from ccmcheck.workspace.affected_files import affected_by_release, affected_services

    same = [
        file.target.path
        for file in files
        if file.target.path not in changed and not options.settings_of(file.target.path).judged
    ]
    by_release = affected_by_release(same, changed, options.discover.diff_base, *releases)
    return frozenset([*by_release, *affected_services(run_context, changed)])


def _changed_builds(builds: Builds, changed: frozenset[str]) -> frozenset[str]:
    """The kustomizations that are built from a file that changed."""
    if builds is NO_BUILDS:
        return frozenset()
    from ccmcheck.kustomize.bundle import Bundle

    names = {os.path.normpath(path) for path in changed}
    return frozenset(
        path for path, text in builds.bundles.items() if any(part.path in names for part in Bundle(text).parts)
    )


def _with_builds(
    related: RelatedFiles, files: list[SurveyedFile], shared: dict[str, Sequence[RunContext]], options: RunOptions
) -> tuple[RelatedFiles, list[SurveyedFile]]:
    """The files of a run with the builds in the place of their kustomizations.

    Args:
        related: Knows the files.
        files: The files worth linting.
        shared: What each file says about the others; it is changed.
        options: What the run was asked for, with the builds.
    """
    builds = options.run_context.builds
    again = RelatedFiles(options.find_options)
    again.not_linted = related.not_linted
    read = _Reader(files, options.discover)
    kept: list[SurveyedFile] = []
    for file in files:
        path = file.target.path
        documents = builds.documents_of(path)
        if os.path.normpath(path) in builds.bundles or WHOLE in documents:
            shared.pop(path, None)
            continue
        data = read(path)
        if data is not None:
            again.add(path, data)
            if documents:
                shared[path] = _shared(path, data, options)
        kept.append(file)
    for path, bundle in builds.bundles.items():
        data = text.encode(bundle)
        again.add(path, data)
        shared[path] = _shared(path, data, options)
        kept.append(SurveyedFile(Target(path), data))
    return again, kept


def bytes_of(file: SurveyedFile, limits: DiscoverOptions) -> bytes | Failure | None:
    """The bytes of a file worth linting, from the survey where they were kept."""
    return file.data if file.data is not None else discover.read(file.target, limits.max_size_of(file.target.path))


class _Reader:
    """Reads files of the run once more, from the survey where their bytes were kept.

    Args:
        files: The files worth linting.
        limits: Which files are read.
    """

    def __init__(self, files: Sequence[SurveyedFile], limits: DiscoverOptions) -> None:
        self._files = files
        self._limits = limits
        self._by_path: dict[str, SurveyedFile] = {}

    def __call__(self, path: str) -> bytes | None:
        """A file's bytes; None where it cannot be read."""
        if not self._by_path:
            self._by_path = {file.target.path: file for file in self._files}
        file = self._by_path.get(path) or SurveyedFile(Target(path, explicit=True), None)
        data = bytes_of(file, self._limits)
        return None if isinstance(data, Failure) else data


def _shared(path: str, data: bytes, options: RunOptions) -> Sequence[RunContext]:
    """What the rules about other files need of one file."""
    if not needed_by_other_files(data):
        return ()
    try:
        return (carriers.find(path, text.decode(data).text, options.find_options(path)).run_context,)
    except Exception:  # noqa: BLE001 - reported when the file itself is linted
        return ()


def _lint(linters: Linters, limits: DiscoverOptions, file: SurveyedFile) -> FileResult:
    path, explicit = file.target
    data = bytes_of(file, limits)
    if isinstance(data, Failure):
        return FileResult(path, failures=(data,))
    return linters.of(path).lint(path, data, explicit=explicit) if data is not None else FileResult(path)


def _result(
    tally: _Tally,
    survey: LintSurvey,
    options: RunOptions,
    started: float,
) -> LintResult:
    linters = survey.linters.of_files(survey.files, options.stdin_name)
    findings = tally.findings
    failures = survey.failures + tally.failures
    baselined = 0
    notes = [*survey.report.notes, *_shortened(sorted(tally.notes))]
    if options.baseline is not None:
        findings, baselined, stale = options.baseline.filter(findings, tally.linted)
        notes += [
            f"the baseline holds {count.recorded} of {count.rule} in {count.path}, {count.found} left: write it again"
            for count in stale
        ]
    findings.sort(key=lambda finding: finding.place.path)
    failures.sort(key=lambda failure: (failure.path, failure.line))
    fixes = Counter(finding.fix for finding in findings)
    judged = sorted({(one.release, one.consumer, one.source) for one in tally.judged})
    summary = Summary(
        files=survey.seen,
        files_with_cloud_conf=tally.with_confs,
        cloud_confs=tally.carriers.total(),
        cloud_confs_with_findings=tally.with_findings,
        seconds=time.monotonic() - started,
        releases=tuple(dict.fromkeys(_named(release.name, consumer) for release, consumer, _ in judged)),
        release_source=", ".join(dict.fromkeys(source for _, _, source in judged)),
        suppressed=tally.suppressed,
        baselined=baselined,
        fixable_safe=fixes[Applicability.SAFE],
        fixable_unsafe=fixes[Applicability.UNSAFE],
        unjudged=_unjudged(linters, {consumer for _, consumer, _ in judged})
        if (tally.carriers or survey.linters.run_context.services) and options.tell_unjudged
        else (),
        notes=tuple(notes),
        warnings=tuple(_switched_off(survey, linters)),
        carriers=tuple(sorted(tally.carriers.items())),
        services=survey.linters.run_context.services,
    )
    return LintResult(findings, failures, summary)


def _shortened(lines: Sequence[str]) -> list[str]:
    """The first of many lines, and how many more there are."""
    more = len(lines) - MOST_NOTES
    return (
        [*lines[:MOST_NOTES], f"{more:,} more notes like these; see ccmcheck list -v for look-alikes"]
        if more > 0
        else list(lines)
    )


def _unjudged(linters: Sequence[Linter], consumers: set[str]) -> tuple[SkippedRule, ...]:
    """The rules that could not judge any file."""
    first, *others = (rules_not_judged(linter.ran, linter.run_context, consumers) for linter in linters)
    if not others:
        return first
    skipped = {rule.rule: rule for rules in (first, *others) for rule in rules}
    ran = [(linter.ran, {rule.rule for rule in rules}) for linter, rules in zip(linters, (first, *others), strict=True)]
    return tuple(skipped[name] for name in skipped if all(name in un or name not in all_ for all_, un in ran))


def _switched_off(survey: LintSurvey, linters: Sequence[Linter]) -> Iterator[str]:
    """Say that options or configurations leave nothing to lint, which a change may have done on purpose."""
    if not any(linter.ran for linter in linters):
        yield "Every rule is switched off"
    elif (
        survey.files
        and any(linter.settings.path_ignores for linter in linters)
        and all(survey.linters.of(file.target.path).is_off(file.target.path) for file in survey.files)
    ):
        yield "per-path-ignores switches every rule off for every file"
    if not survey.seen and survey.report.excluded:
        yield "Every file is excluded"


def _named(release: str, consumer: str) -> str:
    return release if consumer == "ccm" else f"{consumer} {release}"
