"""Checkstyle XML, the lingua franca of older CI systems and of reviewdog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.report.markup import HEADER, by_file, start
from ccmcheck.report.prose import message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Finding
    from ccmcheck.base.result import Failure, LintResult
    from ccmcheck.report.options import ReportOptions


class CheckstyleReporter:
    """Writes one ``checkstyle`` element; its severities have the same words as ours.

    Args:
        options: ``root`` counts here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._root = options.root

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the document in pieces of one file."""
        yield f'{HEADER}<checkstyle version="4.3">\n'
        for path, findings, failures in by_file(result, self._root):
            errors = [*map(_finding, findings), *map(_failure, failures)]
            lines = "".join(f"{start('error', error)}/>\n" for error in errors)
            yield f"{start('file', {'name': path})}>\n{lines}</file>\n"
        yield "</checkstyle>\n"


def _finding(finding: Finding) -> dict[str, str | int]:
    return {
        "line": finding.place.line,
        "column": finding.place.column,
        "severity": finding.severity.word,
        "message": message_of(finding),
        "source": f"ccmcheck.{finding.rule}",
    }


def _failure(failure: Failure) -> dict[str, str | int]:
    return {
        "line": max(failure.line, 1),
        "column": max(failure.column, 1),
        "severity": "error",
        "message": " ".join(filter(None, (failure.message, failure.hint))),
        "source": f"ccmcheck.{failure.name}",
    }
