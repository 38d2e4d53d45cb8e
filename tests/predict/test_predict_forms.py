"""How predictions are reported: as text, Markdown and JSON, held to what they looked like when a person read them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from predict_cases import manifest, nodes, options, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.advice.suggestion import suggest
from ccmcheck.predict.conformance import conformance
from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport, as_data
from ccmcheck.predict.forms.report import as_markdown, as_text
from ccmcheck.predict.inputs.choices import choices_of, open_choices
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "local-without-monitors": ("TCP/80 TCP/443", "", "1.31", "Local"),
    "local-with-monitors": ("TCP/80 TCP/443", "create-monitor=true\n", "1.31", "Local"),
    "udp-with-a-short-delay": (
        "TCP/53 UDP/53",
        "create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n",
        "1.31",
        "Cluster",
    ),
    "ovn": ("TCP/80", "create-monitor=true\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "1.36", "Local"),
    "one-by-one": ("TCP/80", "create-monitor=true\n", "1.18", "Cluster"),
    "groups": ("TCP/80 UDP/53", "manage-security-groups=true\n", "1.36", "Local"),
}


def _report(case: str, count: int) -> PredictionReport:
    listed, text, release, policy = CASES[case]
    config = options(text, release)
    cloud = CloudState(nodes=nodes(count), subnets={config.subnet_id: "10.0.0.0/24"})
    service = read_service(manifest(listed, externalTrafficPolicy=policy), allocate=False)._replace(replicas=1)
    found = predict(config, service, cloud)
    choices = tuple(choices_of(open_choices([config]), [config], service)) if found.outcome is Outcome.ACCEPTED else ()
    reported = ServiceReport(found, "web.yaml", 1, suggest(config, service, cloud, found), choices)
    return PredictionReport("cloud.conf", release, "--release", (reported,), conformance(config, cloud))


def _written(case: str, form: str) -> str:
    report = _report(case, 12 if form in ("txt", "md") else 2)
    if form == "txt":
        return "\n".join(as_text(report)) + "\n"
    if form == "verbose.txt":
        return "\n".join(as_text(report, verbose=2)) + "\n"
    if form == "md":
        return "\n".join(as_markdown(report)) + "\n"
    return json.dumps(as_data((report,)), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("form", ["txt", "verbose.txt", "md", "json"])
@pytest.mark.parametrize("case", CASES)
def test_a_prediction_reads_as_it_did(case: str, form: str) -> None:
    """Golden files; CCMCHECK_UPDATE_CASES=1 writes them again."""
    path = GOLDEN / f"{case}.{form}"
    if os.environ.get("CCMCHECK_UPDATE_CASES"):
        path.write_text(_written(case, form), encoding="utf-8")
    assert _written(case, form) == path.read_text(encoding="utf-8")


def test_no_script_passes_below_a_service_of_its_policy_that_is_refused() -> None:
    scripts = conformance(options("create-monitor=true\n", "1.31"), CloudState(nodes=nodes(2)))
    assert [script.passes for script in scripts] == [True, True]
    report = _report("udp-with-a-short-delay", 2)._replace(scripts=scripts)
    told = "\n".join(as_text(report))
    assert "default use case" not in told
    assert "special use case" in told


@pytest.mark.parametrize("case", CASES)
def test_json_keeps_its_contract(case: str) -> None:
    data = json.loads(_written(case, "json"))
    assert data["version"] == 2
    (service,) = data["services"]
    assert {"service", "request", "verdict", "findings"} <= set(service)
    assert service["service"] == "shop/web"
    assert service["request"]["loadbalancer"]["name"] == service["name"]
    assert service["verdict"]["accepted"] in (True, False)
    for answer in service["verdict"]["answers"].values():
        assert answer["text"]
        assert set(answer) == {"good", "text", "mechanism", "evidence", "numbers"}
    for finding in service["findings"]:
        assert finding["severity"] in ("error", "warning", "info")


@pytest.mark.parametrize("form", ["txt", "md"])
def test_no_text_of_a_service_leaves_its_place(form: str) -> None:
    evil = "\x1b[31m|<b>`]( \u202e\r\n## x"
    body = manifest()
    body["metadata"]["name"] = evil
    body["metadata"]["annotations"] = {f"loadbalancer.openstack.org/{evil}": evil}
    config = options("manage-security-groups=true\n")
    service = read_service(body, allocate=False)._replace(faults=())
    found = predict(config, service, CloudState(facts=ClusterFacts(cluster_name=evil)))
    report = PredictionReport(evil, "1.36", evil, (ServiceReport(found, evil, 1),), (), (evil,))
    lines = list(as_text(report, verbose=1)) if form == "txt" else list(as_markdown(report))
    assert len(lines) > 8
    for line in lines:
        assert not any(sign in line for sign in "\x1b\r\n\u202e"), line
        assert form == "txt" or "`" in line or "<b>" not in line.replace("\\<", "")


def test_all_reasons_of_a_refusal_are_reported_once() -> None:
    config = options("create-monitor=true\nmonitor-delay=-1s\n", "1.36")
    cloud = CloudState(nodes=nodes(2))
    one = service("TCP/53 UDP/53 SCTP/53", {"proxy-protocol": "v2", "connection-limit": "-9"})
    found = predict(config, one, cloud)
    lines = list(as_text(PredictionReport("cloud.conf", "1.36", "x", (ServiceReport(found, "web.yaml", 1, None),), ())))
    assert "  ✗ Octavia      Octavia refuses it with 400: delay: -1 is below 0, and 9 more" in lines
    assert [line.strip() for line in lines if line.startswith("    and then")] == [
        "and then     400: -9 is below -1 (listeners[0].connection_limit)",
        "and then     400: a PROXYV2 pool does not accept a UDP-CONNECT monitor (listeners[1].default_pool.healthmonitor.type)",
        "and then     400: a PROXYV2 pool does not accept a SCTP monitor (listeners[2].default_pool.healthmonitor.type)",
    ]
