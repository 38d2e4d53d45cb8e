"""What every output format is: a small class that says what it needs, and writes a finished run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from ccmcheck.base.result import LintResult
from ccmcheck.report.options import ReportOptions

MOST_FOR_PEOPLE = 200
"""Findings that the formats for people show where nobody asks for more: nobody reads as many."""


class Reporter(ABC):
    """One output format.

    Attributes:
        most_findings: How many findings it shows where nobody says; 0 for all.
        says_what_is_left_out: Whether it has a place for how many findings are left out; the others hold all.
        has_statistics: Whether it can show the counts of the rules in place of the findings.
        has_summary: Whether it says which cluster it is about, and sums up; beside the others, standard error does.
        is_bare: Whether nothing sums it up, not even standard error.
        names_unjudged: Whether it names the rules that lack an input, also without ``-v``.
        is_for_code_hosts: Whether its paths are relative to the repository's root.
        describes_rules: Whether it has the rules' pages; the others are spared loading them.
        has_replacements: Whether it has what fixes replace.
        shows_progress: Whether a terminal shows a bar while it waits.

    Args:
        options: How it is to be written.
    """

    most_findings = 0
    says_what_is_left_out = False
    has_statistics = False
    has_summary = False
    is_bare = False
    names_unjudged = False
    is_for_code_hosts = False
    describes_rules = False
    has_replacements = False
    shows_progress = False

    def __init__(self, options: ReportOptions) -> None:
        self.options = options

    @abstractmethod
    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the output in pieces that end where a reader may be shown them; joined they are the whole."""

    @classmethod
    def shown_of(cls, asked: int | None) -> int:
        """How many findings it shows; 0 for all.

        Args:
            asked: ``--max-findings``; None where it is not given.
        """
        if not cls.says_what_is_left_out:
            return 0
        return cls.most_findings if asked is None else asked
