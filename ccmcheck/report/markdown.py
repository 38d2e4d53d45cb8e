"""Markdown: what a job's summary on GitHub, a merge request or an issue shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.model import Finding
from ccmcheck.base.result import Failure, LintResult
from ccmcheck.report.base import MOST_FOR_PEOPLE, Reporter
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.markdown import write
from ccmcheck.report.document.style import Style
from ccmcheck.report.limit import Cut, limited, worst_first
from ccmcheck.report.statistics import TONES, statistics
from ccmcheck.report.tally import summary_line

MOST_ROWS = 500
"""GitHub drops a step's summary above 1 MiB (docs.github.com, "Adding a job summary"), GitLab shows less."""


class MarkdownReporter(Reporter):
    """Writes the counts first, then a table of the findings, the worst first, then what each rule of them says."""

    most_findings = MOST_FOR_PEOPLE
    says_what_is_left_out = True
    has_statistics = True
    has_summary = True
    is_for_code_hosts = True

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the document line by line."""
        return (f"{line}\n" for line in write(self._blocks(result)))

    def _blocks(self, result: LintResult) -> Iterator[b.Block]:
        yield b.Heading("ccmcheck", level=2)
        if result.summary.header:
            yield b.Paragraph(result.summary.header)
        if result.summary.checks:
            yield b.ItemList(
                tuple(b.ListItem(f"{check.mark} {check.name}: {check.text}") for check in result.summary.checks)
            )
        yield b.Paragraph(_marked(summary_line(result, Style(color=False))))
        if self.options.statistics:
            yield from statistics(result)
            return
        shown, cut = limited(result.findings, min(self.options.max_findings or MOST_ROWS, MOST_ROWS))
        rows = [self._row(finding) for finding in worst_first(shown)]
        rows += map(_cut_row, cut)
        if rows:
            yield b.Table("", ("severity", "place", "rule", "what is wrong"), tuple(rows))
        if shown:
            yield b.ReportSection("What to do", (b.ItemList(tuple(_advice(shown))),), folded="closed")
        if result.failures:
            items = tuple(self._failure(failure) for failure in result.failures[:MOST_ROWS])
            yield b.ReportSection("What could not be read", (b.ItemList(items),))

    def _row(self, finding: Finding) -> tuple[b.Text, ...]:
        place = finding.place
        word = f"{finding.severity.word} (fatal)" if finding.fatal else finding.severity.word
        where = (b.Code(f"{self.options.path(place.path)}:{place.line}"),)
        return b.Badge(word, TONES[finding.severity]), where, b.Code(finding.rule), _marked(finding.headline)

    def _failure(self, failure: Failure) -> b.ListItem:
        text = (b.Code(self.options.path(failure.path)), ": ", *_marked(failure.message))
        return b.ListItem(text, "bad", failure.name, (_marked(failure.hint),) if failure.hint else ())


def _cut_row(cut: Cut) -> tuple[b.Text, ...]:
    return b.Badge(cut.severity.word, TONES[cut.severity]), "", b.Code(cut.rule), f"and {cut.number:,} more"


def _advice(findings: Iterable[Finding]) -> Iterator[b.ListItem]:
    """What each rule says of its first finding."""
    first: dict[str, Finding] = {}
    for finding in findings:
        if finding.detail or finding.help:
            first.setdefault(finding.rule, finding)
    for finding in first.values():
        text = (b.Code(finding.rule), ": ", *_marked(finding.headline))
        lines = [line for said in (finding.detail, finding.help) if said for line in said.split("\n")]
        yield b.ListItem(text, details=tuple(map(_marked, lines)))


def _marked(text: str) -> tuple[b.Inline, ...]:
    """A message: what it has between backticks is code, unless one of them is without its other half."""
    pieces = text.split("`")
    if not len(pieces) % 2:
        return (text,)
    return tuple(b.Code(piece) if number % 2 else piece for number, piece in enumerate(pieces) if piece)
