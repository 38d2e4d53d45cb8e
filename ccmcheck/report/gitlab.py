"""GitLab's code quality report: a JSON array in Code Climate's vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.report.fingerprint import digest, fingerprints
from ccmcheck.report.paths import in_repository
from ccmcheck.report.prose import message_of
from ccmcheck.report.records import dumped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Finding
    from ccmcheck.base.result import Failure, LintResult
    from ccmcheck.report.options import ReportOptions
    from ccmcheck.report.records import Json

_SEVERITIES = {Severity.INFO: "info", Severity.WARNING: "minor", Severity.ERROR: "major"}

FATAL = "critical"
"""The CCM does not start."""

UNKNOWN = "blocker"
"""A file that could not be read; its content is unknown."""


class GitlabReporter:
    """Writes one array, one issue a line.

    Args:
        options: ``root`` and ``repository`` count here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._root = options.root
        self._repository = options.repository

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the array in pieces of one issue."""
        separator = "[\n"
        for issue in self._issues(result):
            yield separator + dumped(issue)
            separator = ",\n"
        yield "[]\n" if separator == "[\n" else "\n]\n"

    def _issues(self, result: LintResult) -> Iterator[dict[str, Json]]:
        for finding, print_ in zip(result.findings, fingerprints(result.findings, self._root), strict=True):
            yield self._issue(finding, print_)
        for number, failure in enumerate(result.failures, 1):
            yield self._failure(failure, number)

    def _issue(self, finding: Finding, print_: str) -> dict[str, Json]:
        place = finding.place
        return {
            "description": message_of(finding),
            "check_name": finding.rule,
            "fingerprint": print_,
            "severity": FATAL if finding.fatal else _SEVERITIES[finding.severity],
            "location": {
                "path": in_repository(place.path, self._root, self._repository),
                "lines": {"begin": place.line, "end": place.end_line},
            },
        }

    def _failure(self, failure: Failure, number: int) -> dict[str, Json]:
        path = in_repository(failure.path, self._root, self._repository)
        return {
            "description": " ".join(filter(None, (failure.message, failure.hint))),
            "check_name": failure.name,
            "fingerprint": digest(path, failure.name, failure.message, str(number)),
            "severity": UNKNOWN,
            "location": {"path": path, "lines": {"begin": max(failure.line, 1)}},
        }
