"""The result of one run of the linter: findings, files that could not be read, and the counts of the summary line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.records import NamedTuple

UNREADABLE: Final = "unreadable-file"
INTERNAL: Final = "internal-error"


class RuleInfo(NamedTuple):
    """A rule as the output formats describe it.

    Attributes:
        name: The rule's name, ``duration-bad``.
        title: What it finds, in a few words.
        severity: Its own severity, before the configuration.
        why: Its page in Markdown.
        fix: ``safe``, ``unsafe`` or ``manual``.
        url: Its page, if it has one.
        description: What it does and why, in plain sentences.
    """

    name: str
    title: str
    severity: Severity
    why: str = ""
    fix: str = "manual"
    url: str = ""
    description: str = ""


class Failure(NamedTuple):
    """A file that could not be read, or that ccmcheck itself failed on.

    Attributes:
        path: The file as the user named it.
        message: What is wrong, one sentence.
        hint: What to do next; may be empty.
        line: Where in the file, from 1; 0 where that is not known.
        column: The same for the column.
        internal: True where the fault is ccmcheck's own.
    """

    path: str
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    internal: bool = False

    @property
    def place(self) -> str:
        """``path:line:column``, as far as it is known."""
        numbers = [number for number in (self.line, self.column) if number]
        return ":".join(map(str, (self.path, *numbers)))

    @property
    def name(self) -> str:
        """The name instead of a rule's."""
        return INTERNAL if self.internal else UNREADABLE


class SkippedRule(NamedTuple):
    """A rule that did not run because an input was missing, and which input it needs."""

    rule: str
    needs: str


class ClusterCheck(NamedTuple):
    """Something of a running cluster that was looked at.

    Attributes:
        name: What, in a word or two.
        passed: Whether all is well; None where that could not be found out.
        text: What was seen.
        hint: What to do where it did not pass.
    """

    name: str
    passed: bool | None
    text: str
    hint: str = ""

    @property
    def mark(self) -> str:
        """The mark before it."""
        return "?" if self.passed is None else "✓" if self.passed else "✗"


class Summary(NamedTuple):
    """The run in numbers.

    Attributes:
        files: Files seen.
        files_with_cloud_conf: Files that carry at least one cloud.conf.
        cloud_confs: cloud.confs read.
        cloud_confs_with_findings: Those of them that have a finding.
        seconds: How long it took.
        releases: The target releases.
        release_source: Where they come from: ``from clusters/dev/ccm.yaml``, ``--release``, ``assumed: the newest``.
        suppressed: Findings that a comment, an annotation or the configuration suppresses.
        baselined: Findings that the baseline absorbs.
        fixable_safe: Findings that ``ccmcheck fix`` fixes.
        fixable_unsafe: Findings that only ``ccmcheck fix --unsafe`` fixes.
        unjudged: Rules that did not run because an input was missing.
        left_out: Files that may hold something, and are left out as examples or test data by their names.
        notes: Further lines that ``-v`` prints.
        warnings: What the summary line says besides: that a configuration switches everything off.
        carriers: How many cloud.confs each kind of carrier held.
        services: How many files may hold Services of type LoadBalancer.
        unit: What ``files`` counts: ``file``, or ``object`` of a running cluster.
        header: The first line of a report that people read: which cluster this is about. Empty for files.
        cluster: The identity of that cluster, the UID of namespace kube-system; empty for files, and where unknown.
        context: The context of the kubeconfig that leads to it; empty without one.
        checks: What was looked at in it before any rule.
        has_answers: Whether a file may be what OpenStack answered.
        logs: The paths of logs and events.
    """

    files: int = 0
    files_with_cloud_conf: int = 0
    cloud_confs: int = 0
    cloud_confs_with_findings: int = 0
    seconds: float = 0.0
    releases: tuple[str, ...] = ()
    release_source: str = ""
    suppressed: int = 0
    baselined: int = 0
    fixable_safe: int = 0
    fixable_unsafe: int = 0
    unjudged: tuple[SkippedRule, ...] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    carriers: tuple[tuple[str, int], ...] = ()
    services: int = 0
    unit: str = "file"
    header: str = ""
    cluster: str = ""
    context: str = ""
    checks: tuple[ClusterCheck, ...] = ()
    has_answers: bool = False
    logs: tuple[str, ...] = ()


class LintResult(NamedTuple):
    """The input of a reporter.

    Attributes:
        findings: Sorted by path, line, column and inner line; masked, but not escaped for any medium.
        failures: What could not be read.
        summary: The run in numbers.
        rules: The rules that the findings name; one that is missing is described by its name alone.
    """

    findings: Sequence[Finding] = ()
    failures: Sequence[Failure] = ()
    summary: Summary = Summary()
    rules: Mapping[str, RuleInfo] = MappingProxyType({})


def count_by_rule(findings: Sequence[Finding]) -> dict[str, dict[str, int]]:
    """Count findings by rule and by the word for their severity, in the order of the rules' names."""
    counts: dict[str, dict[str, int]] = {}
    for finding in findings:
        of_rule = counts.setdefault(finding.rule, {})
        of_rule[finding.severity.word] = of_rule.get(finding.severity.word, 0) + 1
    return dict(sorted(counts.items()))


def count_by_severity(findings: Sequence[Finding]) -> dict[Severity, int]:
    """Count findings by severity, worst first, including zeros."""
    counts = dict.fromkeys(sorted(Severity, reverse=True), 0)
    for finding in findings:
        counts[finding.severity] += 1
    return counts
