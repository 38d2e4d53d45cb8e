"""What differs between releases, at the tags where it changed."""

from __future__ import annotations

from typing import cast

import pytest
from predict_cases import NETWORK, RELEASES, Json, balancer, listeners, nodes, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction

MONITOR = "create-monitor=true\n"
NAME = "kube_service_kubernetes_shop_web"


def _paths(found: Prediction) -> list[str]:
    return [f"{one.method} {one.path.removeprefix('/v2.0/')}" for one in found.requests]


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_has_a_prediction(release: str) -> None:
    timers = "monitor-delay=5s\nmonitor-timeout=3s\nmonitor-max-retries=1\n"  # needed up to 1.17
    found = prediction_of("TCP/80 TCP/443", MONITOR + timers, release=release)
    assert found.outcome is Outcome.ACCEPTED, found.why
    assert found.release == release
    assert found.name == NAME
    assert [plan.port for plan in found.plans] == [80, 443]
    assert {plan.monitor_type for plan in found.plans} == {"TCP"}
    assert balancer(found)["name"] == NAME
    assert balancer(found).get("provider") == (None if release < "1.18" else "amphora")
    assert found.published[0].ip == "the floating IP"
    assert found.requests[-1].path == "/v2.0/floatingips"
    assert found.requests[-1].body == {
        "floatingip": {
            "floating_network_id": NETWORK,
            "port_id": "{vip port}",
            "description": "Floating IP for Kubernetes external service shop/web from cluster kubernetes",
        }
    }


@pytest.mark.parametrize("release", ["1.13", "1.12"])
def test_older_releases_are_not_predicted(release: str) -> None:
    found = prediction_of(release=release)
    assert found.outcome is Outcome.UNKNOWN
    assert "not predicted" in found.why
    assert found.requests == ()


def test_up_to_1_18_each_member_is_a_request() -> None:
    assert _paths(prediction_of(text=MONITOR, release="1.18", count=2)) == [
        "POST lbaas/loadbalancers",
        "POST lbaas/listeners",
        "POST lbaas/pools",
        "POST lbaas/pools/{pool 0}/members",
        "POST lbaas/pools/{pool 0}/members",
        "POST lbaas/healthmonitors",
        "POST floatingips",
    ]


def test_1_19_and_1_20_send_members_at_once() -> None:
    assert _paths(prediction_of(text=MONITOR, release="1.20", count=2)) == [
        "POST lbaas/loadbalancers",
        "POST lbaas/listeners",
        "POST lbaas/pools",
        "PUT lbaas/pools/{pool 0}/members",
        "POST lbaas/healthmonitors",
        "POST floatingips",
    ]


@pytest.mark.parametrize("release", ["1.21", "1.26", "1.30", "1.36"])
def test_since_1_21_one_request_holds_everything(release: str) -> None:
    assert _paths(prediction_of("TCP/80 UDP/53", MONITOR, release=release)) == [
        "POST lbaas/loadbalancers",
        "POST floatingips",
    ]


@pytest.mark.parametrize("release", ["1.28", "1.36"])
def test_serial_calls_are_the_old_ones_with_one_member_each(release: str) -> None:
    text = f"{MONITOR}provider-requires-serial-api-calls=true\n"
    found = prediction_of(text=text, release=release, count=2)
    assert _paths(found) == [
        "POST lbaas/loadbalancers",
        "POST lbaas/listeners",
        "POST lbaas/pools",
        "POST lbaas/pools/{pool 0}/members",
        "POST lbaas/pools/{pool 0}/members",
        "POST lbaas/healthmonitors",
        "POST floatingips",
    ]
    assert "monitor_port" not in str([one.body for one in found.requests])


