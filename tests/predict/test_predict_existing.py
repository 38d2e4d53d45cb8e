"""What the CCM changes where there is a load balancer already."""

from __future__ import annotations

import pytest
from predict_cases import NETWORK, SUBNET, Json, nodes, prediction_of
from predict_made import made

from ccmcheck.predict.inputs.cloud_state import (
    Balancer,
    CloudState,
    FloatingIP,
    Group,
    GroupRule,
    Listener,
    Node,
    NodePort,
    Pool,
)
from ccmcheck.predict.records import Outcome, Prediction

MONITOR = "create-monitor=true\n"
LOCAL: Json = {"externalTrafficPolicy": "Local"}
FLOATING = FloatingIP(
    "fip-1", "203.0.113.9", "port-1", "Floating IP for Kubernetes external service shop/web from cluster kubernetes"
)


def _around(there: Balancer, count: int = 3, **more: object) -> CloudState:
    known: Json = {"nodes": nodes(count), "balancer": there, "floating_ip": FLOATING, **more}
    return CloudState(**known)


def _asked(found: Prediction) -> list[str]:
    return [f"{one.method} {one.path.removeprefix('/v2.0/').removeprefix('lbaas/')}" for one in found.requests]


@pytest.mark.parametrize("release", ["v1.26.4", "1.28", "1.31", "1.36"])
@pytest.mark.parametrize("listed", ["TCP/80", "TCP/80 UDP/53", "TCP/53 UDP/53 SCTP/9"])
@pytest.mark.parametrize("text", ["", MONITOR, f"{MONITOR}lb-method=LEAST_CONNECTIONS\n"])
@pytest.mark.parametrize("policy", ["Cluster", "Local"])
@pytest.mark.parametrize(
    "annotations", [{}, {"proxy-protocol": "v2"}, {"x-forwarded-for": "true", "connection-limit": "9"}]
)
def test_nothing_changes_where_nothing_changed(
    release: str, listed: str, text: str, policy: str, annotations: Json
) -> None:
    spec: Json = {"externalTrafficPolicy": policy, "loadBalancerSourceRanges": ["192.0.2.0/24"]}
    there = made(prediction_of(listed, text, annotations, release=release, **spec))
    if annotations and "UDP" in listed:
        return  # such pools are refused
    again = prediction_of(listed, text, annotations, release=release, cloud=_around(there), **spec)
    assert _asked(again) == []
    assert again.published[0].ip in ("203.0.113.9", "")
    assert again.outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("release", "before", "after", "asked"),
    [
        ("1.36", "", MONITOR, ["POST healthmonitors"]),
        ("1.36", MONITOR, "", ["DELETE healthmonitors/monitor-0"]),
        ("1.36", MONITOR, f"{MONITOR}monitor-delay=9s\n", ["PUT healthmonitors/monitor-0"]),
        ("1.23", MONITOR, f"{MONITOR}monitor-delay=9s\n", []),
        ("1.36", "", "lb-method=SOURCE_IP\n", ["PUT pools/pool-0"]),
        ("1.31", "", "lb-method=SOURCE_IP\n", []),
    ],
)
def test_a_changed_configuration_reaches_what_is_there(release: str, before: str, after: str, asked: list[str]) -> None:
    there = made(prediction_of(text=before, release=release))
    assert _asked(prediction_of(text=after, release=release, cloud=_around(there))) == asked


@pytest.mark.parametrize(
    ("release", "asked"),
    [
        ("1.24", ["PUT pools/pool-0/members", "DELETE healthmonitors/monitor-0", "POST healthmonitors"]),
        ("1.36", ["PUT pools/pool-0/members", "DELETE healthmonitors/monitor-0", "POST healthmonitors"]),
    ],
)
def test_policy_local_recreates_the_monitor(release: str, asked: list[str]) -> None:
    there = made(prediction_of(text=MONITOR, release=release))
    found = prediction_of(text=MONITOR, release=release, cloud=_around(there), **LOCAL)
    changes = [one for one in _asked(found) if one != "PUT healthmonitors/"]
    assert changes == asked
    members: Json = found.requests[0].body or {}
    assert {one["monitor_port"] for one in members["members"]} == {31000}


