"""What one run of the linter gives: findings, files that could not be read, and the counts of the summary line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccmcheck.model import Finding, Severity


class Failure(NamedTuple):
    """A file, or a part of one, that could not be read; the others are linted all the same.

    Attributes:
        path: The file as the user named it.
        message: What is wrong; no secret in it.
        hint: What to do next; may be empty.
        line: Where, from 1; 0 when the whole file is meant.
        column: Where, from 1; 0 when the whole line is meant.
        internal: True for a fault of ccmcheck's own.
    """

    path: str
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    internal: bool = False


class RuleInfo(NamedTuple):
    """A rule as reports describe it.

    Attributes:
        name: Its name.
        title: What it finds, in a few words.
        severity: Its own severity, before any configuration.
        help: Its page in Markdown.
        fix: ``safe``, ``unsafe`` or ``manual``.
        group: Its folder.
    """

    name: str
    title: str
    severity: Severity
    help: str
    fix: str
    group: str


class Summary(NamedTuple):
    """The counts of one run.

    Attributes:
        files: Files looked at.
        files_with_conf: Files that hold at least one cloud.conf.
        confs: cloud.confs read.
        confs_with_findings: Those that something was found in.
        seconds: Wall time.
        releases: The CCM releases judged.
        release_source: Where the release comes from: ``--release``, ``the newest``, ``from clusters/dev/ccm.yaml``.
        suppressed: Findings that comments, annotations or the configuration silence.
        baselined: Findings that the baseline absorbs.
        fixable_safe: Findings with a safe fix.
        fixable_unsafe: Findings with an unsafe fix.
        not_judged: Rules that stayed quiet for want of an input, each with what it would need.
        carriers: How many cloud.confs each kind of carrier held.
    """

    files: int = 0
    files_with_conf: int = 0
    confs: int = 0
    confs_with_findings: int = 0
    seconds: float = 0.0
    releases: tuple[str, ...] = ()
    release_source: str = ""
    suppressed: int = 0
    baselined: int = 0
    fixable_safe: int = 0
    fixable_unsafe: int = 0
    not_judged: tuple[tuple[str, str], ...] = ()
    carriers: tuple[tuple[str, int], ...] = ()


class LintResult(NamedTuple):
    """Everything a report needs.

    Attributes:
        findings: Sorted by path, line, column, inner line, rule.
        failures: Sorted by path.
        summary: The counts.
        rules: What reports say about the rules; looked up only by formats that describe them.
    """

    findings: Sequence[Finding]
    failures: Sequence[Failure]
    summary: Summary
    rules: Mapping[str, RuleInfo]
