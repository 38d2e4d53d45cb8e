"""From paths to a result: lint each file of a run, and count."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.budget import OVER, cut
from ccmcheck.base.model import Applicability, Finding
from ccmcheck.base.result import Failure, LintResult, SkippedRule, Summary
from ccmcheck.kustomize.builds import NO_BUILDS
from ccmcheck.lint import first_look, parallel
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileResult, FileVerdict
from ccmcheck.lint.run_options import Linters, RunOptions
from ccmcheck.lint.run_survey import LintSurvey, bytes_of, survey_for_lint
from ccmcheck.lint.selection import rules_not_judged
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.read_files import SurveyedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.baseline import Baseline, Baselines
    from ccmcheck.lint.kept_results import KeptResults


MOST_NOTES = 100
"""Notes about files that ``-v`` prints."""


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
    try:
        survey = survey_for_lint(paths, options)
    except OVER as error:
        return LintResult((), (Failure(paths[0], *cut(error, "not all files were read, and none was judged")),))
    return lint_survey(survey, options, started, progress)


def lint_survey(
    survey: LintSurvey, options: RunOptions, started: float, progress: Callable[[int, int], None] | None = None
) -> LintResult:
    """Lint the files of a survey.

    Args:
        survey: The files.
        options: What was asked for.
        started: When the run began, by `time.monotonic`.
        progress: Called with the number of files done and of all files.
    """
    files = survey.files
    # before any fork: children share what is read and made here
    linters = survey.linters.of_files(files, options.stdin_name)
    kept = options.kept() if options.kept is not None and survey.seen >= first_look.WORTH_KEEPING else None
    tally = _Tally(options.baseline)
    done = 0
    try:
        for done, judged in enumerate(_judged(survey, options, kept), 1):
            result = judged.result
            if kept is not None:
                kept.keep(judged)
            tally.count(result if options.finished is None else options.finished(result))
            if progress is not None:
                progress(done, len(files))
        if kept is not None:
            kept.save()
    except OVER as error:
        said, hint = cut(error, f"{len(files) - done:,} of {len(files):,} files were not read, from this one on")
        if done < len(files):
            tally.failures.append(Failure(files[done].target.path, said, hint))
    return _result(tally, survey, linters, options, started)


class _Tally:
    """Counts the results of the files, and keeps only what is reported: nothing of a file without findings.

    Args:
        baseline: What the findings are compared with; names of files that were judged are kept where it is about them.
    """

    def __init__(self, baseline: Baseline | Baselines | None) -> None:
        self.findings: list[Finding] = []
        self.failures: list[Failure] = []
        self.carriers = Counter[str]()
        self.judged: set[TargetRelease] = set()
        self.linted: list[str] = []
        self.notes: list[str] = []
        self.with_confs = self.with_findings = self.suppressed = 0
        self.upstream_copies = self.unlisted = self.noted = 0
        self._baseline = baseline
        self._at: dict[object, int] = {}
        self._builds: dict[int, list[str]] = {}

    def count(self, result: FileResult) -> None:
        """Take one file's result in."""
        if result.is_build:
            self._count_build(result)
        else:
            self.findings += result.findings
        self.failures += result.failures
        self.carriers.update(result.carriers)
        self.judged.update(result.judged)
        self._note(result.notes)
        self.with_confs += bool(result.carriers)
        self.with_findings += result.with_findings
        self.suppressed += result.suppressed
        self.upstream_copies += bool(result.unlisted)
        self.unlisted += result.unlisted
        is_judged = result.findings or result.failures or result.judged
        if is_judged and self._baseline is not None and self._baseline.is_about((result.path,)):
            self.linted.append(result.path)

    def unlisted_findings(self) -> Iterator[str]:
        """What is not listed, in one line."""
        if self.upstream_copies:
            copies = f"{self.upstream_copies:,} file{'s' * (self.upstream_copies != 1)}"
            findings = f"{self.unlisted:,} finding{'s' * (self.unlisted != 1)}"
            yield f"{findings} in {copies} as cloud-provider-openstack has them in manifests/ are not listed"

    def _note(self, notes: Sequence[str]) -> None:
        """Take in some notes: all are counted, and only as many are kept as may be printed."""
        self.notes += notes
        self.noted += len(notes)
        if len(self.notes) > 10 * MOST_NOTES:
            self.notes = sorted(self.notes)[:MOST_NOTES]

    def _count_build(self, result: FileResult) -> None:
        """Take in what a kustomization builds: what a rule says of one place counts once, whatever builds have it."""
        seen = Counter[object]()
        for finding in result.findings:
            place = finding.rule, finding.place[:5]
            seen[place] += 1
            at = self._at.setdefault((*place, seen[place]), len(self.findings))
            self._builds.setdefault(at, []).append(result.path)
            if at == len(self.findings):
                self.findings.append(finding)
            elif finding.severity > self.findings[at].severity:
                self.findings[at] = finding

    def reported(self) -> list[Finding]:
        """The findings, those of builds with the kustomizations that have them."""
        for at, paths in self._builds.items():
            self.findings[at] = self.findings[at]._replace(deployments=tuple(paths))
        return self.findings


def _judged(survey: LintSurvey, options: RunOptions, kept: KeptResults | None) -> Iterator[FileVerdict]:
    """The verdict on each file: what was kept of it, else what its linter says, in parallel where they are many."""
    linters, files = survey.linters, survey.files
    work = partial(_lint, linters, options.discover, kept)
    if kept is None:
        yield from parallel.spread(work, files, parallel.processes(len(files), options.jobs))
        return
    codes = [kept.known(linters.of(file.target.path), file) for file in files]
    unknown = [file for file, code in zip(files, codes, strict=True) if not code]
    others = parallel.spread(work, unknown, parallel.processes(len(unknown), options.jobs))
    for file, code in zip(files, codes, strict=True):
        read = partial(bytes_of, file, options.discover, NO_BUILDS)
        yield (kept.again(code, file, read) or work(file)) if code else next(others)
    next(others, None)  # what is left of it waits for the processes


def _lint(linters: Linters, limits: DiscoverOptions, kept: KeptResults | None, file: SurveyedFile) -> FileVerdict:
    path, explicit = file.target
    data = bytes_of(file, limits, linters.run_context.builds)
    if data is None or isinstance(data, Failure):
        return FileVerdict(FileResult(path, failures=(data,) if data is not None else ()))
    linter = linters.of(path)
    if kept is not None:
        return kept.judge(linter, file.target, data)
    return FileVerdict(linter.lint(path, data, explicit=explicit))


def _result(
    tally: _Tally, survey: LintSurvey, linters: Sequence[Linter], options: RunOptions, started: float
) -> LintResult:
    findings = tally.reported()
    failures = survey.failures + tally.failures
    baselined = 0
    notes = [*survey.report.notes, *_shortened(sorted(tally.notes), tally.noted)]
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
        left_out=survey.left_out,
        notes=tuple(notes),
        warnings=(*_switched_off(survey, linters), *tally.unlisted_findings()),
        carriers=tuple(sorted(tally.carriers.items())),
        services=survey.linters.run_context.services,
        has_answers=survey.has_answers,
        logs=tuple(survey.logs),
    )
    return LintResult(findings, failures, summary)


def _shortened(lines: Sequence[str], count: int) -> list[str]:
    """The first of many lines, and how many more there are of all."""
    more = count - MOST_NOTES
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
