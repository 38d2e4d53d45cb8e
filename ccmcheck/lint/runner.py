"""From paths to a result: find the files, look for the CCM's own pods, lint each file, count."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck import carriers
from ccmcheck.base import text
from ccmcheck.base.model import Applicability
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure, LintResult, Summary
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.prefilter import needed_by_other_files
from ccmcheck.lint import parallel
from ccmcheck.lint.engine import FileResult, Linter, Settings
from ccmcheck.lint.selection import rules_not_judged
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, DiscoverReport, Target
from ccmcheck.workspace.related_files import RelatedFiles
from ccmcheck.workspace.survey import StandardInput, SurveyedFile, read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.base.model import Finding
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.baseline import Baseline

KEPT_BYTES = 16 * 1024 * 1024
"""How many bytes of the survey are kept for linting; the other files are read once more."""


class RunOptions(NamedTuple):
    """What one run was asked for.

    Attributes:
        settings: See `ccmcheck.lint.engine.Settings`.
        discover: What narrows the files.
        run_context: What the options say about the cluster; the files' share is added to it.
        jobs: How many processes; None to decide.
        baseline: What is known already.
        tell_unjudged: Whether to report the rules that lack an input; all rules are loaded for it.
        stdin: The bytes of standard input, read for the path ``-``.
        stdin_name: What to call it.
    """

    settings: Settings = Settings()
    discover: DiscoverOptions = DiscoverOptions()
    run_context: RunContext = RunContext()
    jobs: int | None = None
    baseline: Baseline | None = None
    tell_unjudged: bool = True
    stdin: bytes = b""
    stdin_name: str = "<stdin>"


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
    work = partial(_lint, survey.linter, options.discover.max_size)
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
        self.with_confs = self.with_findings = self.suppressed = 0
        self._keeps_paths = keeps_paths

    def count(self, result: FileResult) -> None:
        """Take one file's result in."""
        self.findings += result.findings
        self.failures += result.failures
        self.carriers.update(result.carriers)
        self.judged.update(result.judged)
        self.with_confs += bool(result.carriers)
        self.with_findings += result.with_findings
        self.suppressed += result.suppressed
        if self._keeps_paths and (result.findings or result.failures or result.judged):
            self.linted.append(result.path)


class LintSurvey(NamedTuple):
    """The files of a run, before they are linted.

    Attributes:
        linter: Knows what was asked for, and how the CCM is run.
        files: The files worth linting, in order, with their bytes where those were kept.
        failures: The files that could not be read.
        seen: How many files were looked at.
        report: What there is to say of the search for them.
    """

    linter: Linter
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
    shared: list[RunContext] = []
    related = RelatedFiles(options.settings.find)
    stdin = StandardInput(options.stdin_name, options.stdin)
    report = DiscoverReport()
    for file in read_files(paths, options.discover._replace(report=report), stdin=stdin):
        if isinstance(file, Failure):
            failures.append(file)
            continue
        seen += 1
        path, data = file.target.path, file.data
        if data is None:
            related.not_linted.append(path)
            continue
        related.add(path, data)
        shared += _shared(path, data, options)
        kept += len(data)
        files.append(file if kept <= KEPT_BYTES else file._replace(data=None))
    run_context = related.resolve(options.run_context.joined(shared), _Reader(files, options.discover.max_size))
    return LintSurvey(Linter(options.settings, run_context), files, failures, seen, report)


def bytes_of(file: SurveyedFile, max_size: int) -> bytes | Failure | None:
    """The bytes of a file worth linting, from the survey where they were kept."""
    return file.data if file.data is not None else discover.read(file.target, max_size)


class _Reader:
    """Reads files of the run once more, from the survey where their bytes were kept.

    Args:
        files: The files worth linting.
        max_size: Bytes above which a file is not read.
    """

    def __init__(self, files: Sequence[SurveyedFile], max_size: int) -> None:
        self._files = files
        self._max_size = max_size
        self._by_path: dict[str, SurveyedFile] = {}

    def __call__(self, path: str) -> bytes | None:
        """A file's bytes; None where it cannot be read."""
        if not self._by_path:
            self._by_path = {file.target.path: file for file in self._files}
        file = self._by_path.get(path) or SurveyedFile(Target(path, explicit=True), None)
        data = bytes_of(file, self._max_size)
        return None if isinstance(data, Failure) else data


def _shared(path: str, data: bytes, options: RunOptions) -> Sequence[RunContext]:
    """What the rules about other files need of one file."""
    if not needed_by_other_files(data):
        return ()
    try:
        return (carriers.find(path, text.decode(data).text, options.settings.find).run_context,)
    except Exception:  # noqa: BLE001 - reported when the file itself is linted
        return ()


def _lint(linter: Linter, max_size: int, file: SurveyedFile) -> FileResult:
    path, explicit = file.target
    data = bytes_of(file, max_size)
    if isinstance(data, Failure):
        return FileResult(path, failures=(data,))
    return linter.lint(path, data, explicit=explicit) if data is not None else FileResult(path)


def _result(
    tally: _Tally,
    survey: LintSurvey,
    options: RunOptions,
    started: float,
) -> LintResult:
    linter = survey.linter
    findings = tally.findings
    failures = survey.failures + tally.failures
    baselined = 0
    notes = list(survey.report.notes)
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
        unjudged=rules_not_judged(linter.ran, linter.run_context, {consumer for _, consumer, _ in judged})
        if (tally.carriers or linter.run_context.services) and options.tell_unjudged
        else (),
        notes=tuple(notes),
        warnings=tuple(_switched_off(survey)),
        carriers=tuple(sorted(tally.carriers.items())),
    )
    return LintResult(findings, failures, summary)


def _switched_off(survey: LintSurvey) -> Iterator[str]:
    """Say that options or the configuration leave nothing to lint, which a change may have done on purpose."""
    linter = survey.linter
    if not linter.ran:
        yield "Every rule is switched off"
    elif (
        survey.files and linter.settings.path_ignores and all(linter.is_off(file.target.path) for file in survey.files)
    ):
        yield "per-path-ignores switches every rule off for every file"
    if not survey.seen and survey.report.excluded:
        yield "Every file is excluded"


def _named(release: str, consumer: str) -> str:
    return release if consumer == "ccm" else f"{consumer} {release}"
