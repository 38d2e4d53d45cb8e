"""What Octavia's API refuses of one request, at each limit of its types: octavia/api/v2/types and its controllers."""

from __future__ import annotations

import json

import pytest
from predict_cases import NETWORK, SUBNET, Json, post, refused

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import Request

OTHER = "6a0f5e4d-3c2b-4a19-8807-f6e5d4c3b2a1"
MONITOR: Json = {"type": "TCP", "delay": 5, "timeout": 3, "max_retries": 1}
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
            "400 pool.lb_algorithm: `round_robin` is not one of ROUND_ROBIN, LEAST_CONNECTIONS, SOURCE_IP, "
            "SOURCE_IP_PORT",
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
    usual: Json = {
        "loadbalancer": {},
        "listener": {"protocol": "TCP", "protocol_port": 80},
        "pool": {"protocol": "TCP"},
        "healthmonitor": MONITOR,
    }[kind]
    assert refused(post(kind, **{**usual, **body})) == ([why] if why else [])


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


@pytest.mark.parametrize(
    ("body", "cloud", "why"),
    [
        # a subnet and a network
        ({"vip_subnet_id": SUBNET, "vip_network_id": NETWORK}, {}, ""),
        ({"vip_subnet_id": SUBNET, "vip_network_id": NETWORK}, {"networks": {SUBNET: NETWORK}}, ""),
        (
            {"vip_subnet_id": SUBNET, "vip_network_id": NETWORK},
            {"networks": {SUBNET: OTHER}},
            f"400 vip_subnet_id: subnet {SUBNET} is not in network {NETWORK}",
        ),
        ({"vip_subnet_id": SUBNET, "vip_network_id": NETWORK, "vip_port_id": OTHER}, {"networks": {SUBNET: OTHER}}, ""),
        # an address and a network
        ({"vip_network_id": NETWORK, "vip_address": "10.0.0.9"}, {"subnets": {SUBNET: "10.9.0.0/24"}}, ""),
        (
            {"vip_network_id": NETWORK, "vip_address": "10.0.0.9"},
            {"networks": {SUBNET: NETWORK, OTHER: OTHER}, "subnets": {SUBNET: "10.9.0.0/24", OTHER: "10.0.0.0/24"}},
            f"400 vip_address: no subnet of network {NETWORK} has 10.0.0.9 in it",
        ),
        (
            {"vip_network_id": NETWORK, "vip_address": "10.0.0.9"},
            {"networks": {SUBNET: NETWORK, OTHER: NETWORK}, "subnets": {SUBNET: "10.9.0.0/24", OTHER: "10.0.0.0/24"}},
            "",
        ),
        ({"vip_network_id": NETWORK, "vip_address": "10.0.0.9"}, {"networks": {SUBNET: NETWORK}}, ""),
        (
            {"vip_network_id": NETWORK, "vip_subnet_id": SUBNET, "vip_address": "10.0.0.9"},
            {"networks": {SUBNET: NETWORK}, "subnets": {SUBNET: "10.9.0.0/24"}},
            "",
        ),
        (
            {"vip_network_id": NETWORK, "vip_port_id": OTHER, "vip_address": "10.0.0.9"},
            {"networks": {SUBNET: NETWORK}, "subnets": {SUBNET: "10.9.0.0/24"}},
            "",
        ),
        # an address and a port
        ({"vip_port_id": OTHER, "vip_address": "10.0.0.9"}, {"vip": ""}, ""),
        ({"vip_port_id": OTHER, "vip_address": "10.0.0.9"}, {"vip": "10.0.0.9"}, ""),
        (
            {"vip_port_id": OTHER, "vip_address": "10.0.0.9"},
            {"vip": "10.0.0.7"},
            f"400 vip_address: port {OTHER} has the address 10.0.0.7, not 10.0.0.9",
        ),
        ({"vip_subnet_id": SUBNET, "vip_address": "10.0.0.9"}, {"vip": "10.0.0.7"}, ""),
    ],
)
def test_where_a_vip_may_be(body: Json, cloud: Json, why: str) -> None:
    assert refused(post("loadbalancer", **body), cloud=CloudState(**cloud)) == ([why] if why else [])


def test_the_vip_of_a_load_balancer_that_is_there_is_not_looked_at_again() -> None:
    change = Request("PUT", "/v2.0/lbaas/loadbalancers/lb-1", {"loadbalancer": {"provider": "none"}})
    assert refused(change, cloud=CloudState(facts=ClusterFacts(providers=("amphora",)))) == []


