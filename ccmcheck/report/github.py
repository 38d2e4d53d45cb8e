"""GitHub Actions' workflow commands: annotations on the lines of a pull request.

GitHub shows the first ten errors, warnings and notices of a step, so that the worst come first. The escapes are those
of actions/toolkit's ``command.ts``: ``%``, CR and LF everywhere, ``:`` and ``,`` in properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.base.result import LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.limit import limited, worst_first
from ccmcheck.report.prose import failure_message, message_of

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReporter(Reporter):
    """Writes one command a line."""

    says_what_is_left_out = True
    is_for_code_hosts = True

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield one command a failure and a finding, then one for what is left out of each rule."""
        for failure in result.failures:
            line = max(failure.line, 1)
            where: dict[str, str | int] = {"file": self.options.path(failure.path), "line": line, "title": failure.name}
            yield _command("error", where, failure_message(failure, "\n"))
        shown = limited(result.findings, self.options.max_findings)
        for finding in worst_first(shown.findings):
            place = finding.place
            where = {"file": self.options.path(place.path), "line": place.line}
            if place.end_line != place.line:  # GitHub takes columns on a single line only
                where["endLine"] = place.end_line
            else:
                where["col"] = place.column
            if place.end_line == place.line and place.end_column > place.column:
                where["endColumn"] = place.end_column
            where["title"] = f"{finding.rule} (fatal)" if finding.fatal else finding.rule
            yield _command(_COMMANDS[finding.severity], where, message_of(finding))
        for cut in shown.cut:
            yield _command(_COMMANDS[cut.severity], {"title": cut.rule}, cut.message)


def _command(name: str, properties: Mapping[str, str | int], message: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}\n"


def _data(text: str) -> str:
    lines = (printable(line) for line in text.split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
