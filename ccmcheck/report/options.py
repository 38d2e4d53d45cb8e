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
        max_findings: How many findings of a rule to show of a file; 0 for all. Formats without a place to say how
            many are left out show all.
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
    root: str = ""
    repository: str = ""
