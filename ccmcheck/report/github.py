"""GitHub Actions' workflow commands: annotations on the lines of a pull request.

The escapes are those of actions/toolkit's ``command.ts``: ``%``, CR and LF everywhere, ``:`` and ``,`` in properties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.report.limit import limited
from ccmcheck.report.paths import in_repository
from ccmcheck.report.prose import message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.result import LintResult
    from ccmcheck.report.options import ReportOptions

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReporter:
    """Writes one command a line.

    Args:
        options: ``root``, ``repository`` and ``max_findings`` count here.
    """

    def __init__(self, options: ReportOptions) -> None:
        self._root = options.root
        self._max_findings = options.max_findings
        self._repository = options.repository

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one command a finding, one for what is left out of a file, then one a failure."""
        shown, cut = limited(result.findings, self._max_findings)
        for finding in shown:
            place = finding.place
            path = in_repository(place.path, self._root, self._repository)
            where = {"file": path, "line": str(place.line), "col": str(place.column)}
            if place.end_line != place.line:  # GitHub takes columns on a single line only
                del where["col"]
                where["endLine"] = str(place.end_line)
            elif place.end_column > place.column:
                where["endColumn"] = str(place.end_column)
            where["title"] = f"{finding.rule} (fatal)" if finding.fatal else finding.rule
            yield _command(_COMMANDS[finding.severity], where, message_of(finding))
        for one in cut:
            where = {"file": in_repository(one.path, self._root, self._repository), "title": one.rule}
            yield _command(_COMMANDS[one.severity], where, one.said)
        for failure in result.failures:
            path = in_repository(failure.path, self._root, self._repository)
            where = {"file": path, "line": str(max(failure.line, 1))}
            where["title"] = failure.name
            yield _command("error", where, "\n".join(filter(None, (failure.message, failure.hint))))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}\n"


def _data(text: str) -> str:
    lines = (printable(line) for line in text.split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
