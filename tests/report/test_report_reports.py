"""Report objects of openreports.io: one a namespace, stable, bounded, and valid by the CustomResourceDefinition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from report_sample import CLEAN, DURATION, HOSTILE, PLAIN, REMOVED, SAMPLE, written

from ccmcheck.base.model import Finding, Place, Severity
from ccmcheck.base.result import Failure, LintResult, Summary
from ccmcheck.report.reports import MOST_RESULTS, reports

SCHEMA = Path(__file__).parent / "openreports_reports.json"
"""The schema of reports-api v0.2.1, written by ``tests/truth/reports/reports_compare.py --record``."""


def documents(text: str) -> list[Any]:
    return list(yaml.safe_load_all(text))


def about(subject: str, line: int = 1, severity: Severity = Severity.WARNING) -> Finding:
    route = f"{subject} › spec.ports"
    return DURATION._replace(severity=severity, fatal=False, place=Place(subject, line, 1, line, 2, route, 0, 0))


def test_there_is_one_report_a_namespace() -> None:
    findings = (about("Service shop/web"), about("Service shop/mail"), about("DaemonSet kube-system/ccm"))
    made = list(reports(LintResult(findings), fail_on=Severity.WARNING, root=""))
    assert [(one["metadata"]["namespace"], len(one["results"])) for one in made] == [("kube-system", 1), ("shop", 2)]
    assert {one["metadata"]["name"] for one in made} == {"ccmcheck"}
    assert made[1]["results"][0]["resources"] == [
        {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "web"}
    ]


def test_findings_about_no_object_of_a_cluster_go_to_kube_system() -> None:
    result = LintResult((REMOVED,), (Failure("Nodes", "no"),))
    made = list(reports(result._replace(summary=Summary(header="Cluster: x")), fail_on=None, root=""))
    assert [one["metadata"]["namespace"] for one in made] == ["kube-system"]
    assert "resources" not in made[0]["results"][0]
    assert "namespace" not in next(reports(result, fail_on=None, root=""))["metadata"]


def test_results_are_failures_warnings_and_errors_worst_first() -> None:
    made = documents(written("openreports"))
    assert all(one["kind"] == "Report" for one in made)
    outcomes = [(result["result"], result["severity"]) for one in made for result in one["results"] if one is made[0]]
    assert outcomes == [("fail", "medium"), ("error", "medium"), ("error", "medium"), ("warn", "info")]
    assert made[1]["results"][0]["severity"] == "critical"
    assert made[1]["summary"] == {"pass": 0, "fail": 2, "warn": 0, "error": 0, "skip": 0}


def test_a_report_is_bounded_and_its_summary_counts_all() -> None:
    findings = tuple(about("Service shop/web", line) for line in range(1, 3 * MOST_RESULTS))
    findings += (about("Service shop/web", 999, Severity.ERROR),)
    made = next(reports(LintResult(findings), fail_on=Severity.WARNING, root=""))
    assert len(made["results"]) == MOST_RESULTS == made["configuration"]["limits"]["maxResults"]
    assert made["results"][0]["severity"] == "high"
    assert made["summary"]["fail"] == 3 * MOST_RESULTS


def test_a_message_of_any_length_is_cut() -> None:
    long = HOSTILE._replace(label="x" * 10**6, help="y" * 10**6)
    made = next(reports(LintResult((long,) * 300), fail_on=Severity.WARNING, root=""))
    assert len(json.dumps(made)) < 300_000


def test_the_same_findings_give_the_same_text() -> None:
    assert written("openreports", SAMPLE) == written("openreports", SAMPLE._replace(summary=Summary(seconds=9.9)))


def test_a_run_without_findings_is_a_comment() -> None:
    assert written("openreports", CLEAN) == "# nothing to report\n"


@pytest.mark.parametrize("result", [SAMPLE, LintResult((HOSTILE,))])
def test_reports_are_valid_by_the_definition(result: LintResult) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = Draft202012Validator(schema)
    assert documents(written("openreports", result))
    for document in documents(written("openreports", result, PLAIN)):
        assert [error.message for error in validator.iter_errors(document)] == []
    wrong = {"results": [{"policy": "x", "result": "bad"}]}
    assert list(validator.iter_errors(wrong))


def test_every_field_is_one_of_the_definition() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    def unknown(value: Any, at: dict[str, Any], way: str) -> list[str]:
        if isinstance(value, list):
            return [name for item in value for name in unknown(item, at["items"], way)]
        if not isinstance(value, dict) or "properties" not in at:
            return []
        gaps = [f"{way}.{key}" for key in value if key not in at["properties"]]
        return gaps + [
            name
            for key, child in value.items()
            if key in at["properties"]
            for name in unknown(child, at["properties"][key], f"{way}.{key}")
        ]

    for document in documents(written("openreports")):
        assert unknown(document, schema, "") == []
    assert unknown({"results": [{"nothing": 1}]}, schema, "") == [".results.nothing"]