def test_ports_come_and_go() -> None:
    there = made(prediction_of("TCP/80 TCP/443"))
    found = prediction_of("TCP/443 TCP/8080", cloud=_around(there))
    assert _asked(found) == [
        "PUT pools/pool-1/members",
        "POST listeners",
        "POST pools",
        "PUT pools/{pool 1}/members",
        "DELETE pools/pool-0",
        "DELETE listeners/listener-0",
    ]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_members_follow_the_nodes(count: int) -> None:
    there = made(prediction_of(count=3))
    found = prediction_of(cloud=_around(there, count))
    if not count:
        assert found.error == "there are no available nodes for LoadBalancer service shop/web"
        return
    assert _asked(found) == ["PUT pools/pool-0/members"]
    body: Json = found.requests[0].body or {}
    assert len(body["members"]) == count


def test_proxy_protocol_recreates_the_pool() -> None:
    there = made(prediction_of())
    found = prediction_of(annotations={"proxy-protocol": "true"}, cloud=_around(there))
    assert _asked(found) == ["DELETE pools/pool-0", "POST pools", "PUT pools/{pool 0}/members"]


@pytest.mark.parametrize("status", ["ERROR", "PENDING_UPDATE"])
def test_nothing_is_done_to_one_that_is_not_active(status: str) -> None:
    there = made(prediction_of())._replace(status=status)
    found = prediction_of(cloud=_around(there))
    assert found.outcome is Outcome.ERROR
    assert found.error == f"load balancer lb-1 is not ACTIVE, current provisioning status: {status}"
    assert found.requests == ()


SHARED = {"load-balancer-id": "lb-1"}


def _theirs(**more: object) -> Balancer:
    there = made(prediction_of("TCP/443"))
    other = there.name.replace("web", "other")
    listeners = tuple(one._replace(tags=(other,)) for one in there.listeners)
    known: Json = {"name": other, "tags": (other,), "listeners": listeners, **more}
    return there._replace(**known)


def test_a_shared_one_gets_listeners_and_a_tag() -> None:
    found = prediction_of(annotations=SHARED, cloud=_around(_theirs()))
    assert _asked(found) == ["POST listeners", "POST pools", "PUT pools/{pool 0}/members", "PUT loadbalancers/lb-1"]
    listener: Json = found.requests[0].body or {}
    assert listener["listener"]["tags"] == ["kube_service_kubernetes_shop_web"]


@pytest.mark.parametrize(
    ("listed", "spec", "text", "error"),
    [
        ("TCP/443", {}, "", "the listener port 443 already exists"),
        ("TCP/80", {}, "max-shared-lb=1\n", "load balancer lb-1 already shared with 1 Services"),
        ("TCP/80", {}, "internal-lb=true\n", "internal Service cannot share a load balancer"),
    ],
)
def test_what_cannot_be_shared(listed: str, spec: Json, text: str, error: str) -> None:
    found = prediction_of(listed, text, SHARED, cloud=_around(_theirs()), **spec)
    assert (found.outcome, found.error) == (Outcome.ERROR, error)
    assert found.requests == ()


def test_a_named_one_that_is_not_known_is_taken_for_the_own() -> None:
    named = {"load-balancer-id": "0d4b2c6e-5f1a-4c3d-9e8f-7a6b5c4d3e2f"}
    found, without = prediction_of(annotations=named), prediction_of()
    assert found.outcome is Outcome.ACCEPTED
    assert found.requests == without.requests
    assert found.answers == without.answers
    (assumed,) = [text for text in found.assumed if "load-balancer-id" in text]
    assert "assumed to be the Service's own" in assumed