@pytest.mark.parametrize(
    ("release", "names"),
    [
        ("v1.24.0", {"pool": "TCP_80_pool"}),
        ("v1.25.0", {"listener": f"listener_0_{NAME}", "pool": f"pool_0_{NAME}", "monitor": f"monitor_80_{NAME}"}),
        ("v1.26.4", {"listener": f"listener_0_{NAME}", "pool": f"pool_0_{NAME}", "monitor": f"monitor_0_{NAME}"}),
        ("v1.27.0", {"listener": f"listener_0_{NAME}", "pool": f"pool_0_{NAME}", "monitor": f"monitor_80_{NAME}"}),
        ("v1.36.0", {"listener": f"listener_0_{NAME}", "pool": f"pool_0_{NAME}", "monitor": f"monitor_0_{NAME}"}),
    ],
)
def test_names_of_the_parts(release: str, names: dict[str, str]) -> None:
    (listener,) = listeners(prediction_of(text=MONITOR, release=release))
    pool = listener["default_pool"]
    found = {"listener": listener.get("name"), "pool": pool.get("name"), "monitor": pool["healthmonitor"].get("name")}
    assert {part: name for part, name in found.items() if name} == names


@pytest.mark.parametrize("release", ["1.18", "1.23"])
def test_a_stray_parenthesis_in_the_monitors_name(release: str) -> None:
    found = prediction_of(text=MONITOR, release=release, cloud=CloudState(nodes=nodes(1)))
    bodies: list[Json] = [one.body for one in found.requests if one.body]
    monitors = [body["healthmonitor"]["name"] for body in bodies if "healthmonitor" in body]
    assert monitors in ([], [f"monitor_0_{NAME})"])
    assert bool(monitors) is (release == "1.18")


def test_names_are_cut_at_255() -> None:
    found = prediction_of(text=MONITOR, cloud=CloudState(facts=ClusterFacts(cluster_name="c" * 300)))
    assert len(found.name) == 255
    assert found.name == ("kube_service_" + "c" * 300)[:255]
    (listener,) = listeners(found)
    for part in (listener, listener["default_pool"], listener["default_pool"]["healthmonitor"]):
        assert len(part["name"]) == 255


LOCAL: Json = {"externalTrafficPolicy": "Local"}


@pytest.mark.parametrize(
    ("release", "listed", "kind", "monitor_port", "path"),
    [
        ("v1.22.0", "TCP/80", "TCP", None, None),
        ("v1.23.0", "TCP/80", "HTTP", 31000, None),
        ("v1.24.0", "TCP/80", "HTTP", 31000, None),
        ("v1.25.0", "TCP/80", "HTTP", 31000, "/healthz"),
        ("v1.36.0", "TCP/80", "HTTP", 31000, "/healthz"),
        ("v1.25.0", "UDP/53", "HTTP", 31000, "/healthz"),
        ("v1.36.0", "UDP/53", "HTTP", 31000, "/healthz"),
        ("v1.36.0", "SCTP/9", "HTTP", 31000, "/healthz"),
    ],
)
def test_the_monitor_of_a_local_service(
    release: str, listed: str, kind: str, monitor_port: int | None, path: str | None
) -> None:
    pool = listeners(prediction_of(listed, MONITOR, release=release, **LOCAL))[0]["default_pool"]
    monitor = pool["healthmonitor"]
    assert monitor["type"] == kind
    assert monitor.get("url_path") == path
    assert {member.get("monitor_port") for member in pool["members"]} == {monitor_port}


@pytest.mark.parametrize(("release", "kind"), [("v1.25.0", "HTTP"), ("v1.26.0", "TCP"), ("v1.36.0", "TCP")])
def test_on_ovn_a_local_service_has_tcp_monitors_since_1_26(release: str, kind: str) -> None:
    text = f"{MONITOR}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
    assert (
        listeners(prediction_of(text=text, release=release, **LOCAL))[0]["default_pool"]["healthmonitor"]["type"]
        == kind
    )


