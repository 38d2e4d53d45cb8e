"""Whether Octavia takes what is sent, held to what Octavia 19.0.0 and ovn-octavia-provider 11.0.0 really answered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from predict_cases import Json, facts, listeners, nodes, options, prediction_of

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import Outcome, Prediction, Refusal, Request
from ccmcheck.predict.verdicts import acceptance

_SETS = {
    "TCP": "TCP/80",
    "UDP": "UDP/53",
    "SCTP": "SCTP/9999",
    "TCP+UDP": "TCP/80 UDP/53",
    "TCP+UDP same port": "TCP/53 UDP/53",
    "TCP 53 + UDP 53": "TCP/53 UDP/53",
    "2xTCP": "TCP/80 TCP/443",
}
_PARTS = {
    "PROXY": {"proxy-protocol": "v1"},
    "PROXY pool": {"proxy-protocol": "v1"},
    "PROXYV2": {"proxy-protocol": "v2"},
    "PROXYV2 pool": {"proxy-protocol": "v2"},
    "x-forwarded-for": {"x-forwarded-for": "true"},
    "TLS ref": {"default-tls-container-ref": "https://barbican/v1/containers/5f3c1b2a"},
}
_TIMERS = {"delay": 5, "timeout": 3, "max_retries": 1, "max_retries_down": 3}


def _timers(given: dict[str, int]) -> str:
    made = {**_TIMERS, **given}
    return (
        f"create-monitor=true\nmonitor-delay={made['delay']}s\nmonitor-timeout={made['timeout']}s\n"
        f"monitor-max-retries={made['max_retries']}\nmonitor-max-retries-down={made['max_retries_down']}\n"
    )


def _foretold(case: str) -> Prediction | None:
    """The prediction for one measured case; None for what the CCM cannot ask for."""
    local: Json = {"externalTrafficPolicy": "Local"} if ", etp Local" in case else {}
    text = "" if "no monitor" in case else _timers({})
    if case.endswith("'max_retries_down': 0}"):
        return None  # the client leaves the 0 out
    if found := re.fullmatch(r"(TCP\+UDP|TCP|UDP-CONNECT)(?: Service,)? monitor (\{.*\})", case):
        listed = {"TCP": "TCP/80", "UDP-CONNECT": "UDP/53"}.get(found[1], "TCP/80 UDP/53")
        return prediction_of(listed, _timers(ast.literal_eval(found[2])))
    if found := re.fullmatch(r"lb-method '(\w+)', (TCP|UDP)", case):
        return prediction_of(_SETS[found[2]], f"{text}lb-method={found[1]}\n")
    if found := re.fullmatch(r"connection limit (-?\d+)", case):
        return prediction_of("TCP/80", text, {"connection-limit": found[1]})
    if found := re.fullmatch(r"session affinity ClientIP, (TCP|UDP)", case):
        return prediction_of(_SETS[found[1]], text, sessionAffinity="ClientIP")
    if found := re.fullmatch(r"provider (?:\w+ )?(f5|nosuch|unknown).*", case):
        name = {"unknown": "nosuch"}.get(found[1], found[1])
        return prediction_of(
            "TCP/80", f"{text}lb-provider={name}\n", cloud=CloudState(facts=ClusterFacts(providers=("amphora",)))
        )
    if found := re.fullmatch(r"((?:TLS ref|x-forwarded-for|PROXYV2 pool|PROXY pool) on) ([^,]+)(?:, .*)?", case):
        return prediction_of(_SETS[found[2]], text, _PARTS[found[1].removesuffix(" on")], **local)
    if found := re.fullmatch(r"TLS ref \+ ([^,]+), .*", case):
        return prediction_of("TCP/80", text, {**_PARTS["TLS ref"], **_PARTS[found[1]]}, **local)
    if case.startswith("TCP 53 + UDP 53, TLS ref"):
        return prediction_of("TCP/53 UDP/53", text, _PARTS["TLS ref"])
    if (found := re.fullmatch(r"([^,]+), (no monitor|monitor).*", case)) and found[1] in _SETS:
        return prediction_of(_SETS[found[1]], text, **local)
    if case.startswith("50 ports"):
        listed = " ".join(f"TCP/{port}" for port in range(1000, 1050))
        return prediction_of(
            listed, text, cloud=CloudState(facts=ClusterFacts(octavia_release="2026.1"), nodes=nodes(20))
        )
    return None


def _shape(found: Prediction) -> list[str]:
    shapes = []
    for listener in listeners(found):
        pool = listener["default_pool"]
        monitor = pool.get("healthmonitor", {}).get("type", "no monitor")
        asked = " monitor_port" if any("monitor_port" in member for member in pool.get("members", ())) else ""
        shapes.append(f"{listener['protocol']}/{listener['protocol_port']} -> {pool['protocol']} + {monitor}{asked}")
    return shapes


def test_graphs_are_taken_or_refused_as_measured() -> None:
    known = 0
    for case in facts("graph-cases.json"):
        found = _foretold(case["case"])
        if found is None:
            continue
        known += 1
        assert _shape(found)[:3] == case["shape"], case["case"]
        refused = found.outcome is Outcome.REFUSED
        assert refused is not case["accepted"], (case["case"], found.why)
        if refused:
            assert found.refusals[0].status == case["status"], case["case"]
    assert known > 80


def test_a_monitor_alone_is_taken_or_refused_as_measured() -> None:
    known = 0
    for case in facts("monitor-cases.json")["cases"]:
        body = case["request"]
        if case["group"].startswith(("update", "second", "LB still")) or not _sendable(body):
            continue
        known += 1
        found = list(_alone(case["pool_protocol"], body))
        status = case["status_mariadb"]
        assert (found[0].status if found else 201) == status, (case, found)
    assert known > 120


def _sendable(body: Json) -> bool:
    """Whether the CCM can send it: numbers, no other fields than its own."""
    own = {"type", *_TIMERS}
    return (
        set(body) <= own
        and isinstance(body.get("type"), str)
        and all(isinstance(body.get(field, 1), int) for field in _TIMERS)
        and {"delay", "timeout", "max_retries"} <= set(body)
    )


def _alone(pool: str, monitor: Json) -> Iterator[Refusal]:
    made = Request("POST", "/v2.0/lbaas/pools", {"pool": {"protocol": pool, "lb_algorithm": "ROUND_ROBIN"}})
    asked = Request("POST", "/v2.0/lbaas/healthmonitors", {"healthmonitor": {**monitor, "pool_id": "{pool 0}"}})
    return acceptance.refusals((made, asked), options(), CloudState(), 4)


def test_single_calls_are_taken_or_refused_as_measured() -> None:
    known = 0
    for case in facts("serial-cases.json"):
        if case["provider"] != "amphora":
            continue
        pool = re.fullmatch(r"(?:listener \w+ \+ pool|lb-method (\w+) on) (\w+)", case["case"])
        if pool is None or case["case"].startswith("listener"):
            continue
        known += 1
        found = prediction_of(_SETS[pool[2]], f"lb-method={pool[1]}\nprovider-requires-serial-api-calls=true\n")
        status = {name: code for name, code, _ in case["steps"]}["pool"]
        assert (found.refusals[0].status if found.refusals else 201) == status, case
    assert known == 12


OVN = {
    "TCP no monitor": ("TCP/80", "", {}),
    "TCP monitor": ("TCP/80", "create-monitor=true\n", {}),
    "TCP monitor etp Local (CCM knows it is ovn)": ("TCP/80", "create-monitor=true\n", {}),
    "UDP no monitor": ("UDP/53", "", {}),
    "UDP monitor": ("UDP/53", "create-monitor=true\n", {}),
    "SCTP no monitor": ("SCTP/9", "", {}),
    "SCTP monitor": ("SCTP/9", "create-monitor=true\n", {}),
    "TCP+UDP monitor": ("TCP/80 UDP/53", "create-monitor=true\n", {}),
    "TCP+SCTP monitor": ("TCP/80 SCTP/9", "create-monitor=true\n", {}),
    "lb-method ROUND_ROBIN": ("TCP/80", "lb-method=ROUND_ROBIN\n", {}),
    "lb-method LEAST_CONNECTIONS": ("TCP/80", "lb-method=LEAST_CONNECTIONS\n", {}),
    "lb-method SOURCE_IP": ("TCP/80", "lb-method=SOURCE_IP\n", {}),
    "lb-method SOURCE_IP_PORT": ("TCP/80", "", {}),
    "PROXY pool": ("TCP/80", "", {"proxy-protocol": "v1"}),
    "PROXYV2 pool": ("TCP/80", "", {"proxy-protocol": "v2"}),
    "x-forwarded-for": ("TCP/80", "", {"x-forwarded-for": "true"}),
    "TLS ref": ("TCP/80", "", {"default-tls-container-ref": "https://barbican/v1/containers/5f3c1b2a"}),
    "connection_limit 100": ("TCP/80", "", {"connection-limit": "100"}),
}


@pytest.mark.parametrize("case", OVN)
def test_the_ovn_provider_takes_or_refuses_as_measured(case: str) -> None:
    measured = next(
        one for one in facts("ovn-cases.json")["cases"] if one["case"] == case and one["path"] == "fully populated"
    )
    listed, text, annotations = OVN[case]
    method = "" if "lb-method" in text else "lb-method=SOURCE_IP_PORT\n"
    local: Json = {"externalTrafficPolicy": "Local"} if "etp Local" in case else {}
    found = prediction_of(listed, f"lb-provider=ovn\n{method}{text}", annotations, **local)
    assert (found.refusals[0].status if found.refusals else 201) == measured["status"], found.why


def test_a_release_that_does_not_know_ovn_sends_it_what_it_refuses() -> None:
    text = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
    refusal = prediction_of("TCP/80", text, release="1.20").refusals[0]
    assert refusal.field.endswith("allowed_cidrs")
    assert refusal.why.endswith("which CCM before 1.22 sends with every listener")
    assert prediction_of("TCP/80", text).outcome is Outcome.ACCEPTED


def test_the_refused_field_is_named_and_nothing_is_published() -> None:
    found = prediction_of("TCP/80 UDP/53", "create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n")
    assert found.outcome is Outcome.REFUSED
    first = found.refusals[0]
    assert (first.status, first.field) == (400, "listeners[1].default_pool.healthmonitor.delay")
    assert found.published == ()
    assert found.events[-1].reason == "SyncLoadBalancerFailed"
    answer = found.answer("accepted")
    assert answer is not None
    assert answer.good is False
    assert "3 s or more, not 2 s" in answer.text
    assert answer.mechanism
    assert answer.evidence


def test_the_least_udp_interval_is_the_clouds() -> None:
    text = "create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n"
    assert (
        prediction_of("UDP/53", text, cloud=CloudState(facts=ClusterFacts(udp_interval=2))).outcome is Outcome.ACCEPTED
    )


@pytest.mark.parametrize(("quota", "used", "taken"), [(2, 0, True), (1, 0, False), (2, 1, False), (-1, 9, True)])
def test_monitors_count_against_the_quota(quota: int, used: int, *, taken: bool) -> None:
    cloud = CloudState(facts=ClusterFacts(monitor_quota=quota, monitors_used=used))
    found = prediction_of("TCP/80 TCP/443", "create-monitor=true\n", cloud=cloud)
    assert (found.outcome is Outcome.ACCEPTED) is taken
    answer = found.answer("quota")
    assert answer is not None
    assert answer.good is taken
    assert answer.numbers["monitors"] == 2
    if not taken:
        assert found.refusals[0].status == 403


def test_a_delay_of_zero_is_taken_and_ends_in_error() -> None:
    text = "create-monitor=true\nmonitor-delay=0s\n"
    assert prediction_of("TCP/80", text).outcome is Outcome.FAILS
    assert prediction_of("UDP/53", text).outcome is Outcome.REFUSED


def test_before_gophercloud_2_a_delay_of_zero_is_not_sent() -> None:
    found = prediction_of("TCP/80", "create-monitor=true\nmonitor-delay=0s\n", release="1.30")
    assert found.outcome is Outcome.ERROR
    assert found.error.endswith("Missing input for argument [Delay]")
    assert found.requests == ()


@pytest.mark.parametrize(
    ("series", "count", "taken"), [("2023.2", 20, True), ("2024.1", 20, False), ("2024.1", 1, True), ("", 20, True)]
)
def test_octavia_limits_the_body(series: str, count: int, *, taken: bool) -> None:
    listed = " ".join(f"TCP/{port}" for port in range(1000, 1050))
    found = prediction_of(
        listed,
        "create-monitor=true\n",
        cloud=CloudState(facts=ClusterFacts(octavia_release=series), nodes=nodes(count)),
    )
    assert (found.outcome is Outcome.ACCEPTED) is taken
    if not taken:
        assert found.refusals[0].status == 413


@pytest.mark.parametrize(
    ("release", "sent", "written"),
    [
        ("1.20", ["loadbalancers", "listeners", "pools", "members", "healthmonitors"], []),
        ("1.36", ["loadbalancers"], []),
    ],
)
def test_what_is_sent_ends_with_what_is_refused(release: str, sent: list[str], written: list[str]) -> None:
    found = prediction_of("UDP/53", "create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n", release=release)
    assert [one.path.rpartition("/")[2] for one in found.sent] == sent
    assert found.requests[: len(sent)] == found.sent
    assert found.requests[-1].path == "/v2.0/floatingips"
    assert list(found.written) == written


def test_serial_calls_leave_the_id_where_a_later_one_is_refused() -> None:
    text = "create-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\nprovider-requires-serial-api-calls=true\n"
    found = prediction_of("UDP/53", text)
    assert [one.path.rpartition("/")[2] for one in found.sent][-1] == "healthmonitors"
    assert dict(found.written) == {"loadbalancer.openstack.org/load-balancer-id": "{loadbalancer}"}
