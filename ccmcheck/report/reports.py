"""Findings as Report objects of openreports.io: one a namespace, failures only, of bounded size.

They say nothing that changes without the findings: no time, no duration, so that an unchanged result is an unchanged
object. The fields are those of the CustomResourceDefinition of reports-api v0.2.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ccmcheck.base.escape import inert
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Finding, Place, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.report.fingerprint import fingerprints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.result import Failure, LintResult

API_GROUP, API_VERSION, PLURAL = "openreports.io", "v1alpha1", "reports"
KIND = "Report"
SOURCE = "ccmcheck"
NAME = "ccmcheck"
"""Of every report: there is one in a namespace."""
CLUSTER_NAMESPACE = "kube-system"
MANAGED_BY = "app.kubernetes.io/managed-by"

MOST_RESULTS = 100
"""Of one report: with `_LONGEST_MESSAGE` it stays far below etcd's limit for an object."""
_LONGEST_MESSAGE = 1000
_LONGEST_PROPERTY = 300
_CATEGORY = "OpenStack cloud-controller-manager"

_SUBJECT = lazy_regex(
    r"(?P<kind>[A-Z][A-Za-z0-9]{0,62}) (?:(?P<namespace>[a-z0-9][a-z0-9-]{0,62})/)?"
    r"(?P<name>[a-z0-9][a-z0-9.-]{0,252})(?= › |\Z)"
)
_VERSIONS = {
    **dict.fromkeys(("Service", "Secret", "ConfigMap", "Pod"), "v1"),
    **dict.fromkeys(("DaemonSet", "Deployment", "StatefulSet"), "apps/v1"),
}
_SEVERITIES = {Severity.ERROR: "high", Severity.WARNING: "medium", Severity.INFO: "info"}
_ORDER = ("fail", "error", "warn")

Object = dict[str, Any]


class _Result(NamedTuple):
    """One entry of ``results`` with what it is sorted and grouped by."""

    namespace: str
    rank: tuple[int, int]
    entry: Object


def reports(result: LintResult, *, fail_on: Severity | None, root: str) -> Iterator[Object]:
    """The reports of a run, sorted by namespace; none where nothing was found.

    What is about no object has the namespace `CLUSTER_NAMESPACE` in a running cluster, and none elsewhere.

    Args:
        result: The run.
        fail_on: Findings at or above it are ``fail``, others ``warn``.
        root: See `ccmcheck.report.paths.relative`.
    """
    namespace = CLUSTER_NAMESPACE if result.summary.header else ""
    by_namespace: dict[str, list[_Result]] = {}
    results = [
        _finding(finding, print_, fail_on)
        for finding, print_ in zip(result.findings, fingerprints(result.findings, root), strict=True)
    ]
    results += map(_failure, result.failures)
    for one in results:
        by_namespace.setdefault(one.namespace or namespace, []).append(one)
    for place in sorted(by_namespace):
        yield _report(place, by_namespace[place])


def _report(namespace: str, results: list[_Result]) -> Object:
    results.sort(key=lambda one: one.rank)
    counts = dict.fromkeys(("pass", "fail", "warn", "error", "skip"), 0)
    for result in results:
        counts[result.entry["result"]] += 1
    metadata = {"name": NAME, **({"namespace": namespace} if namespace else {}), "labels": {MANAGED_BY: SOURCE}}
    return {
        "apiVersion": f"{API_GROUP}/{API_VERSION}",
        "kind": KIND,
        "metadata": metadata,
        "source": SOURCE,
        "configuration": {"limits": {"maxResults": MOST_RESULTS, "statusFilter": list(_ORDER)}},
        "summary": counts,
        "results": [one.entry for one in results[:MOST_RESULTS]],
    }


def _finding(finding: Finding, fingerprint: str, fail_on: Severity | None) -> _Result:
    fails = fail_on is not None and finding.severity >= fail_on
    outcome = "fail" if fails else "warn"
    place = finding.place
    texts = (f"{finding.headline}.", finding.error and f"The CCM's own error: {finding.error}.", finding.help)
    properties = {
        "path": place.path,
        "place": place.route,
        "line": str(place.inner_line or place.line or ""),
        "fatal": "true" if finding.fatal else "",
        "explain": f"ccmcheck explain {finding.rule}",
        "fingerprint": fingerprint,
    }
    severity = "critical" if finding.fatal else _SEVERITIES[finding.severity]
    subject = _subject(place)
    entry = _entry(finding.rule, severity, outcome, " ".join(filter(None, texts)), properties, subject)
    return _Result(subject.get("namespace", ""), (_ORDER.index(outcome), -finding.severity), {**entry, "scored": fails})


def _failure(failure: Failure) -> _Result:
    message = " ".join(filter(None, (f"{failure.message}.", failure.hint)))
    entry = _entry(failure.name, "medium", "error", message, {"path": failure.place}, {})
    return _Result("", (_ORDER.index("error"), 0), {**entry, "scored": False})


def _entry(
    policy: str, severity: str, outcome: str, message: str, properties: dict[str, str], subject: Object
) -> Object:
    return {
        "source": SOURCE,
        "policy": policy,
        "category": _CATEGORY,
        "severity": severity,
        "result": outcome,
        "message": _cut(message, _LONGEST_MESSAGE),
        **({"resources": [subject]} if subject else {}),
        "properties": {name: _cut(text, _LONGEST_PROPERTY) for name, text in properties.items() if text},
    }


def _subject(place: Place) -> Object:
    """The object that a finding is about, as an ObjectReference; empty for a plain file."""
    match: re.Match[str] | None = _SUBJECT.match(place.route or place.path)
    if match is None:
        return {}
    named = {"apiVersion": _VERSIONS.get(match["kind"], ""), **match.groupdict()}
    return {key: value for key, value in named.items() if value}


def _cut(text: str, most: int) -> str:
    """A text of bounded length that every medium can show; what is cut off costs nothing."""
    shown = "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text[:most])
    return inert(shown if len(text) <= most else f"{shown[: most - 1]}…")
