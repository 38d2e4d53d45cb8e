"""Report objects of openreports.io as YAML, for kubectl and for tools that show such reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.yaml_block import yaml
from ccmcheck.report.reports import reports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.result import LintResult
    from ccmcheck.report.options import ReportOptions


class OpenReportsReporter:
    """Writes one document a namespace.

    Args:
        options: ``fail_on`` and ``root`` count here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._fail_on = options.fail_on
        self._root = options.root

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one report after another; a comment where there is none, as an empty file is no YAML for kubectl."""
        written = False
        for report in reports(result, fail_on=self._fail_on, root=self._root):
            yield "---\n"
            yield yaml(report)
            written = True
        if not written:
            yield "# nothing to report\n"
