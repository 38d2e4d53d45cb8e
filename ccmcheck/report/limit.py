"""Which findings a report shows where it shows only some, the worst; all of them count elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.records import NamedTuple

OPTION = "--max-findings"


class Cut(NamedTuple):
    """The findings of a rule that are not shown.

    Attributes:
        rule: The rule's name.
        severity: Of the worst of them.
        number: How many.
    """

    rule: str
    severity: Severity
    number: int

    @property
    def message(self) -> str:
        """What a report says instead of them."""
        return f"and {self.number:,} more of {self.rule}; {OPTION} 0 shows all"


class ShownFindings(NamedTuple):
    """The findings of a report.

    Attributes:
        findings: Those that it shows, in their order.
        cut: What is not shown, the worst first.
    """

    findings: Sequence[Finding]
    cut: Sequence[Cut]


def limited(findings: Sequence[Finding], most: int) -> ShownFindings:
    """Choose the findings to show: the worst, and of equally bad ones the first.

    Args:
        findings: All of a run.
        most: How many to show; 0 for all.
    """
    if not most or len(findings) <= most:
        return ShownFindings(findings, ())
    order = sorted(range(len(findings)), key=lambda number: _rank(findings[number]))
    left_out: dict[str, list[Finding]] = {}
    for number in order[most:]:
        left_out.setdefault(findings[number].rule, []).append(findings[number])
    cut = [Cut(rule, some[0].severity, len(some)) for rule, some in left_out.items()]
    return ShownFindings([findings[number] for number in sorted(order[:most])], cut)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings for a host that shows the first ones alone: GitHub shows ten of a step."""
    return sorted(findings, key=_rank)


def _rank(finding: Finding) -> tuple[bool, int]:
    return not finding.fatal, -finding.severity
