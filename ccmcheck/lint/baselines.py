"""The baselines of a run whose configurations name several, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from ccmcheck.base.model import Finding
from ccmcheck.lint.baseline import Baseline, Filtered


class Baselines:
    """The baseline of each file, where they depend on the file.

    Args:
        baseline_of: Gives a file's baseline; None where it has none. The same object for the same baseline.
    """

    def __init__(self, baseline_of: Callable[[str], Baseline | None]) -> None:
        self._of = baseline_of

    def is_about(self, paths: Iterable[str]) -> bool:
        """Whether any of some files has a baseline."""
        return any(self._of(path) is not None for path in paths)

    def filter(self, findings: Iterable[Finding], linted: Iterable[str] | None = None) -> Filtered:
        """Take away what is recorded; see `Baseline.filter`."""
        from ccmcheck.lint.baseline import Filtered

        baseline_of = cache(self._of)
        baselines: dict[int, Baseline] = {}
        theirs: dict[int, tuple[list[Finding], list[str]]] = {}
        new: list[Finding] = []

        def add(path: str, finding: Finding | None) -> None:
            baseline = baseline_of(path)
            if baseline is None:
                new.extend([finding] if finding is not None else [])
                return
            baselines[id(baseline)] = baseline
            found_findings, paths = theirs.setdefault(id(baseline), ([], []))
            if finding is not None:
                found_findings.append(finding)
            else:
                paths.append(path)

        for finding in findings:
            add(finding.place.path, finding)
        for path in linted or ():
            add(path, None)
        results = [baselines[key].filter(*theirs[key]) for key in theirs]
        return Filtered(
            [*new, *(finding for result in results for finding in result.new)],
            sum(result.baselined for result in results),
            [stale for result in results for stale in result.stale],
        )
