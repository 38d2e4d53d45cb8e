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
from ccmcheck.carriers.base import Bundle
from ccmcheck.carriers.prefilter import tells_others
from ccmcheck.lint import parallel
from ccmcheck.lint.engine import FileResult, Linter, Settings
from ccmcheck.lint.selection import unjudged
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions, Target
from ccmcheck.workspace.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.base.model import Finding
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.baseline import Baseline

KEPT_BYTES = 16 * 1024 * 1024
"""How much of what was read while looking for files is kept for linting; the rest is read once more."""


class RunOptions(NamedTuple):
    """What one run was asked for.

    Attributes:
        settings: See `ccmcheck.lint.engine.Settings`.
        discover: What narrows the files.
        bundle: What the user told about the cluster; the CCM's pods are added to it.
        jobs: How many processes; None to decide.
        baseline: What is known already.
        tell_unjudged: Whether to say which rules stayed quiet for want of an input; all rules are loaded for it.
        stdin: The bytes of standard input, read for the path ``-``.
        stdin_name: What to call it.
    """

    settings: Settings = Settings()
    discover: DiscoverOptions = DiscoverOptions()
    bundle: Bundle = Bundle()
    jobs: int | None = None
    baseline: Baseline | None = None
    tell_unjudged: bool = True
    stdin: bytes = b""
    stdin_name: str = "<stdin>"


class Found(NamedTuple):
    """A file worth linting, with its bytes where they were kept."""

    target: Target
    data: bytes | None


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
    survey = look_around(paths, options)
    linter, found, failures = survey.linter, survey.found, survey.failures
    work = partial(_lint, linter, options.discover.max_size)
    tally = _Tally(keeps_paths=options.baseline is not None)
    count = parallel.processes(len(found), options.jobs)
    for done, result in enumerate(parallel.spread(work, found, count), 1):
        tally.count(result)
        if progress is not None:
            progress(done, len(found))
    return _result(tally, failures, survey, options, started)


class _Tally:
    """Counts what files gave, and keeps of them only what is told: of a right file, nothing.

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


class Survey(NamedTuple):
    """What a first look at every file gave.

    Attributes:
        linter: Knows what was asked for, and how the CCM is run.
        found: The files worth linting, in order.
        failures: Those that could not be read.
        seen: How many files were looked at.
    """

    linter: Linter
    found: list[Found]
    failures: list[Failure]
    seen: int


def look_around(paths: Sequence[str], options: RunOptions) -> Survey:
    """Look at every file once: which are worth linting, and which say how the CCM is run.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What was asked for.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    seen = kept = 0
    found: list[Found] = []
    failures: list[Failure] = []
    told: list[Bundle] = []
    limit = options.discover.max_size
    around = Surroundings(options.settings.find)
    passed = around.passed
    if "-" in paths:
        seen = 1
        entered = discover.within(options.stdin_name, options.stdin, limit)
        if isinstance(entered, Failure):
            failures.append(entered)
        else:
            found.append(Found(Target(options.stdin_name, explicit=True), entered))
            told += _told(options.stdin_name, entered, options)
            around.met(options.stdin_name, entered)
    for target in discover.discover([path for path in paths if path != "-"], options.discover):
        if isinstance(target, Failure):
            failures.append(target)
            continue
        seen += 1
        data = discover.read(target, limit)
        if data is None:
            passed.append(target.path)
            continue
        if isinstance(data, Failure):
            failures.append(data)
            continue
        around.met(target.path, data)
        told += _told(target.path, data, options)
        kept += len(data)
        found.append(Found(target, data if kept <= KEPT_BYTES else None))
    bundle = around.told(options.bundle.joined(told), _Reader(found, limit))
    return Survey(Linter(options.settings, bundle), found, failures, seen)


def bytes_of(found: Found, max_size: int) -> bytes | Failure | None:
    """The bytes of a file worth linting, from the first look where they were kept."""
    return found.data if found.data is not None else discover.read(found.target, max_size)


class _Reader:
    """Reads files of the run once more, from the first look where their bytes were kept.

    Args:
        found: The files worth linting.
        max_size: Bytes above which a file is not read.
    """

    def __init__(self, found: Sequence[Found], max_size: int) -> None:
        self._found = found
        self._max_size = max_size
        self._by_path: dict[str, Found] = {}

    def __call__(self, path: str) -> bytes | None:
        """A file's bytes; None where it cannot be read."""
        if not self._by_path:
            self._by_path = {one.target.path: one for one in self._found}
        found = self._by_path.get(path) or Found(Target(path, explicit=True), None)
        data = bytes_of(found, self._max_size)
        return None if isinstance(data, Failure) else data


def _told(path: str, data: bytes, options: RunOptions) -> Sequence[Bundle]:
    """What one file tells other files' rules, where it tells anything."""
    if not tells_others(data):
        return ()
    try:
        return (carriers.find(path, text.decode(data).text, options.settings.find).told,)
    except Exception:  # noqa: BLE001 - told when the file itself is linted
        return ()


def _lint(linter: Linter, max_size: int, found: Found) -> FileResult:
    path, explicit = found.target
    data = bytes_of(found, max_size)
    if isinstance(data, Failure):
        return FileResult(path, failures=(data,))
    return linter.lint(path, data, explicit=explicit) if data is not None else FileResult(path)


def _result(
    tally: _Tally,
    failures: list[Failure],
    survey: Survey,
    options: RunOptions,
    started: float,
) -> LintResult:
    linter = survey.linter
    findings = tally.findings
    failures += tally.failures
    baselined = 0
    notes: list[str] = []
    if options.baseline is not None:
        findings, baselined, stale = options.baseline.filter(findings, tally.linted)
        notes += [
            f"the baseline holds {one.recorded} of {one.rule} in {one.path}, {one.found} are left: write it anew"
            for one in stale
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
        unjudged=unjudged(linter.ran, linter.bundle, {consumer for _, consumer, _ in judged})
        if (tally.carriers or linter.bundle.services) and options.tell_unjudged
        else (),
        notes=tuple(notes),
        carriers=tuple(sorted(tally.carriers.items())),
    )
    return LintResult(findings, failures, summary)


def _named(release: str, consumer: str) -> str:
    return release if consumer == "ccm" else f"{consumer} {release}"