@pytest.mark.parametrize("named", ["x", "my-balancer", "0d4b2c6e-5f1a-4c3d-9e8f-7a6b5c4d3e2"])
def test_of_what_is_no_uuid_octavia_has_no_load_balancer(named: str) -> None:
    """As lint has it; the CCM gets it by its ID and ends with Octavia's 404."""
    found = prediction_of(annotations={"load-balancer-id": named})
    assert (found.outcome, found.error) == (
        Outcome.ERROR,
        f"failed to get load balancer {named}: Resource not found",
    )
    assert found.requests == ()


OLD = "kube_service_old_shop_web"


def _renamed(status: str = "ACTIVE") -> Balancer:
    there = made(prediction_of(text=MONITOR))

    def old(name: str) -> str:
        return name.replace("_kubernetes_", "_old_")

    listeners = []
    for one in there.listeners:
        pool = one.pool
        assert pool is not None
        assert pool.monitor is not None
        monitor = pool.monitor._replace(name=old(pool.monitor.name))
        pool = pool._replace(name=old(pool.name), monitor=monitor)
        listeners.append(one._replace(name=old(one.name), tags=(OLD,), pool=pool))
    return there._replace(name=OLD, tags=(OLD,), listeners=tuple(listeners), status=status)


def test_another_cluster_name_renames_everything() -> None:
    found = prediction_of(text=MONITOR, annotations=SHARED, cloud=_around(_renamed()))
    assert [one for one in _asked(found) if "members" not in one] == [
        "PUT healthmonitors/monitor-0",
        "PUT pools/pool-0",
        "PUT listeners/listener-0",
        "PUT loadbalancers/lb-1",
    ]
    assert found.requests[3].body == {
        "loadbalancer": {"name": "kube_service_kubernetes_shop_web", "tags": ["kube_service_kubernetes_shop_web"]}
    }
    assert any(event.reason == "LoadBalancerRename" for event in found.events)


@pytest.mark.parametrize(("release", "why"), [("1.32", ""), ("1.33", ": failed to find object")])
def test_a_listener_without_a_pool_ends_the_renaming(release: str, why: str) -> None:
    there = _renamed()
    there = there._replace(listeners=(there.listeners[0]._replace(pool=None),))
    found = prediction_of(annotations=SHARED, release=release, cloud=_around(there))
    assert found.error == f"failed to update load balancer lb-1 with an updated name{why}"
    assert found.requests == ()


def test_a_renaming_ends_at_its_first_change_where_nothing_can_change() -> None:
    found = prediction_of(text=MONITOR, annotations=SHARED, cloud=_around(_renamed("PENDING_UPDATE")))
    assert _asked(found) == ["PUT healthmonitors/monitor-0"]
    assert found.error.endswith(
        ": failed to update healthmonitor: Load Balancer lb-1 is immutable and cannot be updated."
    )


@pytest.mark.parametrize(
    ("description", "annotations", "asked"),
    [
        (FLOATING.description, {}, ["DELETE floatingips/fip-1"]),
        (FLOATING.description, {"keep-floatingip": "true"}, ["PUT floatingips/fip-1"]),
        ("by hand", {}, ["PUT floatingips/fip-1"]),
    ],
)
def test_a_service_that_turns_internal_loses_its_floating_ip(
    description: str, annotations: Json, asked: list[str]
) -> None:
    there = made(prediction_of())
    cloud = _around(there, floating_ip=FLOATING._replace(description=description))
    found = prediction_of(text="internal-lb=true\n", annotations=annotations, cloud=cloud)
    assert _asked(found) == asked
    assert found.published[0].ip == "10.0.0.200"


GROUPS = "manage-security-groups=true\n"
RULE = GroupRule("rule-1", "tcp", 30001, 30001, "10.0.0.0/24")


