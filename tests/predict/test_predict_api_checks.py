"""What Octavia's API checks of a request beyond its types: octavia/api/v2/controllers, measured with octavia 19.0.0."""

from __future__ import annotations

import json

import pytest
from predict_cases import NETWORK, SUBNET, Json, post, refused

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Monitor, Pool
from ccmcheck.predict.records import Request

OTHER = "6a0f5e4d-3c2b-4a19-8807-f6e5d4c3b2a1"
MONITOR: Json = {"type": "TCP", "delay": 5, "timeout": 3, "max_retries": 1}
UDP = Pool("p-udp", "UDP", "ROUND_ROBIN", monitor=Monitor("m-udp", "UDP-CONNECT", 5, 3, 1))
TCP = Pool("p-tcp", "TCP", "ROUND_ROBIN", monitor=Monitor("m-tcp", "TCP", 5, 3, 1))
THERE = Balancer("lb-1", "b", (Listener("l-udp", "UDP", 53, UDP), Listener("l-tcp", "TCP", 80, TCP)))


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
            f"500 vip_address: subnet {SUBNET} is 10.9.0.0/24, without 10.0.0.9: Neutron makes no port for it",
        ),
        ({"vip_subnet_id": SUBNET, "vip_address": "10.9.0.9"}, {"subnets": {SUBNET: "10.9.0.0/24"}}, ""),
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
    asked.append(post("listener", protocol="TCP", protocol_port=445))
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
    rule: Json = {"security_group_rule": {"remote_ip_prefix": remote, "ethertype": kind}}
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


def delete(path: str) -> Request:
    return Request("DELETE", f"/v2.0/lbaas/{path}")


def monitor(kind: str, pool: str, **more: object) -> Request:
    return post("healthmonitor", **{**MONITOR, "type": kind, "pool_id": pool, **more})


@pytest.mark.parametrize(
    ("quota", "used", "asked", "over"),
    [
        # two monitors are there, and count among the used ones
        (None, 9, 1, []),
        (-1, 9, 1, []),
        (0, None, 1, [0]),
        (3, 0, 1, []),
        (2, 0, 1, [0]),
        (4, 1, 2, [1]),
        (5, 1, 2, []),
    ],
)
def test_each_new_monitor_counts_against_the_quota(
    quota: int | None, used: int | None, asked: int, over: list[int]
) -> None:
    cloud = CloudState(facts=ClusterFacts(monitor_quota=quota, monitors_used=used), balancer=THERE)
    change = Request("PUT", "/v2.0/lbaas/healthmonitors/m-tcp", {"healthmonitor": {"delay": 7}})
    found = refused(change, *[monitor("TCP", "p-tcp")] * asked, cloud=cloud)
    why = f"403 healthmonitor: the quota of {quota} health monitors is exhausted; the whole request is refused"
    assert found == [why] * len(over)


@pytest.mark.parametrize(
    ("gone", "left"), [("healthmonitors/m-tcp", 1), ("pools/p-udp", 1), ("listeners/l-tcp", 2), ("pools/p-new", 2)]
)
def test_what_is_deleted_no_longer_counts(gone: str, left: int) -> None:
    """A pool takes its monitor with it."""
    for quota, fits in ((left, False), (left + 1, True)):
        cloud = CloudState(facts=ClusterFacts(monitor_quota=quota), balancer=THERE)
        assert (refused(delete(gone), monitor("TCP", "p-tcp"), cloud=cloud) == []) is fits


@pytest.mark.parametrize(
    ("pool", "kind", "release", "why"),
    [
        ("p-tcp", "UDP-CONNECT", "", "a TCP pool does not accept a UDP-CONNECT monitor"),
        ("p-tcp", "PING", "", ""),
        ("p-udp", "PING", "", "a UDP pool does not accept a PING monitor"),
        ("p-udp", "SCTP", "train", ""),
        ("p-udp", "UDP-CONNECT", "train", ""),
        ("p-udp", "HTTP", "train", "UDP pools take HTTP monitors since Octavia's Ussuri (2.16)"),
        ("p-udp", "TCP", "5.1.0", "UDP pools take TCP monitors since Octavia's Ussuri (2.16)"),
        ("p-udp", "HTTP", "ussuri", ""),
        ("p-udp", "HTTP", "", ""),
        ("p-tcp", "HTTP", "train", ""),
        ("p-unknown", "UDP-CONNECT", "", ""),
    ],
)
def test_which_monitor_a_pool_takes(pool: str, kind: str, release: str, why: str) -> None:
    cloud = CloudState(facts=ClusterFacts(octavia_release=release), balancer=THERE)
    assert refused(monitor(kind, pool), cloud=cloud) == ([f"400 healthmonitor.type: {why}"] if why else [])


@pytest.mark.parametrize(
    ("least", "delay", "taken"),
    [(None, 3, True), (None, 2, False), (7, 6, False), (7, 7, True), (0, 0, True), (-1, 0, True)],
)
def test_a_udp_monitor_has_a_least_delay(least: int | None, delay: int, *, taken: bool) -> None:
    """Whether it is new or there; a TCP monitor has none."""
    cloud = CloudState(facts=ClusterFacts(udp_interval=least), balancer=THERE)

    def changed(which: str) -> Request:
        return Request("PUT", f"/v2.0/lbaas/healthmonitors/{which}", {"healthmonitor": {"delay": delay}})

    least = 3 if least is None else least
    why = f"400 healthmonitor.delay: a UDP-CONNECT monitor needs a delay of {least} s or more, not {delay} s"
    for asked in (changed("m-udp"), monitor("UDP-CONNECT", "p-udp", delay=delay)):
        assert refused(asked, cloud=cloud) == ([] if taken else [why])
    assert refused(changed("m-tcp"), monitor("TCP", "p-udp", delay=delay), cloud=cloud) == []


