"""GitLab's code quality report: a JSON array in Code Climate's vocabulary."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Severity
from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.fingerprint import digest, fingerprints
from ccmcheck.report.prose import failure_message, message_of
from ccmcheck.report.records import Json, dumped

_SEVERITIES = {Severity.INFO: "info", Severity.WARNING: "minor", Severity.ERROR: "major"}

FATAL = "critical"
"""The CCM does not start."""

UNKNOWN = "blocker"
"""A file that could not be read; its content is unknown."""


class GitlabReporter(Reporter):
    """Writes one array, one issue a line."""

    is_for_code_hosts = True

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the array in pieces of one issue."""
        separator = "[\n"
        for issue in self._issues(result):
            yield separator + dumped(issue)
            separator = ",\n"
        yield "[]\n" if separator == "[\n" else "\n]\n"

    def _issues(self, result: LintResult) -> Iterator[Json]:
        for finding, print_ in zip(result.findings, fingerprints(result.findings, self.options.root), strict=True):
            severity = FATAL if finding.fatal else _SEVERITIES[finding.severity]
            lines = {"begin": finding.place.line, "end": finding.place.end_line}
            path = self.options.path(finding.place.path)
            yield _issue(finding.rule, message_of(finding), print_, severity, {"path": path, "lines": lines})
        for number, failure in enumerate(result.failures, 1):
            path = self.options.path(failure.path)
            print_ = digest(path, failure.name, failure.message, str(number))
            where: Json = {"path": path, "lines": {"begin": max(failure.line, 1)}}
            yield _issue(failure.name, failure_message(failure), print_, UNKNOWN, where)


def _issue(name: str, description: str, fingerprint: str, severity: str, location: Json) -> Json:
    return {
        "description": description,
        "check_name": name,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": location,
    }
