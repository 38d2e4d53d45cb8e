"""The reports of `cluster conformance`: what each format says of cases that pass, fail, inform and are not tried."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
import yaml

from ccmcheck.base.result import Failure
from ccmcheck.cluster.conformance.forms import FORMATS, written
from ccmcheck.cluster.conformance.forms.scs import log_lines
from ccmcheck.cluster.conformance.records import (
    CaseResult,
    CaseVerdict,
    DelayComparison,
    Remains,
    Reply,
    RequestProblem,
    RunResult,
    StepResult,
)

ANSWERED = Reply(0.0041, None, "default-7d-x", "10.0.0.250", "198.51.100.9")
LOST = Reply(2.0, RequestProblem.WAITING)
REQUESTS = StepResult("requests", True, "50 of 50 requests answered", 0.4, (ANSWERED,) * 3)
FAILED = StepResult(
    "requests", False, "16 of 50 requests answered", 68.0, (LOST, Reply(0.1, RequestProblem.STRANGER, status=503))
)
REMAINS = Remains(
    ("Namespace ccmcheck-conformance-ab12", "Service x (203.0.113.7)"), "the API server is gone", "ccmcheck x"
)
RESULT = RunResult(
    "Cluster: context prod, https://api:6443, kube-system 0815",
    "ab12",
    "nginx:1",
    (
        CaseResult(
            "default", "Cluster", CaseVerdict.PASS, True, (REQUESTS,), ("203.0.113.7",), "all nodes", "the amphora's"
        ),
        CaseResult(
            "local",
            "Local & <more>",
            CaseVerdict.FAIL,
            False,
            (FAILED,),
            comparison=DelayComparison("33 % at once", "16 of 50 at once", True),
            causes=("no monitor", "nothing answers"),
        ),
        CaseResult("udp", "UDP", CaseVerdict.FAIL, True, (StepResult("address", False, "no address within 600 s"),)),
        CaseResult(
            "local-nodes", "nodes", CaseVerdict.ABORT, True, (StepResult("workload", None, "needs pods on 2 nodes"),)
        ),
        CaseResult("deletion", "deletion", CaseVerdict.ABORT, True),
    ),
    "2026-11-03T10:00:00Z",
    130.0,
    failures=(Failure("Nodes", "HTTP 403"),),
    source="Secret kube-system/cloud-config, CCM v1.31.2",
)


def shown(form: str, result: RunResult = RESULT) -> str:
    return "".join(written(result, form))


TEXT = """\
Cluster: context prod, https://api:6443, kube-system 0815
Run ab12, nginx:1
Predictions by Secret kube-system/cloud-config, CCM v1.31.2
Not read for predictions: Nodes: HTTP 403

✓ default (0 s)
    Cluster
    requests         0.4 s  50 of 50 requests answered
    answered by   default-7d-x (3)
    clients seen  10.0.0.250 for 198.51.100.9; predicted: the amphora's
    predicted     all nodes

✗ local: fails; information, not counted (0 s)
    Local & <more>
    requests        68.0 s  16 of 50 requests answered  ← fails
    delays        predicted: 33 % at once
                  measured: 16 of 50 at once: as predicted
    likely cause  no monitor
                  nothing answers

✗ udp: fails (0 s)
    UDP
    address          0.0 s  no address within 600 s  ← fails

- local-nodes: not tried to its end (0 s)
    nodes
    workload         0.0 s  needs pods on 2 nodes  ← ends

- deletion: not tried

