"""``--statistics``: how many findings each rule has, in place of the findings."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.result import LintResult
from ccmcheck.report.document import blocks as b

TONES: dict[Severity, b.Tone] = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}


def statistics(result: LintResult) -> Iterator[b.Block]:
    """The rules that report anything, the worst and most frequent first; nothing where none does."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in result.findings:
        groups.setdefault((finding.severity, finding.rule), []).append(finding)
    rows = [
        (
            b.Badge(severity.word, TONES[severity]),
            f"{len(findings):,}",
            f"{len({finding.place.path for finding in findings}):,}",
            f"{sum(finding.fix is not None for finding in findings):,}",
            b.Code(rule),
        )
        for (severity, rule), findings in sorted(groups.items(), key=lambda item: (-item[0][0], -len(item[1]), item[0]))
    ]
    if rows:
        yield b.Table("", ("severity", "findings", "files", "with a fix", "rule"), tuple(rows))
