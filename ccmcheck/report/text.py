"""The format for people: where, what, the line with a caret, why, and what to do about it.

A file that is right prints nothing; the summary is the last line, and with ``-q`` there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Applicability, Finding, Place, Severity, Snippet
from ccmcheck.base.result import ClusterCheck, Failure, LintResult
from ccmcheck.catalog.readers import reader_with_processes
from ccmcheck.report.base import MOST_FOR_PEOPLE, Reporter
from ccmcheck.report.document.layout import draw, fitted, width_of, wrap
from ccmcheck.report.document.style import Style
from ccmcheck.report.limit import limited
from ccmcheck.report.options import ReportOptions
from ccmcheck.report.tally import reader, summary_line, verbose_lines

INDENT = "   "

CHECK_NAME = 12
"""Columns of the name of what was looked at in a cluster."""

LONGEST_LINE = 160
"""Columns of a quoted line where the terminal's width is not known."""

NARROWEST = 40
"""Columns; in less room than that a label goes under the caret instead of beside it, and nothing is wrapped tighter."""

MOST_OTHERS = 4
"""Further places of a finding that are shown without ``-v``."""
_NOWHERE = Place("", 0, 0, 0, 0)

_TAGS = {Applicability.SAFE: "[fixable]", Applicability.UNSAFE: "[fixable with --unsafe]"}


