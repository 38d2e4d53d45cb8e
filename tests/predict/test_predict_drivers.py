"""What the drivers refuse of single calls, by release: octavia 19.0.0's amphora driver, ovn-octavia-provider by its tags."""

from __future__ import annotations

import pytest
from predict_cases import Json, options, post, prediction_of, refused

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Pool
from ccmcheck.predict.records import MEASURED, Outcome, Request
from ccmcheck.predict.verdicts import acceptance

OVN, F5 = "lb-provider=ovn\n", "lb-provider=f5\n"
LISTENER: Json = {"protocol": "TCP", "protocol_port": 80}
POOL: Json = {"protocol": "TCP", "lb_algorithm": "SOURCE_IP_PORT"}
MONITOR: Json = {"type": "TCP", "delay": 5, "timeout": 3, "max_retries": 1}
MEMBER: Json = {"address": "10.0.0.1", "protocol_port": 30001, "name": "node-1"}


def ovn(release: str) -> CloudState:
    return CloudState(facts=ClusterFacts(ovn_octavia_release=release))


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("listener", LISTENER, ""),
        ("listener", {**LISTENER, "protocol": "UDP"}, ""),
        ("listener", {**LISTENER, "protocol": "SCTP"}, ""),
        ("listener", {**LISTENER, "protocol": "HTTP"}, "listener.protocol: the ovn provider does not support HTTP"),
        ("listener", {**LISTENER, "allowed_cidrs": []}, ""),
        (
            "listener",
            {**LISTENER, "allowed_cidrs": ["192.0.2.0/24"]},
            "listener.allowed_cidrs: the ovn provider does not support allowed_cidrs",
        ),
        ("pool", POOL, ""),
        ("pool", {**POOL, "lb_algorithm": "SOURCE_IP"}, ""),
        ("pool", {**POOL, "session_persistence": {"type": "SOURCE_IP"}}, ""),
        ("pool", {**POOL, "protocol": "PROXYV2"}, "pool.protocol: the ovn provider does not support PROXYV2"),
        (
            "pool",
            {**POOL, "lb_algorithm": "ROUND_ROBIN"},
            "pool.lb_algorithm: the ovn provider does not support ROUND_ROBIN; it accepts SOURCE_IP_PORT",
        ),
        ("member", MEMBER, ""),
        (
            "member",
            {**MEMBER, "monitor_port": 31000},
            "member.monitor_port: the ovn provider does not support monitor_port",
        ),
        ("member", {**MEMBER, "address": "2001:db8::1"}, "member: members of another IP family than the VIP's"),
        ("healthmonitor", MONITOR, ""),
        ("healthmonitor", {**MONITOR, "type": "UDP-CONNECT"}, ""),
        ("healthmonitor", {"delay": 5}, ""),
        *(
            (
                "healthmonitor",
                {**MONITOR, "type": kind},
                f"healthmonitor.type: the ovn provider does not support {kind} monitors, only TCP and UDP-CONNECT",
            )
            for kind in ("HTTP", "SCTP", "PING", "TLS-HELLO")
        ),
    ],
)
def test_ovn_as_measured(kind: str, body: Json, why: str) -> None:
    assert refused(post(kind, **body), text=OVN) == ([f"501 {why}"] if why else [])
    assert refused(post(kind, **body), text=F5) == []


def test_the_first_member_of_a_batch_stands_for_all() -> None:
    members = [{**MEMBER, "monitor_port": 31000}, {**MEMBER, "monitor_port": 31000}]
    batch = Request("PUT", "/v2.0/lbaas/pools/p-1/members", {"members": members})
    assert refused(batch, text=OVN) == ["501 members[0].monitor_port: the ovn provider does not support monitor_port"]


@pytest.mark.parametrize(
    ("kind", "body", "why", "first"),
    [
        ("healthmonitor", MONITOR, "healthmonitor: this release of the ovn provider does not support health monitors",
         {"1.0.0": False, "1.0.1": True, "1.1.0": True, "wallaby": None, "xena": True, "": None}),
        ("pool", {**POOL, "lb_algorithm": "SOURCE_IP"},
         "pool.lb_algorithm: the ovn provider does not support SOURCE_IP; it accepts SOURCE_IP_PORT",
         {"10.0.0": False, "2026.1": False, "11.0.0": True, "": None}),
        ("pool", {**POOL, "session_persistence": {"type": "SOURCE_IP"}},
         "pool.session_persistence: the ovn provider has session persistence since 5.0.0 (2023.2)",
         {"4.0.2": False, "2023.1": False, "5.0.0": True, "2023.2": True, "": None}),
    ],
)  # fmt: skip
def test_ovn_by_its_release(kind: str, body: Json, why: str, first: dict[str, bool | None]) -> None:
    """What is not known is not refused."""
    for release, has in first.items():
        found = refused(post(kind, **body), text=OVN, cloud=ovn(release))
        assert found == ([f"501 {why}"] if has is False else []), release


def test_octavias_release_stands_for_the_ovn_providers() -> None:
    asked = post("pool", **{**POOL, "lb_algorithm": "SOURCE_IP"})
    assert refused(asked, text=OVN, cloud=CloudState(facts=ClusterFacts(octavia_release="2026.2"))) == []
    assert refused(asked, text=OVN, cloud=CloudState(facts=ClusterFacts(octavia_release="2026.1"))) != []


