"""Checkstyle XML, the lingua franca of older CI systems and of reviewdog."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.markup import HEADER, by_file, start
from ccmcheck.report.prose import failure_message, message_of


class CheckstyleReporter(Reporter):
    """Writes one ``checkstyle`` element; its severities have the same words as ours."""

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the document in pieces of one file."""
        yield f'{HEADER}<checkstyle version="4.3">\n'
        for path, findings, failures in by_file(result, self.options.root):
            errors = [
                _error(one.place.line, one.place.column, one.severity.word, message_of(one), one.rule)
                for one in findings
            ]
            errors += [_error(one.line, one.column, "error", failure_message(one), one.name) for one in failures]
            yield f"{start('file', {'name': path})}>\n{''.join(errors)}</file>\n"
        yield "</checkstyle>\n"


def _error(line: int, column: int, severity: str, message: str, name: str) -> str:
    where = {"line": max(line, 1), "column": max(column, 1)}
    return f"{start('error', {**where, 'severity': severity, 'message': message, 'source': f'ccmcheck.{name}'})}/>\n"
