"""JSON for programs, in two shapes.

``json`` is one object: ``version``, ``findings``, ``failures``, ``summary``. ``ndjson`` is one object a line, each with
a ``type``: first a ``header`` that holds ``version`` and the tool, then every ``finding`` and ``failure``, last the
``summary``; who reads it sees that the run was complete. The records are those of `ccmcheck.report.records`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck import __version__
from ccmcheck.base.model import Finding
from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.fingerprint import fingerprints
from ccmcheck.report.limit import ShownFindings, limited
from ccmcheck.report.records import VERSION, Json, dumped, failure_record, finding_record, summary_record


class JsonReporter(Reporter):
    """Writes one object, one record a line."""

    says_what_is_left_out = True
    has_statistics = True
    has_summary = True
    names_unjudged = True

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the object in pieces of one record."""
        shown, cut = self._shown(result)
        yield f'{{\n"version": {VERSION},\n"findings": ['
        yield from _elements(self._findings(shown))
        yield '],\n"failures": ['
        yield from _elements(map(failure_record, result.failures))
        yield f'],\n"summary": {dumped(summary_record(result, cut))}\n}}\n'

    def _shown(self, result: LintResult) -> ShownFindings:
        return ShownFindings((), ()) if self.options.statistics else limited(result.findings, self.options.max_findings)

    def _findings(self, findings: Sequence[Finding]) -> Iterator[dict[str, Json]]:
        return map(finding_record, findings, fingerprints(findings, self.options.root))


class NdjsonReporter(JsonReporter):
    """Writes one object a line."""

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the lines one by one."""
        shown, cut = self._shown(result)
        yield _line("header", {"version": VERSION, "tool": "ccmcheck", "tool_version": __version__})
        for record in self._findings(shown):
            yield _line("finding", record)
        for failure in result.failures:
            yield _line("failure", failure_record(failure))
        yield _line("summary", summary_record(result, cut))


def _elements(records: Iterator[dict[str, Json]]) -> Iterator[str]:
    separator = "\n"
    for record in records:
        yield separator + dumped(record)
        separator = ",\n"
    if separator != "\n":
        yield "\n"


def _line(kind: str, record: dict[str, Json]) -> str:
    return dumped({"type": kind, **record}) + "\n"
