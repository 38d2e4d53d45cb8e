"""One line a finding, for grep, editors and problem matchers.

``path:line:col: severity rule: label``; where the text is encoded in the file, its own position follows: ``[12:17]``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.document.style import Style
from ccmcheck.report.limit import limited


class ConciseReporter(Reporter):
    """Writes lines and nothing else: no summary."""

    says_what_is_left_out = True
    is_bare = True
    shows_progress = True

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one line a finding, one for what is left out of each rule, then one a failure."""
        style = Style(self.options.color)
        shown = limited(result.findings, self.options.max_findings)
        for finding in shown.findings:
            place = finding.place
            inner = "" if place.exact else f" [{place.inner_line}:{place.inner_column}]"
            about = f" [{finding.reader or 'CCM'} {printable(', '.join(finding.releases))}]" if finding.releases else ""
            where = style.bold(f"{printable(place.path)}:{place.line}:{place.column}:")
            word = style.severity(finding.severity.word, finding.severity)
            yield f"{where} {word} {printable(finding.rule)}: {printable(finding.headline)}{inner}{about}\n"
        for cut in shown.cut:
            yield f"{cut.message}\n"
        for failure in result.failures:
            where = style.bold(f"{printable(failure.path)}:{max(failure.line, 1)}:{max(failure.column, 1)}:")
            word = style.severity("error", Severity.ERROR)
            yield f"{where} {word} {failure.name}: {printable(failure.message)}\n"