@pytest.mark.parametrize(
    ("release", "rules", "asked"),
    [
        ("1.36", (RULE,), []),
        (
            "1.36",
            (RULE._replace(port_min=1, port_max=1),),
            ["POST security-group-rules", "DELETE security-group-rules/rule-1"],
        ),
        ("1.27", (RULE._replace(port_min=1, port_max=1),), ["POST security-group-rules"]),
        ("1.25", (RULE,), []),
    ],
)
def test_rules_follow_the_ports(release: str, rules: tuple[GroupRule, ...], asked: list[str]) -> None:
    there = made(prediction_of(text=GROUPS, release=release))
    port = NodePort("port-n", (("10.0.0.1", SUBNET),), ("group-1",))
    node = Node("node-1", (("InternalIP", "10.0.0.1"),), {"": ""}, "openstack:///s1", (port,))
    cloud = _around(there, nodes=(node,), group=Group("group-1", rules), subnets={SUBNET: "10.0.0.0/24"})
    found = prediction_of(text=GROUPS, release=release, cloud=cloud)
    assert [one for one in _asked(found) if "security" in one or "ports" in one] == asked


def test_a_group_goes_when_it_is_switched_off() -> None:
    group = Group("group-1", (RULE,), (("port-n", ("default", "group-1"), ("group-1",)),))
    cloud = _around(made(prediction_of()), group=group)
    assert _asked(prediction_of(cloud=cloud)) == [
        "PUT ports/port-n",
        "DELETE ports/port-n/tags/group-1",
        "DELETE security-groups/group-1",
    ]
    assert _asked(prediction_of(release="1.27", cloud=cloud)) == []


@pytest.mark.parametrize(
    ("release", "key", "annotations"),
    [("1.24", "floating-network-id", {"subnet-id": SUBNET}), ("1.31", "network-id", {}), ("1.36", "network-id", {})],
)
def test_rules_for_a_subnet_that_was_never_known_crash_the_ccm(release: str, key: str, annotations: Json) -> None:
    text = f"{GROUPS}{key}={NETWORK}\n"
    first = prediction_of(text=text, annotations=annotations, release=release)
    assert first.outcome is Outcome.ACCEPTED
    again = prediction_of(text=text, annotations=annotations, release=release, cloud=_around(made(first)))
    assert again.outcome is Outcome.ERROR
    assert again.why.startswith("the CCM crashes: runtime error: invalid memory address")
    assert again.events == ()


def test_a_change_of_a_udp_monitor_is_judged_by_its_type() -> None:
    there = made(prediction_of("UDP/53", MONITOR))
    found = prediction_of("UDP/53", f"{MONITOR}monitor-delay=2s\n", cloud=_around(there))
    assert _asked(found) == ["PUT healthmonitors/monitor-0"]
    assert found.outcome is Outcome.REFUSED
    assert found.refusals[0].field == "healthmonitor.delay"


def test_a_listener_that_somebody_made_by_hand_is_left_alone() -> None:
    there = made(prediction_of())
    theirs = Listener("by-hand", "TCP", 9999, Pool("pool-x", "TCP", "ROUND_ROBIN"), ("by-hand",))
    assert _asked(prediction_of(cloud=_around(there._replace(listeners=(*there.listeners, theirs))))) == []


def test_two_ports_of_one_listener_see_the_header_that_the_first_sets() -> None:
    name = "kube_service_kubernetes_shop_web"
    listener = Listener("l-1", "HTTP", 80, Pool("p-1", "HTTP", "ROUND_ROBIN"), (name,), allowed_cidrs=("0.0.0.0/0",))
    there = Balancer("lb-1", name, (listener,), (name,))
    found = prediction_of("UDP/80 SCTP/80", annotations={"x-forwarded-for": "true"}, cloud=_around(there))
    puts = [one for one in found.requests if one.method == "PUT" and "/listeners/" in one.path]
    assert len(puts) == 1
