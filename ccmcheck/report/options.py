"""How a report is to be written."""

from __future__ import annotations

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple


class ReportOptions(NamedTuple):
    """What the user, the terminal and the CI system ask of a format.

    Attributes:
        color: Whether the formats for people may use ANSI colours.
        verbose: How often ``-v`` was given.
        quiet: No summary.
        width: Columns of the terminal; 0 where there is none: prose is not wrapped then.
        fail_on: Findings at or above it fail a test in JUnit; None where nothing does.
        max_findings: How many findings to show; 0 for all.
        statistics: Whether to show how many findings each rule has, in place of the findings.
        root: The folder, absolute, that the CI formats show paths relative to; empty to leave paths as they are.
        repository: The root of the repository around it, absolute, which the formats of code hosts show paths relative
            to; empty where there is none.
    """

    color: bool = False
    verbose: int = 0
    quiet: bool = False
    width: int = 0
    fail_on: Severity | None = Severity.WARNING
    max_findings: int = 0
    statistics: bool = False
    root: str = ""
    repository: str = ""

    def path(self, path: str) -> str:
        """A path as a code host knows it; see `ccmcheck.report.paths.in_repository`."""
        from ccmcheck.report.paths import in_repository

        return in_repository(path, self.root, self.repository)

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of a severity is a failure."""
        return self.fail_on is not None and severity >= self.fail_on
