"""Markdown: what a job's summary on GitHub, a merge request or an issue shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.document import blocks as b
from ccmcheck.document.markdown import write
from ccmcheck.report.limit import limited
from ccmcheck.report.paths import in_repository
from ccmcheck.report.style import Style
from ccmcheck.report.tally import counted, summary_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.base.model import Finding
    from ccmcheck.base.result import Failure, LintResult
    from ccmcheck.report.limit import Cut
    from ccmcheck.report.options import ReportOptions

MOST_ROWS = 500
"""GitHub drops a step's summary above 1 MiB (docs.github.com, "Adding a job summary"), GitLab shows less."""
_TONES: dict[Severity, b.Tone] = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}


class MarkdownReporter:
    """Writes the counts first, then a table of the findings, then what each rule of them says.

    Args:
        options: ``root``, ``repository`` and ``max_findings`` count here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._root = options.root
        self._repository = options.repository
        self._max_findings = options.max_findings

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the document line by line."""
        return (f"{line}\n" for line in write(self._blocks(result)))

    def _blocks(self, result: LintResult) -> Iterator[b.Block]:
        yield b.Heading("ccmcheck", level=2)
        if result.summary.header:
            yield b.Paragraph(result.summary.header)
        if result.summary.checks:
            yield b.Items(tuple(b.Item(f"{one.mark} {one.name}: {one.text}") for one in result.summary.checks))
        yield b.Paragraph(b.Markup(summary_line(result, Style(color=False))))
        shown, cut = limited(result.findings, self._max_findings)
        shown = shown[:MOST_ROWS]
        left_out = len(result.findings) - len(shown) - sum(one.number for one in cut[:MOST_ROWS])
        rows = [self._row(finding) for finding in shown]
        rows += (self._cut(one) for one in cut[:MOST_ROWS])
        if rows:
            yield b.Table("", ("severity", "place", "rule", "what is wrong"), tuple(rows))
        if left_out:
            yield b.Paragraph(f"{counted(left_out, 'more finding')} not shown here.")
        if shown:
            yield b.Section("What to do", (b.Items(tuple(_advice(shown))),), folded="closed")
        if result.failures:
            items = tuple(self._failure(one) for one in result.failures[:MOST_ROWS])
            yield b.Section("What could not be read", (b.Items(items),))

    def _row(self, finding: Finding) -> tuple[b.Text, ...]:
        place = finding.place
        word = f"{finding.severity.word} (fatal)" if finding.fatal else finding.severity.word
        where = (b.Code(f"{self._path(place.path)}:{place.line}"),)
        return b.Badge(word, _TONES[finding.severity]), where, b.Code(finding.rule), _marked(finding.label)

    def _cut(self, cut: Cut) -> tuple[b.Text, ...]:
        return (
            b.Badge(cut.severity.word, _TONES[cut.severity]),
            b.Code(self._path(cut.path)),
            b.Code(cut.rule),
            cut.said,
        )

    def _failure(self, failure: Failure) -> b.Item:
        text = (b.Code(self._path(failure.path)), ": ", *_marked(failure.message))
        return b.Item(text, "bad", failure.name, (_marked(failure.hint),) if failure.hint else ())

    def _path(self, path: str) -> str:
        return in_repository(path, self._root, self._repository)


def _advice(findings: Iterable[Finding]) -> Iterator[b.Item]:
    """What each rule says of its first finding."""
    first: dict[str, Finding] = {}
    for finding in findings:
        if finding.detail or finding.help:
            first.setdefault(finding.rule, finding)
    for finding in first.values():
        text = (b.Code(finding.rule), ": ", *_marked(finding.label))
        yield b.Item(text, details=tuple(_marked(said) for said in (finding.detail, finding.help) if said))


def _marked(text: str) -> tuple[b.Inline, ...]:
    """A message: what it has between backticks is code, unless one of them is without its other half."""
    pieces = text.split("`")
    if not len(pieces) % 2:
        return (text,)
    return tuple(b.Code(piece) if number % 2 else piece for number, piece in enumerate(pieces) if piece)