@pytest.mark.parametrize(
    ("gone", "protocol", "port", "why"),
    [
        ("", "TCP", 53, ""),
        ("", "UDP", 80, ""),
        ("", "SCTP", 53, ""),
        ("", "UDP", 53, "l-udp has port 53 already: UDP is UDP underneath"),
        ("", "TERMINATED_HTTPS", 80, "l-tcp has port 80 already: TERMINATED_HTTPS is TCP underneath"),
        ("listeners/l-tcp", "HTTP", 80, ""),
        ("listeners/l-udp", "HTTP", 80, "l-tcp has port 80 already: HTTP is TCP underneath"),
        ("pools/p-tcp", "HTTP", 80, "l-tcp has port 80 already: HTTP is TCP underneath"),
    ],
)
def test_a_port_is_taken_once_in_each_protocol(gone: str, protocol: str, port: int, why: str) -> None:
    asked = post("listener", protocol=protocol, protocol_port=port)
    before = [delete(gone)] if gone else []
    found = refused(*before, asked, cloud=CloudState(balancer=THERE))
    assert found == ([f"409 listener.protocol_port: {why}"] if why else [])
    if not why:
        again = refused(*before, asked, asked, cloud=CloudState(balancer=THERE))
        assert [one.partition(" already")[0] for one in again] == [
            f"409 listener.protocol_port: a listener made before has port {port}"
        ]
    change = Request("PUT", "/v2.0/lbaas/listeners/l-tcp", {"listener": {"protocol": "TCP", "protocol_port": 80}})
    assert refused(change, cloud=CloudState(balancer=THERE)) == []


@pytest.mark.parametrize(
    ("listener", "pool", "taken"),
    [
        ("TCP", "PROXYV2", True),
        ("HTTP", "TCP", False),
        ("HTTP", "PROXY", True),
        ("TERMINATED_HTTPS", "HTTP", True),
        ("TERMINATED_HTTPS", "TCP", False),
        ("UDP", "UDP", True),
        ("UDP", "PROXY", False),
        ("SCTP", "SCTP", True),
        ("SCTP", "UDP", False),
    ],
)
def test_which_pool_a_listener_takes(listener: str, pool: str, *, taken: bool) -> None:
    """In one request, in two, and for a listener that is there."""
    why = f"a {listener} listener does not accept a {pool} pool"
    body: Json = {"protocol": pool, "lb_algorithm": "ROUND_ROBIN"}
    inside = {"protocol": listener, "protocol_port": 80, "default_pool": {**body, "name": "p"}}
    found = refused(post("loadbalancer", listeners=[inside]))
    assert found == ([] if taken else [f"400 listeners[0].default_pool.protocol: {why}"])
    opened = post("listener", protocol=listener, protocol_port=80)
    apart = refused(opened, post("pool", listener_id="{listener 0}", **body))
    there = Balancer("lb-1", "b", (Listener("l-0", "SCTP", 9), Listener("l-1", listener, 80)))
    again = refused(post("pool", listener_id="l-1", **body), cloud=CloudState(balancer=there))
    assert apart == again == ([] if taken else [f"400 pool.protocol: {why}"])
    assert refused(post("pool", listener_id="l-9", **body), cloud=CloudState(balancer=there)) == []


def test_pools_of_one_name_inside_one_request() -> None:
    pools = [{"protocol": "TCP", "name": name} for name in ("a", "b", "a", "a", "b")]
    inside = [{"protocol": "TCP", "protocol_port": port, "default_pool": pool} for port, pool in enumerate(pools, 80)]
    assert refused(post("loadbalancer", listeners=inside)) == [
        "400 listeners[2].default_pool.name: the pool of listener 0 has the same name, a",
        "400 listeners[3].default_pool.name: the pool of listener 0 has the same name, a",
        "400 listeners[4].default_pool.name: the pool of listener 1 has the same name, b",
    ]


def test_ports_of_one_place_inside_one_request() -> None:
    inside = [
        {"protocol": protocol, "protocol_port": 80, "default_pool": {"protocol": "HTTP", "name": protocol}}
        for protocol in ("HTTP", "TERMINATED_HTTPS")
    ]
    why = "listeners[0] has port 80 already: TERMINATED_HTTPS is TCP underneath"
    assert refused(post("loadbalancer", listeners=inside)) == [f"409 listeners[1].protocol_port: {why}"]


def test_a_path_without_its_id() -> None:
    asked = Request("PUT", "/v2.0/lbaas/pools/", {"pool": {"name": "p"}})
    assert refused(asked) == ["400 id: the CCM leaves the ID out of the path"]


def test_a_monitor_belongs_to_the_pool_that_was_made_last() -> None:
    made = [post("pool", protocol="UDP", lb_algorithm="ROUND_ROBIN"), monitor("TCP", "{pool 0}")]
    made += [post("pool", protocol="TCP", lb_algorithm="ROUND_ROBIN"), monitor("UDP-CONNECT", "{pool 1}")]
    assert refused(*made) == ["400 healthmonitor.type: a TCP pool does not accept a UDP-CONNECT monitor"]


@pytest.mark.parametrize(
    ("network", "why"), [(NETWORK, ""), ("{floating network}", ""), ("office", "`office` is not a UUID")]
)
def test_neutron_takes_ids_alone_for_a_floating_ip(network: str, why: str) -> None:
    asked = Request("POST", "/v2.0/floatingips", {"floatingip": {"floating_network_id": network}}, "neutron")
    assert refused(asked, cloud=CloudState()) == ([f"400 floatingip.floating_network_id: {why}"] if why else [])