def test_amphora_refuses_source_ip_port_in_a_call_of_its_own() -> None:
    """Inside a request for everything it takes it: the driver does not look there."""
    why = "501 pool.lb_algorithm: the amphora provider does not support SOURCE_IP_PORT"
    assert refused(post("pool", **POOL)) == [why]
    assert refused(post("pool", **{**POOL, "lb_algorithm": "SOURCE_IP"})) == []
    assert prediction_of(text="lb-method=SOURCE_IP_PORT\n").outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("pool", "text", "family", "mixed"),
    [
        ("UDP", "", 4, True),
        ("UDP", "", 6, False),
        ("UDP", "", 0, False),
        ("UDP", F5, 4, True),
        ("TCP", "", 4, False),
        ("TCP", OVN, 4, True),
        ("TCP", OVN, 6, False),
        ("TCP", OVN, 0, False),
    ],
)
def test_members_of_another_family(pool: str, text: str, family: int, *, mixed: bool) -> None:
    """Only HAProxy goes from one family to the other."""
    there = Balancer("lb-1", "b", (Listener("l-1", pool, 53, Pool("p-1", pool, "SOURCE_IP")),))
    cloud = CloudState(balancer=there)
    member = {**MEMBER, "address": "2001:db8::1"}
    batch = Request("PUT", "/v2.0/lbaas/pools/p-1/members", {"members": [member]})
    alone = Request("POST", "/v2.0/lbaas/pools/p-1/members", {"member": member})
    why = "members of another IP family than the VIP's"
    assert refused(batch, text=text, cloud=cloud, family=family) == ([f"501 members: {why}"] if mixed else [])
    assert refused(alone, text=text, cloud=cloud, family=family) == ([f"501 member: {why}"] if mixed else [])
    none = Request("PUT", "/v2.0/lbaas/pools/p-1/members", {"members": []})
    assert refused(none, text=text, cloud=cloud, family=family) == []
    both = Request("PUT", "/v2.0/lbaas/pools/p-1/members", {"members": [MEMBER, member]})
    if family and (text == OVN or pool == "UDP"):
        assert refused(both, text=text, cloud=cloud, family=family) == [f"501 members: {why}"]


def test_a_refusal_says_where_it_was_seen() -> None:
    def evidence(text: str, *asked: Request) -> list[str]:
        there = Balancer("lb-1", "b", (Listener("l-1", "UDP", 53, Pool("p-1", "UDP", "SOURCE_IP")),))
        found = acceptance.refusals(asked, options(text), CloudState(balancer=there), 4)
        return [one.evidence for one in found]

    other = Request("POST", "/v2.0/lbaas/pools/p-1/members", {"member": {**MEMBER, "address": "2001:db8::1"}})
    assert evidence("", post("pool", **POOL), other) == [MEASURED, MEASURED]
    assert (
        evidence(OVN, post("pool", **{**POOL, "lb_algorithm": "ROUND_ROBIN"}), other)
        == ["ovn-octavia-provider 11.0.0, run"] * 2
    )


def test_members_inside_a_request_for_everything() -> None:
    """The amphora driver does not look at their family there; ovn's does."""
    member = {"address": "2001:db8::1", "protocol_port": 30001, "name": "node-1"}
    pool = {"protocol": "UDP", "lb_algorithm": "SOURCE_IP_PORT", "name": "p", "members": [member]}
    asked = post("loadbalancer", listeners=[{"protocol": "UDP", "protocol_port": 53, "default_pool": pool}])
    assert refused(asked) == []
    why = "501 listeners[0].default_pool.members: members of another IP family than the VIP's"
    assert refused(asked, text=OVN) == [why]


@pytest.mark.parametrize(
    ("listed", "text", "fields"),
    [
        ("TCP/80", "monitor-delay=0s\n", ["delay"]),
        ("TCP/80", "monitor-delay=2147483s\n", []),
        ("TCP/80", "monitor-delay=2147484s\n", ["delay"]),
        ("TCP/80", "monitor-timeout=2147484s\n", ["timeout"]),
        ("TCP/80", "monitor-timeout=0s\n", []),
        ("TCP/80", "lb-provider=\nmonitor-delay=0s\n", ["delay"]),
        ("TCP/80", f"{F5}monitor-delay=0s\n", []),
        ("SCTP/80", "monitor-delay=2147484s\n", []),
    ],
)
def test_what_haproxy_cannot_be_configured_with(listed: str, text: str, fields: list[str]) -> None:
    """Measured: a delay of 0, and more than 2147483 seconds; timers that only keepalived reads do not matter."""
    found = prediction_of(listed, f"create-monitor=true\n{text}")
    assert [(one.status, one.field) for one in found.refusals] == [
        (201, f"listeners[0].default_pool.healthmonitor.{field}") for field in fields
    ]
    assert found.outcome is (Outcome.FAILS if fields else Outcome.ACCEPTED)


def test_which_request_haproxy_fails_at() -> None:
    serial = "create-monitor=true\nmonitor-timeout=2147484s\nprovider-requires-serial-api-calls=true\n"
    found = prediction_of(text=serial)
    (failure,) = found.refusals
    assert (failure.status, failure.field) == (201, "healthmonitor.timeout")
    assert found.requests[failure.at].path.endswith("/healthmonitors")
