"""What Octavia's API refuses of one request, at each limit of its types: octavia/api/v2/types and its controllers."""

from __future__ import annotations

import pytest
from predict_cases import SUBNET, Json, post, refused

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import Request

MONITOR: Json = {"type": "TCP", "delay": 5, "timeout": 3, "max_retries": 1}
USUAL: dict[str, Json] = {
    "loadbalancer": {},
    "listener": {"protocol": "TCP", "protocol_port": 80},
    "pool": {"protocol": "TCP"},
    "healthmonitor": MONITOR,
}
ALGORITHMS = "ROUND_ROBIN, LEAST_CONNECTIONS, SOURCE_IP, SOURCE_IP_PORT"
DAYS_24 = 24 * 86_400_000
"""Milliseconds: the longest timeout of a listener."""


@pytest.mark.parametrize("field", ["vip_port_id", "vip_subnet_id", "vip_network_id", "flavor_id"])
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (SUBNET, ""),
        (SUBNET.replace("-", ""), ""),
        ("{vip port}", ""),
        (None, ""),
        ("public", "public"),
        ("u" * 60, "u" * 60),
        ("u" * 61, "u" * 57 + "…"),
    ],
)
def test_ids_are_uuids(field: str, value: str | None, shown: str) -> None:
    """What stands in braces gets its ID later."""
    found = refused(post("loadbalancer", **{field: value}))
    assert found == ([f"400 {field}: `{shown}` is not a UUID"] if shown else [])


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("loadbalancer", {"vip_address": "10.0.0.9"}, ""),
        ("loadbalancer", {"vip_address": "2001:db8::9"}, ""),
        ("loadbalancer", {"vip_address": None}, ""),
        ("loadbalancer", {"vip_address": "ten"}, "400 vip_address: `ten` is not an IP address"),
        ("loadbalancer", {"description": "d" * 255}, ""),
        (
            "loadbalancer",
            {"description": "d" * 256},
            "400 description: 256 characters, not 255 at most; the CCM cuts names only",
        ),
        ("listener", {"connection_limit": -1}, ""),
        ("listener", {"connection_limit": 0}, ""),
        ("listener", {"connection_limit": -2}, "400 listener.connection_limit: -2 is below -1"),
        ("listener", {"timeout_client_data": 0}, ""),
        ("listener", {"timeout_client_data": DAYS_24}, ""),
        (
            "listener",
            {"timeout_member_data": -1},
            "400 listener.timeout_member_data: -1 ms is not between 0 and 2073600000",
        ),
        (
            "listener",
            {"timeout_tcp_inspect": DAYS_24 + 1},
            "400 listener.timeout_tcp_inspect: 2073600001 ms is not between 0 and 2073600000",
        ),
        ("listener", {"default_tls_container_ref": "r" * 255}, ""),
        (
            "listener",
            {"default_tls_container_ref": "r" * 256},
            "400 listener.default_tls_container_ref: 256 characters, not 255 at most",
        ),
        ("pool", {"lb_algorithm": "LEAST_CONNECTIONS"}, ""),
        (
            "pool",
            {"lb_algorithm": "round_robin"},
            f"400 pool.lb_algorithm: `round_robin` is not one of {ALGORITHMS}",
        ),
        ("healthmonitor", {"delay": -1}, "400 healthmonitor.delay: -1 is below 0"),
        ("healthmonitor", {"timeout": 0}, ""),
        ("healthmonitor", {"timeout": -1}, "400 healthmonitor.timeout: -1 is below 0"),
        ("healthmonitor", {"delay": 2147483647}, ""),
        ("healthmonitor", {"delay": 2147483648}, "500 healthmonitor.delay: 2147483648 does not fit Octavia's database"),
        (
            "healthmonitor",
            {"timeout": 2147483648},
            "500 healthmonitor.timeout: 2147483648 does not fit Octavia's database",
        ),
        ("healthmonitor", {"max_retries": 10}, ""),
        ("healthmonitor", {"max_retries": 0}, "400 healthmonitor.max_retries: 0 is not between 1 and 10"),
        ("healthmonitor", {"max_retries": 11}, "400 healthmonitor.max_retries: 11 is not between 1 and 10"),
        ("healthmonitor", {"max_retries_down": 1}, ""),
        ("healthmonitor", {"max_retries_down": 0}, "400 healthmonitor.max_retries_down: 0 is not between 1 and 10"),
    ],
)
def test_the_limits_of_a_field(kind: str, body: Json, why: str) -> None:
    assert refused(post(kind, **{**USUAL[kind], **body})) == ([why] if why else [])


@pytest.mark.parametrize(
    ("protocol", "series", "before"),
    [("PROXYV2", "victoria", "6.0.0"), ("SCTP", "wallaby", "7.0.0"), ("UDP", "rocky", "2.0.0")],
)
def test_protocols_that_came_with_a_release(protocol: str, series: str, before: str) -> None:
    """The amphora driver's; another driver has its own, and an unknown release may have all."""

    def asked(kind: str, release: str, text: str = "") -> list[str]:
        port: Json = {"protocol_port": 80} if kind == "listener" else {}
        cloud = CloudState(facts=ClusterFacts(octavia_release=release))
        return refused(post(kind, protocol=protocol, **port), text=text, cloud=cloud)

    for kind in ("pool", "listener"):
        why = f"400 {kind}.protocol: {protocol} needs Octavia {series.capitalize()} or newer"
        assert asked(kind, before) == [why]
        assert asked(kind, series) == []
        assert asked(kind, "") == []
    if protocol != "PROXYV2":
        assert asked("pool", before, "lb-provider=ovn\n") == []


@pytest.mark.parametrize(
    ("member", "why"),
    [
        ({}, ""),
        ({"monitor_port": 1}, ""),
        ({"monitor_port": 65535}, ""),
        ({"monitor_port": 0}, "monitor_port: 0 is not between 1 and 65535"),
        ({"monitor_port": 65536}, "monitor_port: 65536 is not between 1 and 65535"),
        ({"subnet_id": "members"}, "subnet_id: `members` is not a UUID"),
        ({"subnet_id": None}, ""),
        ({"address": "node-1"}, "address: `node-1` is not an IP address"),
    ],
)
def test_members(member: Json, why: str) -> None:
    """In a batch, the first stands for all but in its address."""
    one: Json = {"address": "10.0.0.1", "protocol_port": 30001, "name": "node-1", **member}
    alone = Request("POST", "/v2.0/lbaas/pools/{pool 0}/members", {"member": one})
    batch = Request("PUT", "/v2.0/lbaas/pools/{pool 0}/members", {"members": [one, one]})
    assert refused(alone) == ([f"400 member.{why}"] if why else [])
    numbers = () if not why else (0, 1) if "address" in member else (0,)
    assert refused(batch) == [f"400 members[{number}].{why}" for number in numbers]