@pytest.mark.parametrize(("version", "kind"), [((2, 15), "UDP-CONNECT"), ((2, 16), "HTTP")])
@pytest.mark.parametrize("release", ["v1.26.0", "v1.36.0"])
def test_http_on_udp_needs_octavia_2_16(release: str, version: tuple[int, int], kind: str) -> None:
    found = prediction_of("UDP/53", MONITOR, release=release, cloud=CloudState(nodes=nodes(1), api=version), **LOCAL)
    pool = listeners(found)[0]["default_pool"]
    assert pool["healthmonitor"]["type"] == kind
    assert ("monitor_port" in pool["members"][0]) is (kind == "HTTP")


@pytest.mark.parametrize(("release", "down"), [("v1.26.3", None), ("v1.26.4", 3), ("v1.28.0", None), ("v1.36.0", 3)])
def test_max_retries_down_is_sent_since_it_exists(release: str, down: int | None) -> None:
    monitor = listeners(prediction_of(text=MONITOR, release=release))[0]["default_pool"]["healthmonitor"]
    assert monitor.get("max_retries_down") == down


@pytest.mark.parametrize(("release", "mode"), [("1.29", ""), ("1.30", "VIP")])
def test_ip_mode_is_published_since_1_30(release: str, mode: str) -> None:
    assert prediction_of(release=release).published[0].ip_mode == mode


@pytest.mark.parametrize(
    ("release", "text", "published"),
    [
        ("1.20", "enable-ingress-hostname=true\n", ("the floating IP", "")),
        ("1.24", "enable-ingress-hostname=true\n", ("", "the floating IP.nip.io")),
        ("1.36", "enable-ingress-hostname=true\n", ("", "the floating IP.nip.io")),
        (
            "1.36",
            "enable-ingress-hostname=true\ningress-hostname-suffix=a.example\n",
            ("", "the floating IP.a.example"),
        ),
        ("1.36", "", ("the floating IP", "")),
    ],
)
def test_with_proxy_protocol_a_hostname_is_published(release: str, text: str, published: tuple[str, str]) -> None:
    (one,) = prediction_of(text=text, annotations={"proxy-protocol": "true"}, release=release).published
    assert (one.ip, one.hostname) == published


@pytest.mark.parametrize(("release", "crashes"), [("v1.24.6", False), ("v1.25.0", True), ("v1.25.2", False)])
def test_two_releases_crash_at_an_ingress_hostname(release: str, *, crashes: bool) -> None:
    found = prediction_of(
        text="enable-ingress-hostname=true\n", annotations={"proxy-protocol": "true"}, release=release
    )
    assert (found.outcome is Outcome.ERROR) is crashes
    assert found.why.startswith("the CCM crashes") is crashes


GROUPS = "manage-security-groups=true\n"
KNOWN = CloudState(nodes=nodes(2), subnets={"5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69": "10.0.0.0/24"})


@pytest.mark.parametrize(
    ("release", "rules"),
    [
        ("1.18", [("tcp", 30001, "10.0.0.0/24")]),
        ("1.19", None),
        ("1.23", None),
        ("1.25", [("tcp", 30001, "10.0.0.0/24")]),
        ("1.26", [("tcp", 31000, "10.0.0.0/24"), ("TCP", 30001, "10.0.0.0/24")]),
        ("1.28", [("tcp", 31000, "10.0.0.0/24"), ("tcp", 30001, "10.0.0.0/24")]),
    ],
)
def test_rules_of_the_managed_group(release: str, rules: list[tuple[str, int, str]] | None) -> None:
    found = prediction_of(text=GROUPS, release=release, cloud=KNOWN, **LOCAL)
    made = None if found.rules is None else [(rule.protocol, rule.port, rule.remote) for rule in found.rules]
    assert made == rules


@pytest.mark.parametrize(
    ("release", "remotes"), [("1.27", ["10.0.0.0/24"]), ("1.28", ["192.0.2.0/24", "198.51.100.7/32"])]
)
def test_on_ovn_the_group_lets_clients_in_since_1_28(release: str, remotes: list[str]) -> None:
    text = f"{GROUPS}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
    ranges = ["192.0.2.0/24", "198.51.100.7/32"]
    found = prediction_of(text=text, release=release, cloud=KNOWN, loadBalancerSourceRanges=ranges)
    assert found.rules is not None
    assert sorted(rule.remote for rule in found.rules) == remotes