1 passed, 2 failed (1 of them as information), 2 not tried to the end, in 130 s
Everything that was created is removed
"""


def test_text() -> None:
    assert shown("text") == TEXT


def test_text_of_what_is_left() -> None:
    said = shown("text", RESULT._replace(remains=REMAINS, stopped="the API server is gone"))
    assert said.endswith(
        "The run ended early: the API server is gone\n"
        "1 passed, 2 failed (1 of them as information), 2 not tried to the end, in 130 s\n"
        "✗ left in the cluster: the API server is gone\n"
        "    Namespace ccmcheck-conformance-ab12\n"
        "    Service x (203.0.113.7)\n"
        "    Load balancers cost money until they are deleted. Remove it with: ccmcheck x\n"
    )


def test_json_has_every_request() -> None:
    report = json.loads(shown("json", RESULT._replace(remains=REMAINS)))
    assert report["version"] == 1
    default, local, udp, *_ = report["cases"]
    seen = {"seconds": 0.0041, "pod": "default-7d-x", "client": "10.0.0.250", "forwarded": "198.51.100.9"}
    assert default["steps"][0]["requests"] == [seen] * 3
    assert local["steps"][0]["requests"] == [
        {"seconds": 2.0, "problem": "no answer"},
        {"seconds": 0.1, "problem": "answered by something else", "status": 503},
    ]
    assert local["delays"] == {"predicted": "33 % at once", "measured": "16 of 50 at once", "agrees": True}
    assert [case["verdict"] for case in report["cases"]] == ["PASS", "FAIL", "FAIL", "ABORT", "ABORT"]
    assert (udp["failing_step"], udp["required"], local["required"]) == ("address", True, False)
    assert report["remains"]["command"] == "ccmcheck x"
    assert report["failures"] == [{"path": "Nodes", "message": "HTTP 403", "hint": ""}]


def test_scs_has_a_line_for_each_case_and_its_log_counts_errors_of_required_ones() -> None:
    assert shown("scs") == (
        "loadbalancer-default: PASS\nloadbalancer-local: FAIL\nloadbalancer-udp: FAIL\n"
        "loadbalancer-local-nodes: ABORT\nloadbalancer-deletion: ABORT\n"
    )
    log = list(log_lines(RESULT))
    assert [line for line in log if line.startswith("ERROR")] == ["ERROR: udp: address: no address within 600 s"]
    assert "WARNING: local: likely cause: no monitor" in log


def test_junit_counts_what_counts() -> None:
    root = ET.fromstring(shown("junit"))  # noqa: S314 - our own
    suite = root.find("testsuite")
    assert suite is not None
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "0",
        "skipped": "3",
    }
    (failure,) = root.iter("failure")
    assert failure.get("message") == "address: no address within 600 s"
    left = ET.fromstring(shown("junit", RESULT._replace(remains=REMAINS)))  # noqa: S314
    (error,) = left.iter("error")
    assert "Namespace ccmcheck-conformance-ab12" in str(error.get("message"))


def test_sonobuoy_reads_items_with_a_status() -> None:
    document = yaml.safe_load(shown("sonobuoy"))
    assert (document["name"], document["status"], document["meta"]) == (
        "ccmcheck-conformance",
        "failed",
        {"type": "summary"},
    )
    statuses = {item["name"]: item["status"] for item in document["items"]}
    assert statuses == {
        "default": "passed",
        "local": "skipped",
        "udp": "failed",
        "local-nodes": "skipped",
        "deletion": "skipped",
    }
    passed = RESULT._replace(cases=RESULT.cases[:2])
    assert yaml.safe_load(shown("sonobuoy", passed))["status"] == "passed"
    assert yaml.safe_load(shown("sonobuoy", passed._replace(remains=REMAINS)))["status"] == "failed"


@pytest.mark.parametrize("form", FORMATS)
def test_no_text_of_a_cluster_moves_the_cursor(form: str) -> None:
    bad = CaseResult("default", "t", CaseVerdict.FAIL, True, (StepResult("address", False, "a\x1b[31mb\u202e"),))
    assert "\x1b" not in shown(form, RESULT._replace(cases=(bad,)))


def test_the_guide_names_every_case() -> None:
    from ccmcheck.cli.guides import guide
    from ccmcheck.cluster.conformance.cases import NAMES

    text = guide("conformance")
    assert [name for name in NAMES if f"| `{name}` |" not in text] == []