@pytest.mark.parametrize(
    ("provider", "enabled", "why"),
    [
        ("amphora", None, ""),
        ("f5", None, ""),
        ("", ("amphora",), ""),
        ("ovn", ("amphora", "ovn"), ""),
        ("ovn", ("amphora",), "400 provider: provider `ovn` is not enabled"),
        ("OVN", None, "400 provider: providers are named in lower case; `OVN` is not enabled anywhere"),
        ("OVN", ("amphora", "OVN"), ""),
        ("amphora", (), "400 provider: provider `amphora` is not enabled"),
    ],
)
def test_which_providers_there_are(provider: str, enabled: tuple[str, ...] | None, why: str) -> None:
    cloud = CloudState(facts=ClusterFacts(providers=enabled))
    found = refused(post("loadbalancer", provider=provider), text=f"lb-provider={provider}\n", cloud=cloud)
    assert found == ([why] if why else [])


@pytest.mark.parametrize(
    ("family", "ranges", "fits"),
    [
        (4, ["192.0.2.0/24"], True),
        (6, ["192.0.2.0/24"], False),
        (0, ["192.0.2.0/24"], True),
        (0, ["2001:db8::/64"], True),
        (0, ["2001:db8::/64", "192.0.2.0/24"], False),
        (4, ["2001:db8::/64", "192.0.2.0/24"], False),
        (4, [], True),
    ],
)
def test_source_ranges_are_of_the_vips_family(family: int, ranges: list[str], *, fits: bool) -> None:
    asked = [
        post("listener", protocol="TCP", protocol_port=port, allowed_cidrs=allowed)
        for port, allowed in ((80, ranges), (443, []), (444, ranges))
    ]
    why = "400 listener.allowed_cidrs: source ranges of another IP family than the VIP's"
    assert refused(*asked, family=family) == ([] if fits else [why, why])


@pytest.mark.parametrize(
    ("remote", "kind", "why"),
    [
        ("10.0.0.0/24", "IPv4", ""),
        ("2001:db8::/64", "IPv6", ""),
        ("all", "IPv4", ""),
        ("10.0.0.0/24", "IPv6", "the member subnet is IPv6, and a rule for it takes no 10.0.0.0/24"),
    ],
)
def test_neutron_takes_rules_of_one_family(remote: str, kind: str, why: str) -> None:
    rule = {"security_group_rule": {"remote_ip_prefix": remote, "ethertype": kind}}
    asked = Request("POST", "/v2.0/security-group-rules", rule, "neutron")
    group = Request("POST", "/v2.0/security-groups", {"security_group": {}}, "neutron")
    found = refused(group, Request("DELETE", "/v2.0/security-group-rules/r-1", api="neutron"), asked)
    assert found == ([f"400 security_group_rule.remote_ip_prefix: {why}"] if why else [])


@pytest.mark.parametrize(("count", "taken"), [(114688, True), (114689, False)])
@pytest.mark.parametrize("release", ["2024.1", "14.0.0", "2023.2", ""])
def test_a_body_of_exactly_so_many_bytes(count: int, release: str, *, taken: bool) -> None:
    """Counted as Go writes them, without blanks, and letters beyond ASCII as they are; many source ranges count, too."""
    ranges = ["192.0.2.0/24"] * 6000
    pool: Json = {"protocol": "TCP", "name": "p"}
    listener: Json = {"protocol": "TCP", "protocol_port": 80, "allowed_cidrs": ranges, "default_pool": pool}
    body: Json = {"name": "ü", "listeners": [listener]}
    escaped = json.dumps({"loadbalancer": body}, separators=(",", ":"))
    body["name"] += "n" * (count - len(escaped.replace("\\u00fc", "üü")))
    found = refused(post("loadbalancer", **body), cloud=CloudState(facts=ClusterFacts(octavia_release=release)))
    why = f"413 : the request has {count} bytes; Octavia 2024.1 and newer take 114688"
    assert found == ([] if taken or release in ("", "2023.2") else [why])


@pytest.mark.parametrize(("count", "taken"), [(825, True), (850, False)])
def test_a_batch_of_members_is_as_long_as_it_may_be(count: int, *, taken: bool) -> None:
    """Measured: Octavia takes 825 members with names of usual length, and answers 850 with 413."""
    members = [
        {
            "address": f"10.250.{100 + number // 100}.{100 + number % 100}",
            "protocol_port": 30001,
            "name": f"production-worker-{number:07}",
            "subnet_id": SUBNET,
        }
        for number in range(count)
    ]
    asked = Request("PUT", "/v2.0/lbaas/pools/p-1/members", {"members": members})
    found = refused(asked, cloud=CloudState(facts=ClusterFacts(octavia_release="2026.2")))
    assert [one.partition(":")[0] for one in found] == ([] if taken else ["413 "])