@pytest.mark.parametrize(
    ("release", "good"), [("1.27", False), ("v1.28.0", False), ("v1.30.1", False), ("v1.30.2", True), ("1.36", True)]
)
def test_the_verdict_on_ovns_group(release: str, *, good: bool) -> None:
    found = prediction_of(text=f"{GROUPS}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", release=release, cloud=KNOWN)
    answer = found.answer("security-group")
    assert answer is not None
    assert answer.good is good


@pytest.mark.parametrize(("release", "good"), [("1.25", False), ("1.26", True)])
def test_the_managed_group_opens_the_check_port_since_1_26(release: str, *, good: bool) -> None:
    answer = prediction_of(text=GROUPS + MONITOR, release=release, cloud=KNOWN, **LOCAL).answer("security-group")
    assert answer is not None
    assert answer.good is good
    assert ("31000/tcp" in answer.text) is True


@pytest.mark.parametrize(
    ("release", "version", "sent"),
    [
        ("1.22", (2, 27), None),
        ("1.23", (2, 27), [NAME]),
        ("1.36", (2, 27), [NAME]),
        ("1.36", (2, 4), None),
    ],
)
def test_tags_need_1_23_and_octavia_2_5(release: str, version: tuple[int, int], sent: list[str] | None) -> None:
    found = prediction_of(release=release, cloud=CloudState(nodes=nodes(1), api=version))
    assert balancer(found).get("tags") == sent


@pytest.mark.parametrize(
    ("release", "version", "zone", "event"),
    [
        ("1.19", (2, 27), None, False),
        ("1.20", (2, 27), "az1", False),
        ("1.36", (2, 14), "az1", False),
        ("1.27", (2, 13), None, False),
        ("1.36", (2, 13), None, True),
    ],
)
def test_availability_zones(release: str, version: tuple[int, int], zone: str | None, *, event: bool) -> None:
    found = prediction_of(
        text="availability-zone=az1\n", release=release, cloud=CloudState(nodes=nodes(1), api=version)
    )
    assert balancer(found).get("availability_zone") == zone
    assert any(one.reason == "LoadBalancerAvailabilityZonesIgnored" for one in found.events) is event


@pytest.mark.parametrize(
    ("release", "families", "internal"),
    [
        ("1.24", ["IPv6"], False),
        ("1.25", ["IPv6"], True),
        ("v1.29.0", ["IPv6", "IPv4"], True),
        ("v1.29.1", ["IPv6"], False),
        ("1.36", ["IPv4", "IPv6"], False),
    ],
)
def test_ipv6_services_were_internal_for_a_while(release: str, families: list[str], *, internal: bool) -> None:
    found = prediction_of(release=release, cloud=CloudState(facts=ClusterFacts(nodes=1)), ipFamilies=families)
    assert (found.floating.why == "the Service is internal") is internal


@pytest.mark.parametrize(
    ("release", "value", "method"),
    [
        ("v1.31.0", "LEAST_CONNECTIONS", "ROUND_ROBIN"),
        ("v1.33.1", "LEAST_CONNECTIONS", "ROUND_ROBIN"),
        ("v1.34.0", "LEAST_CONNECTIONS", "LEAST_CONNECTIONS"),
    ],
)
def test_the_method_annotation_is_read_since_1_34(release: str, value: str, method: str) -> None:
    found = prediction_of(annotations={"lb-method": value}, release=release)
    assert listeners(found)[0]["default_pool"]["lb_algorithm"] == method
    assert any(one.what.endswith("lb-method") for one in found.ignored) is (method != value)


