"""JUnit XML: a test suite a file, a test case a finding.

A finding at or above ``--fail-on`` is a failed test, one below it a passed test with something to say, a file that
could not be read an error. A run without any is one passed test, because readers of JUnit take an empty report for a
broken one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Finding
from ccmcheck.base.result import Failure, LintResult
from ccmcheck.report.base import Reporter
from ccmcheck.report.markup import HEADER, body, by_file, start
from ccmcheck.report.prose import message_of


class JunitReporter(Reporter):
    """Writes one ``testsuites`` element."""

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the document in pieces of one suite."""
        summary = result.summary
        failed = sum(self.options.fails(finding.severity) for finding in result.findings)
        totals: dict[str, str | int] = {
            "name": "ccmcheck",
            "tests": len(result.findings) + len(result.failures) or 1,
            "failures": failed,
            "errors": len(result.failures),
            "time": f"{summary.seconds:.3f}",
        }
        yield f"{HEADER}{start('testsuites', totals)}>\n"
        for path, findings, failures in by_file(result, self.options.root):
            yield self._suite(path, findings, failures)
        if not result.findings and not result.failures:
            name = f"{summary.cloud_confs} cloud.confs in {summary.files} files"
            yield start("testsuite", {"name": "ccmcheck", "tests": 1, "failures": 0, "errors": 0}) + ">\n"
            yield f"{start('testcase', {'classname': 'ccmcheck', 'name': name})}/>\n</testsuite>\n"
        yield "</testsuites>\n"

    def _suite(self, path: str, findings: list[Finding], failures: list[Failure]) -> str:
        counts: dict[str, str | int] = {
            "name": path,
            "tests": len(findings) + len(failures),
            "failures": sum(self.options.fails(finding.severity) for finding in findings),
            "errors": len(failures),
        }
        cases = [self._case(path, finding) for finding in findings]
        cases += [_error(path, failure) for failure in failures]
        return f"{start('testsuite', counts)}>\n{''.join(cases)}</testsuite>\n"

    def _case(self, path: str, finding: Finding) -> str:
        place = finding.place
        name = f"{finding.rule} at {place.line}:{place.column}"
        if not place.exact:
            name += f" [{place.inner_line}:{place.inner_column}]"
        said = body(f"{place.path}:{place.line}:{place.column}\n{message_of(finding)}")
        if self.options.fails(finding.severity):
            failure = start("failure", {"type": f"{finding.severity.word} {finding.rule}", "message": finding.headline})
            said = f"{failure}>{said}</failure>"
        else:
            said = f"<system-out>{finding.severity.word}: {said}</system-out>"
        case = start("testcase", {"classname": path, "name": name, "file": path, "line": place.line})
        return f"{case}>{said}</testcase>\n"


def _error(path: str, failure: Failure) -> str:
    case = start("testcase", {"classname": path, "name": failure.name, "file": path})
    error = start("error", {"type": failure.name, "message": failure.message})
    return f"{case}>{error}>{body(failure.hint)}</error></testcase>\n"
