"""SARIF 2.1.0 (OASIS, errata 01), which GitHub code scanning, Azure and editors read.

Columns count code points, and the log says so. A finding in an encoded cloud.conf has its scalar's region in the file
and the way from there as a logical location. What could not be read is a notification of the tool, not a result.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import __version__
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Finding, FurtherPlace, Place, Severity, Snippet
from ccmcheck.base.result import Failure, LintResult, RuleInfo
from ccmcheck.report.base import Reporter
from ccmcheck.report.document.layout import excerpt
from ccmcheck.report.fingerprint import fingerprints
from ccmcheck.report.limit import Cut, limited
from ccmcheck.report.paths import uri
from ccmcheck.report.prose import failure_message, message_of
from ccmcheck.report.records import Json, dumped, summary_record

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/ccmcheck/ccmcheck"
FINGERPRINT = "ccmcheck/v2"
NOT_SHOWN = "findings-not-shown"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

# "{0}" would be a placeholder and "[text](1)" a link (SARIF 2.1.0 §3.11.5 and §3.11.6); other braces and brackets are
# left alone, because few viewers undo the escapes
_PLACEHOLDER = lazy_regex(r"\{(\d++)\}")
_LINK = lazy_regex(r"\[(?=[^\[\]]*+\]\()")


class SarifReporter(Reporter):
    """Writes one log with one run."""

    says_what_is_left_out = True
    is_for_code_hosts = True
    describes_rules = True
    has_replacements = True

    def _uri(self, path: str) -> str:
        return uri(self.options.path(path), self.options.repository or self.options.root)

    def report(self, result: LintResult) -> Iterator[str]:
        """Yield the log in pieces of one result."""
        shown, cut = limited(result.findings, self.options.max_findings)
        names = list(dict.fromkeys(finding.rule for finding in shown))
        index = {name: number for number, name in enumerate(names)}
        driver: Json = {
            "name": "ccmcheck",
            "version": __version__,
            "semanticVersion": __version__,
            "informationUri": HOME,
            "rules": [self._rule(name, result) for name in names],
        }
        invocation: Json = {
            "executionSuccessful": not result.failures,
            "toolExecutionNotifications": [
                *(self._notification(failure) for failure in result.failures),
                *map(_cut, cut),
            ],
        }
        yield f'{{\n"$schema": "{SCHEMA}",\n"version": "2.1.0",\n"runs": [{{\n'
        yield f'"tool": {dumped({"driver": driver})},\n'
        yield f'"columnKind": "unicodeCodePoints",\n"invocations": [{dumped(invocation)}],\n'
        yield f'"properties": {dumped(summary_record(result, cut))},\n"results": ['
        separator = "\n"
        for finding, print_ in zip(shown, fingerprints(shown, self.options.root), strict=True):
            yield separator + dumped(self._result(finding, index[finding.rule], print_))
            separator = ",\n"
        yield "\n]\n}]\n}\n"

    def _rule(self, name: str, result: LintResult) -> dict[str, Json]:
        known = result.rules.get(name)
        if known is None:
            severity = next(finding.severity for finding in result.findings if finding.rule == name)
            known = RuleInfo(name, name, severity)
        rule: dict[str, Json] = {
            "id": name,
            "name": name.title().replace("-", ""),
            # GitHub asks for all three texts
            "shortDescription": {"text": _message(known.title)},
            "fullDescription": {"text": _message(known.description or known.title)},
            "help": {"text": _message(known.why or known.title), "markdown": known.why or known.title},
            "defaultConfiguration": {"level": _LEVELS[known.severity]},
            "properties": {"tags": ["openstack", "kubernetes"], "fix": known.fix},
        }
        if known.url:
            rule["helpUri"] = known.url
        return rule

    def _result(self, finding: Finding, rule_index: int, print_: str) -> dict[str, Json]:
        properties: dict[str, Json] = {"fatal": finding.fatal, "exact": finding.place.exact}
        if not finding.place.exact:
            properties["inner"] = {"line": finding.place.inner_line, "column": finding.place.inner_column}
        if finding.fix is not None:
            properties["fix"] = {"applicability": finding.fix.word, "title": finding.fix_title}
        if finding.releases:
            properties["releases"] = finding.releases
        result: dict[str, Json] = {
            "ruleId": finding.rule,
            "ruleIndex": rule_index,
            "level": _LEVELS[finding.severity],
            "message": {"text": _message(message_of(finding))},
            "locations": [self._location(finding.place, finding.snippet)],
            "partialFingerprints": {FINGERPRINT: print_},
            "properties": properties,
        }
        if finding.replacements:
            result["fixes"] = [self._fix(finding)]
        if finding.further:
            result["relatedLocations"] = [
                self._further(number, further) for number, further in enumerate(finding.further, 1)
            ]
        return result

    def _fix(self, finding: Finding) -> dict[str, Json]:
        """The change that ``ccmcheck fix`` makes, all in the file that the finding is in."""
        return {
            "description": {"text": _message(finding.fix_title)},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": self._uri(finding.place.path)},
                    "replacements": [
                        {
                            "deletedRegion": {
                                "startLine": replacement.line,
                                "startColumn": replacement.column,
                                "endLine": replacement.end_line,
                                "endColumn": replacement.end_column,
                            },
                            "insertedContent": {"text": replacement.text},
                        }
                        for replacement in finding.replacements
                    ],
                }
            ],
        }

    def _location(self, place: Place, snippet: Snippet | None) -> dict[str, Json]:
        region: dict[str, Json] = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
        physical: dict[str, Json] = {"artifactLocation": {"uri": self._uri(place.path)}, "region": region}
        if snippet is not None and place.exact:
            physical["contextRegion"] = {"startLine": place.line, "snippet": {"text": excerpt(snippet).text}}
        location: dict[str, Json] = {"physicalLocation": physical}
        if place.route:
            location["logicalLocations"] = [{"fullyQualifiedName": place.way, "kind": "resource"}]
        return location

    def _further(self, number: int, further: FurtherPlace) -> dict[str, Json]:
        location = self._location(further.place, further.snippet)
        return {"id": number, **location, "message": {"text": _message(further.text)}}

    def _notification(self, failure: Failure) -> dict[str, Json]:
        physical: dict[str, Json] = {"artifactLocation": {"uri": self._uri(failure.path)}}
        if failure.line:
            physical["region"] = {"startLine": failure.line, "startColumn": max(failure.column, 1)}
        return {
            "descriptor": {"id": failure.name},
            "level": "error",
            "message": {"text": _message(failure_message(failure))},
            "locations": [{"physicalLocation": physical}],
        }


def _cut(cut: Cut) -> dict[str, Json]:
    return {"descriptor": {"id": NOT_SHOWN}, "level": "note", "message": {"text": _message(cut.message)}}


def _message(text: str) -> str:
    return _LINK.sub(r"\\[", _PLACEHOLDER.sub(r"{{\1}}", text)) or "-"