@pytest.mark.parametrize(
    ("release", "ports", "error"),
    [
        ("1.16", "UDP/53", "only TCP LoadBalancer is supported for openstack load balancers"),
        ("1.17", "UDP/53", ""),
    ],
)
def test_only_tcp_before_1_17(release: str, ports: str, error: str) -> None:
    assert prediction_of(ports, release=release).error == error


SOURCES: Json = {"loadBalancerSourceRanges": ["192.0.2.0/24"]}


@pytest.mark.parametrize(
    ("release", "text", "sent"),
    [
        ("1.21", "", ["192.0.2.0/24"]),
        ("1.36", "", ["192.0.2.0/24"]),
        ("1.36", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", None),
    ],
)
def test_source_ranges_go_to_the_listener(release: str, text: str, sent: list[str] | None) -> None:
    listener = listeners(prediction_of(text=text, release=release, **SOURCES))[0]
    assert listener.get("allowed_cidrs") == sent


def test_all_listeners_have_one_list_of_source_ranges() -> None:
    found = listeners(prediction_of("TCP/80 TCP/443", **SOURCES))
    assert found[0]["allowed_cidrs"] == ["192.0.2.0/24"]
    assert found[0]["allowed_cidrs"] is found[1]["allowed_cidrs"]


@pytest.mark.parametrize("release", ["1.20", "1.27", "v1.28.1"])
def test_events_of_the_ccm_itself_are_written_since_1_28_2(release: str) -> None:
    cloud = CloudState(nodes=nodes(1), external_network=None)
    text = "[LoadBalancer]\nuse-octavia=true\nsubnet-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\n"
    quiet = predict(read_options(text, release), service(), cloud)
    loud = predict(read_options(text, "v1.28.2"), service(), cloud)
    assert [one.reason for one in quiet.events if one.by_ccm] == []
    assert [one.reason for one in loud.events if one.by_ccm] == [
        "LoadBalancerExternalNetworkSearchFailed",
        "LoadBalancerForcedInternal",
    ]
    assert loud.published[0].ip == "the VIP"


@pytest.mark.parametrize(
    ("release", "annotations", "written"),
    [
        ("1.22", {}, []),
        ("1.23", {}, ["load-balancer-id"]),
        ("v1.26.0", {}, ["load-balancer-id"]),
        ("v1.26.1", {}, ["load-balancer-id", "load-balancer-address"]),
        ("1.36", {}, ["load-balancer-id", "load-balancer-address"]),
    ],
)
def test_annotations_that_are_written(release: str, annotations: Json, written: list[str]) -> None:
    found = prediction_of(annotations=annotations, release=release)
    assert [name.partition("/")[2] for name in found.written] == written


@pytest.mark.parametrize(("release", "stops"), [("1.17", True), ("1.18", False)])
def test_a_section_without_any_key_switched_load_balancers_off(release: str, *, stops: bool) -> None:
    found = predict(read_options("[Global]\nauth-url=https://k:5000/v3\n", release), service(), CloudState())
    assert (found.outcome is Outcome.NOTHING) is stops


def test_timers_have_defaults_since_1_18() -> None:
    text = f"[LoadBalancer]\nuse-octavia=true\n{MONITOR}"
    early = predict(read_options(text, "1.17"), service(), CloudState())
    assert early.outcome is Outcome.NOTHING
    assert early.why == "the CCM does not start: monitor-delay not set in cloud provider config"
    found = options(MONITOR, "1.18")
    assert (found.monitor_delay, found.monitor_timeout, found.monitor_max_retries) == (5, 3, 1)


@pytest.mark.parametrize(("release", "sent"), [("v1.14.0", None), ("v1.15.0", 600000)])
def test_timeouts_are_sent_since_1_15(release: str, sent: int | None) -> None:
    found = prediction_of("TCP/80", release=release, annotations={"timeout-client-data": "600000"})
    (body,) = [request.body for request in found.requests if request.path.endswith("/listeners")]
    assert body is not None
    assert cast("Json", body["listener"]).get("timeout_client_data") == sent
