"""Report objects of openreports.io as YAML, for kubectl and for tools that show such reports."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.result import LintResult
from ccmcheck.base.yaml_block import yaml
from ccmcheck.report.base import Reporter
from ccmcheck.report.reports import reports


class OpenReportsReporter(Reporter):
    """Writes one document a namespace."""

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one report after another; a comment where there is none, as an empty file is no YAML for kubectl."""
        written = False
        for report in reports(result, fail_on=self.options.fail_on, root=self.options.root):
            yield "---\n"
            yield yaml(report)
            written = True
        if not written:
            yield "# nothing to report\n"
