"""The run in one sentence, and what ``-v`` adds to it."""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.escape import printable
from ccmcheck.base.result import LintResult, Summary, count_by_severity
from ccmcheck.report.document.style import Style

_MOST_RELEASES = 3
_LONGEST_SOURCE = 160
"""How much the summary says of the releases of a run; a repository of many clusters has many."""

_PLURALS: dict[str, str] = dict(read_table(__file__, "plurals.tsv"))
_UNREAD = {"file": "file could not be read", "object": "request failed"}
"""What a failure is, by what a run reads."""


def counted(number: int, noun: str) -> str:
    """A number and its noun: ``1 file``, ``2 files``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {_PLURALS.get(noun, noun + 's')}"


def reader(release: str) -> str:
    """Who reads a cloud.conf: ``CCM 1.31``, or another consumer where the release names one."""
    return release if " " in release and not release.startswith("v") else f"CCM {release}".rstrip()


def duration(seconds: float) -> str:
    """A time of one length, so that lines break alike: ``0.04 s``, ``1.40 s``; ``12 s`` from ten seconds on."""
    return f"{max(seconds, 0.01):.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def summary_line(result: LintResult, style: Style) -> str:
    """What was found, in how much, how fast, and what can be done about it."""
    summary = result.summary
    sentences = [f"{_found(result, style)}, {duration(summary.seconds)}{_judged(summary)}."]
    fixable = []
    if summary.fixable_safe:
        fixable.append(f"{summary.fixable_safe:,} fixable with `{style.code('ccmcheck fix')}`")
    if summary.fixable_unsafe:
        more = " more" if fixable else " fixable"
        fixable.append(f"{summary.fixable_unsafe:,}{more} with `{style.code('ccmcheck fix --unsafe')}`")
    if fixable:
        sentences.append(", ".join(fixable) + ".")
    silenced = []
    if summary.suppressed:
        silenced.append(f"{summary.suppressed:,} suppressed")
    if summary.baselined:
        silenced.append(f"{summary.baselined:,} in the baseline")
    if silenced:
        sentences.append(", ".join(silenced) + ".")
    if summary.left_out:
        sentences.append(f"{counted(summary.left_out, 'file')} left out as examples or test data (default-exclude).")
    unreadable = sum(not failure.internal for failure in result.failures)
    if unreadable:
        sentences.append(f"{counted(unreadable, _UNREAD[summary.unit])}.")
    if len(result.failures) > unreadable:
        sentences.append(f"{counted(len(result.failures) - unreadable, 'internal error')}.")
    sentences += [f"{printable(warning)}." for warning in summary.warnings]
    return "  ".join(sentences)


def verbose_lines(summary: Summary) -> list[str]:
    """Which rules could not be judged and why, and what else there is to say."""
    lines = [f"Not judged: {printable(rule)} needs {printable(needs)}." for rule, needs in summary.unjudged]
    return lines + [printable(note) for note in summary.notes]


def _judged(summary: Summary) -> str:
    """Which release was judged, and where that comes from."""
    if not summary.releases:
        return ""
    shown = summary.releases if len(summary.releases) <= _MOST_RELEASES + 1 else summary.releases[:_MOST_RELEASES]
    more = len(summary.releases) - len(shown)
    named = printable(", ".join(map(reader, shown)))
    if more:
        return f", judged as {named} and {more:,} other releases; `ccmcheck list` says which file and why"
    source = summary.release_source
    if len(source) > _LONGEST_SOURCE:
        source = "`ccmcheck list` says why"
    return f", judged as {named}{f' ({printable(source)})' if source else ''}"


def _found(result: LintResult, style: Style) -> str:
    summary = result.summary
    files = counted(summary.files, summary.unit)
    confs = counted(summary.cloud_confs, "cloud.conf")
    if not result.findings:
        if summary.services and not summary.cloud_confs:
            return f"No findings; {confs}, {files}"
        return f"No findings in {confs}, {files}" if summary.cloud_confs else f"No cloud.conf in {files}"
    counts = count_by_severity(result.findings)
    by_severity = ", ".join(
        style.severity(counted(count, severity.word), severity) for severity, count in counts.items() if count
    )
    found = f"{counted(len(result.findings), 'finding')} ({by_severity})"
    if summary.cloud_confs_with_findings:
        return f"{found} in {summary.cloud_confs_with_findings:,} of {confs}, {files}"
    return f"{found}; {confs}, {files}"
