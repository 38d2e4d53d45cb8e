"""What Kubernetes refuses, held to what kube-apiserver 1.36 itself answered, and to older versions by its feature gates."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kubernetes_ours import difference, is_refused
from kubernetes_texts import FIELDS, texts
from predict_cases import manifest, options

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome

TRUTH = Path(__file__).resolve().parents[1] / "truth" / "kubernetes"

Json = dict[str, Any]


@cache
def recorded() -> list[tuple[Json, bool, list[str]]]:
    with (TRUTH / "recorded" / "answers.jsonl").open(encoding="ascii") as lines:
        return [tuple(json.loads(line)) for line in lines]


def test_the_api_server_and_ccmcheck_refuse_the_same() -> None:
    differences = [(case, text) for case in recorded() if (text := difference(case[0], case[2], alone=case[1]))]
    assert differences == []


def test_scalars_are_refused_however_they_are_written() -> None:
    refused = json.loads((TRUTH / "recorded" / "scalars.json").read_text(encoding="ascii"))
    assert set(refused) == set(FIELDS)
    different = [(field, scalar) for field, scalar, text in texts() if is_refused(text) != (scalar in refused[field])]
    assert different == []


def test_both_answers_are_among_the_recorded_ones() -> None:
    refused = sum(bool(answer) for _, _, answer in recorded())
    assert 500 < refused < len(recorded()) - 100


def test_the_comparison_sees_a_difference() -> None:
    right, wrong = manifest(), manifest()
    wrong["spec"]["type"] = "loadbalancer"
    assert "the API server" in difference(right, ["spec.type"], alone=True)
    assert "spec.type" in difference(wrong, [], alone=True)
    assert "spec.type" in difference(wrong, ["spec.ports[0].port"], alone=True)


@pytest.mark.parametrize(("kubernetes", "outcome"), [("1.35", "nothing"), ("1.36", "accepted"), ("", "accepted")])
def test_names_may_begin_with_a_digit_since_1_36(kubernetes: str, outcome: str) -> None:
    body = manifest()
    body["metadata"]["name"] = "1web"
    found = predict(options(), read_service(body), CloudState(facts=ClusterFacts(kubernetes_version=kubernetes)))
    assert found.outcome is Outcome(outcome)
    answer_named = [one.severity for one in found.findings if one.path == ("metadata", "name")]
    assert answer_named == {"1.35": [Severity.ERROR], "1.36": [], "": [Severity.WARNING]}[kubernetes]


@pytest.mark.parametrize(("kubernetes", "outcome"), [("1.35", "accepted"), ("1.36", "nothing"), ("", "accepted")])
def test_bits_beyond_the_prefix_are_refused_since_1_36(kubernetes: str, outcome: str) -> None:
    body = manifest()
    body["spec"]["loadBalancerSourceRanges"] = ["192.0.2.5/24"]
    found = predict(options(), read_service(body), CloudState(facts=ClusterFacts(kubernetes_version=kubernetes)))
    assert found.outcome is Outcome(outcome)
    answer_named = [one.help for one in found.findings if one.path == ("spec", "loadBalancerSourceRanges", 0)]
    assert answer_named == ([] if kubernetes == "1.35" else ["Write `192.0.2.0/24`."])


@pytest.mark.parametrize(("kubernetes", "refused"), [("1.19", True), ("1.20", False), ("1.36", False), ("", False)])
def test_ports_of_two_protocols_are_refused_before_1_20(kubernetes: str, *, refused: bool) -> None:
    body = manifest("TCP/53 UDP/53")
    found = predict(options(), read_service(body), CloudState(facts=ClusterFacts(kubernetes_version=kubernetes)))
    assert found.outcome is (Outcome.NOTHING if refused else Outcome.ACCEPTED)
    assert [one.severity for one in found.findings if one.path == ("spec", "ports")] == [Severity.ERROR] * refused


def test_what_stands_for_a_node_port_is_not_the_check_port() -> None:
    body = manifest()
    body["spec"] |= {"externalTrafficPolicy": "Local", "healthCheckNodePort": 30000}
    found = read_service(body)
    assert found.faults == ()
    assert [port.node_port for port in found.ports] == [30001]


def test_a_field_that_there_is_not_is_reported_and_does_not_stop_the_prediction() -> None:
    body = manifest()
    body["spec"]["externalTrafficpolicy"] = "Local"
    found = predict(options(), read_service(body), CloudState())
    assert found.outcome is Outcome.ACCEPTED
    (finding,) = (one for one in found.findings if one.path == ("spec", "externalTrafficpolicy"))
    assert finding.severity is Severity.WARNING
    assert finding.help == "Write `externalTrafficPolicy`."


@pytest.mark.parametrize(
    ("at", "field", "last", "instead"),
    [
        ("spec", "deprecatedPublicIPs", "1.7", "externalIPs"),
        ("spec", "ipFamily", "1.19", "ipFamilies"),
        ("spec", "topologyKeys", "1.21", ""),
        ("metadata", "clusterName", "1.24", ""),
    ],
)
def test_a_former_field_is_one_up_to_its_last_version(at: str, field: str, last: str, instead: str) -> None:
    service: Json = {"kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}
    service[at][field] = "x"
    (fault,) = [one for one in read_service(service).faults if one.path == (at, field)]
    first_without = f"1.{int(last[2:]) + 1}"
    assert first_without in fault.text
    assert fault.holds(last) is False
    assert fault.holds(first_without) is True
    assert fault.holds("") is None
    assert fault.help == (f"Write `{instead}`, a list." if instead else "Delete it.")
