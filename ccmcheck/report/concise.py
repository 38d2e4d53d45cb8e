"""One line a finding, for grep, editors and problem matchers.

``path:line:col: severity rule: label``; where the text is encoded in the file, its own position follows: ``[12:17]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.report.limit import by_file
from ccmcheck.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.result import LintResult
    from ccmcheck.report.options import ReportOptions


class ConciseReporter:
    """Writes lines and nothing else: no summary.

    Args:
        options: ``color`` and ``max_findings`` count here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._style = Style(options.color)
        self._max_findings = options.max_findings

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one line a finding, and one for what is left out of a file, then one a failure."""
        for file in by_file(result.findings, self._max_findings):
            for finding in file.shown:
                place = finding.place
                inner = "" if place.exact else f" [{place.inner_line}:{place.inner_column}]"
                about = (
                    f" [{finding.reader or 'CCM'} {printable(', '.join(finding.releases))}]" if finding.releases else ""
                )
                where = self._style.bold(f"{printable(place.path)}:{place.line}:{place.column}:")
                word = self._style.severity(finding.severity.word, finding.severity)
                yield f"{where} {word} {printable(finding.rule)}: {printable(finding.label)}{inner}{about}\n"
            for cut in file.cut:
                yield f"{self._style.bold(f'{printable(cut.path)}:')} {printable(cut.said)}\n"
        for failure in result.failures:
            line, column = max(failure.line, 1), max(failure.column, 1)
            where = self._style.bold(f"{printable(failure.path)}:{line}:{column}:")
            word = self._style.severity("error", Severity.ERROR)
            yield f"{where} {word} {failure.name}: {printable(failure.message)}\n"