class TextReporter(Reporter):
    """Writes the findings one after another, an empty line between them, and the summary.

    Where several places have the same finding, it stands at the first one, with the others below.

    Args:
        options: How it is to be written.
    """

    most_findings = MOST_FOR_PEOPLE
    says_what_is_left_out = True
    has_statistics = True
    has_summary = True
    shows_progress = True

    def __init__(self, options: ReportOptions) -> None:
        super().__init__(options)
        self._style = Style(options.color)
        self._width = max(options.width, NARROWEST) if options.width else 0

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one piece a finding, one a failure, and the summary."""
        summary = result.summary
        if (summary.header or summary.checks) and not self.options.quiet:
            yield from self._fitted(filter(None, (printable(summary.header), *map(self._check, summary.checks))))
            yield "\n"
        if self.options.statistics:
            from ccmcheck.report.document.text import write
            from ccmcheck.report.statistics import statistics

            lines = list(write(statistics(result), self._width, color=self.options.color))
            yield "\n".join([*lines, "", ""]) if lines else ""
        else:
            yield from self._findings(result)
        for failure in result.failures:
            yield "\n".join(self._failure(failure)) + "\n\n"
        if not self.options.quiet:
            lines = [summary_line(result, self._style)]
            if self.options.verbose:
                lines += verbose_lines(result.summary)
            yield from self._fitted(lines)

    def _fitted(self, lines: Iterable[str]) -> Iterator[str]:
        """Lines without a place of their own, broken at the terminal's width."""
        yield from (f"{part}\n" for line in lines for one in line.split("\n") for part in fitted(one, self._width))

    def _findings(self, result: LintResult) -> Iterator[str]:
        release = result.summary.releases[0] if len(result.summary.releases) == 1 else ""
        last_place = ("", "")
        explained: set[str] = set()
        shown = limited(result.findings, self.options.max_findings)
        for finding, *others in alike(shown.findings):
            place = finding.place
            lines = [
                self._header(finding),
                *self._route(place, repeated=last_place == (place.path, place.route)),
                *self._snippet(
                    finding.snippet, finding.label if finding.snippet else finding.headline, finding.severity
                ),
                *self._prose(finding.detail),
                *self._error(finding, release),
                *self._further(finding),
                *self._advice(finding, explain=finding.rule not in explained),
                *self._others(others),
            ]
            last_place = (place.path, place.route)
            explained.add(finding.rule)
            yield "\n".join(lines) + "\n\n"
        if shown.cut:
            yield "".join(f"{cut.message}\n" for cut in shown.cut) + "\n"

    def _others(self, others: Sequence[Finding]) -> list[str]:
        """The other places of a finding."""
        most = len(others) if self.options.verbose else MOST_OTHERS
        places = ", ".join(_position(finding.place) for finding in others[:most])
        more = f" and {len(others) - most:,} more places; -v shows them" if len(others) > most else ""
        return self._prose(f"The same at {places}{more}") if others else []

    def _check(self, check: ClusterCheck) -> str:
        severity = Severity.INFO if check.passed else Severity.ERROR if check.passed is False else Severity.WARNING
        said = f"{check.name + ':':<{CHECK_NAME}} {check.text}"
        hint = f"\n{INDENT}  {'':<{CHECK_NAME}} {printable(check.hint)}" if check.hint and not check.passed else ""
        return f"{INDENT}{self._style.severity(check.mark, severity)} {printable(said)}{hint}"

    def _header(self, finding: Finding) -> str:
        style = self._style
        parts = [
            style.bold(_position(finding.place)),
            style.severity(finding.severity.word, finding.severity),
            style.bold(printable(finding.rule)),
        ]
        if finding.releases:
            who = finding.reader or "CCM"
            parts.append(f"{who} {printable(', '.join(finding.releases))}")
        if finding.fatal:
            parts.append(
                style.severity(f"fatal: {reader_with_processes(finding.reader)} stops at this line", finding.severity)
            )
        return "\n".join(fitted("  ".join(parts), self._width))

    def _route(self, place: Place, *, repeated: bool) -> list[str]:
        if not place.route:
            return []
        way = place.way if not repeated or not place.inner_line else f"… › line {place.inner_line}"
        room = self._width - len(INDENT) if self._width else 0
        return [INDENT + self._style.dim(line) for line in wrap(printable(way), room)]

    def _snippet(self, snippet: Snippet | None, label: str, severity: Severity | None) -> list[str]:
        label = printable(label)
        if snippet is None:
            return self._prose(label)
        number = f"{snippet.line:>2}"
        paint = partial(self._style.severity, severity=severity) if severity is not None else str
        gutter = f"{INDENT}{number} │ "
        empty = f"{INDENT}{' ' * len(number)} │ "
        room = (self._width or LONGEST_LINE) - len(gutter)
        drawn = draw(snippet, room)
        carets = "^" * drawn.mark
        beside = room - drawn.lead - drawn.mark - 1
        lines = [self._style.dim(gutter) + drawn.text]
        if not self._width or width_of(label) <= beside:
            labels, at = [label], drawn.lead + drawn.mark + 1
        elif beside >= NARROWEST:
            labels, at = wrap(label, beside), drawn.lead + drawn.mark + 1
        else:
            at = min(drawn.lead, max(0, room - NARROWEST))
            labels = ["", *wrap(label, room - at)]
        empty = self._style.dim(empty)
        lines.append(empty + " " * drawn.lead + paint(f"{carets} {labels[0]}".rstrip()))
        return lines + [empty + " " * at + paint(rest) for rest in labels[1:]]

    def _prose(self, text: str) -> list[str]:
        room = self._width - len(INDENT) if self._width else 0
        return [INDENT + line for part in text.split("\n") for line in wrap(printable(part), room)] if text else []

    def _error(self, finding: Finding, release: str) -> list[str]:
        if not finding.error:
            return []
        release = ", ".join(finding.releases) or release
        who = reader_with_processes(finding.reader) if finding.reader else f"the {printable(reader(release))}"
        intro = who[:1].upper() + who[1:] if finding.fatal else f"Once the line it stops at is fixed, {who}"
        return self._prose(f"{intro} ends with: {finding.error}")

    def _further(self, finding: Finding) -> list[str]:
        lines: list[str] = []
        for further in finding.further:
            place = further.place
            where = f"line {place.inner_line or place.line}"
            if (place.path, place.route) != (finding.place.path, finding.place.route):
                where = _position(place) + (f"  {printable(place.way)}" if place.route else "")
            lines.append(INDENT + self._style.dim(f"see {where}" + ("" if further.snippet else ":")))
            lines += self._snippet(further.snippet, further.text, None)
        return lines

    def _advice(self, finding: Finding, *, explain: bool) -> list[str]:
        """The help, whether a fix is at hand, and the page to read: on one line while they fit."""
        said = finding.help or (f"Fix: {finding.fix_title}." if finding.fix_title else "")
        tail = [_TAGS[finding.fix]] if finding.fix is not None else []
        if explain:
            tail.append(self._style.code(f"ccmcheck explain {printable(finding.rule)}"))
        lines = self._prose(said)
        columns = len(lines[-1]) + sum(2 + len(part) for part in tail) if lines else 0
        if lines and tail and (not self._width or columns <= self._width):
            lines[-1] = "  ".join([lines[-1], *tail])
        elif tail:
            lines += fitted(INDENT + "  ".join(tail), self._width)
        return lines

    def _failure(self, failure: Failure) -> list[str]:
        where = printable(failure.place)
        what = "internal error" if failure.internal else "could not be read"
        header = f"{self._style.bold(where)}  {self._style.severity(what, Severity.ERROR)}"
        return [header, *self._prose(failure.message), *self._prose(failure.hint)]


def alike(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Put together the findings that say the same of the same line, in the order of the first of each."""
    groups: dict[Finding, list[Finding]] = {}
    for finding in findings:
        line = finding.snippet.text.strip() if finding.snippet is not None else ""
        same = finding._replace(
            place=_NOWHERE, snippet=Snippet(0, line, 0, 0), further=(), replacements=(), deployments=(), subject=()
        )
        groups.setdefault(same, []).append(finding)
    return groups.values()


def _position(place: Place) -> str:
    return f"{printable(place.path)}:{place.line}:{place.column}"
