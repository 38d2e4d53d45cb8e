"""Which findings a report shows where it shows only some of each rule in each file; all of them count elsewhere."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.base.model import Finding, Severity

OPTION = "--max-findings"
LIMITED_FORMATS = frozenset({"text", "concise", "json", "ndjson", "sarif", "github", "markdown"})
"""The formats that have a place to say how many findings are left out; the others hold all."""


class Cut(NamedTuple):
    """The findings of a rule in a file that are not shown.

    Attributes:
        path: The file.
        rule: The rule's name.
        severity: Of the first of them.
        number: How many.
    """

    path: str
    rule: str
    severity: Severity
    number: int

    @property
    def said(self) -> str:
        """What a report says instead of them."""
        return f"and {self.number:,} more of {self.rule}; {OPTION} 0 shows all"


class FileFindings(NamedTuple):
    """The findings of one file.

    Attributes:
        shown: In their order.
        cut: What is not shown, in the order of the rules.
    """

    shown: Sequence[Finding]
    cut: Sequence[Cut]


def by_file(findings: Iterable[Finding], most: int) -> Iterator[FileFindings]:
    """Choose the findings to show, file by file.

    Args:
        findings: Sorted by path.
        most: How many of a rule to show of a file; 0 for all.
    """
    for path, group in groupby(findings, key=lambda finding: finding.place.path):
        shown: list[Finding] = []
        counts: dict[str, int] = {}
        first_cut: dict[str, Finding] = {}
        for finding in group:
            count = counts[finding.rule] = counts.get(finding.rule, 0) + 1
            if not most or count <= most:
                shown.append(finding)
            else:
                first_cut.setdefault(finding.rule, finding)
        cut = [Cut(path, rule, first.severity, counts[rule] - most) for rule, first in first_cut.items()]
        yield FileFindings(shown, cut)


def limited(findings: Iterable[Finding], most: int) -> FileFindings:
    """The same of all files together."""
    shown: list[Finding] = []
    cut: list[Cut] = []
    for file in by_file(findings, most):
        shown += file.shown
        cut += file.cut
    return FileFindings(shown, cut)
