"""What requests leave behind: a load balancer that the CCM has nothing more to do to."""

from __future__ import annotations

import pytest
from review_cases import CONF, MONITOR, Json, manifest

from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, FloatingIP, GroupRule, Listener, Pool
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.requests.resulting_state import state_after
from ccmcheck.review.change.steady_state import steady_state

RELEASES = ("1.14", "1.18", "1.19", "1.20", "1.21", "1.22", "1.23", "1.24", "1.25", "v1.26.0", "1.28", "1.31", "1.36")
LOCAL: Json = {"externalTrafficPolicy": "Local"}
CASES: dict[str, tuple[str, Json]] = {
    "plain": ("", manifest("web", "TCP/80 TCP/443")),
    "monitors": (MONITOR, manifest("web", "TCP/80 TCP/443")),
    "local": (MONITOR, manifest("web", "TCP/80", **LOCAL)),
    "mixed": (MONITOR, manifest("web", "TCP/53 UDP/53", {"connection-limit": "9", "timeout-client-data": "1000"})),
    "ranges": ("", manifest("web", loadBalancerSourceRanges=["192.0.2.0/24"])),
    "groups": ("manage-security-groups = true\n", manifest("web", "TCP/80 UDP/53")),
    "internal": ("internal-lb = true\n", manifest("web")),
    "header": ("", manifest("web", "TCP/80", {"x-forwarded-for": "true"})),
}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", CASES)
def test_what_was_made_is_found_again(case: str, release: str) -> None:
    text, data = CASES[case]
    if case == "header" and release in ("1.14", "1.18"):
        pytest.skip("the CCM itself does not find such a listener again")
    config = read_options(f"{CONF}use-octavia = true\n{text}", release)
    settled = steady_state(config, read_service(data), CloudState(nodes=placeholder_nodes(3)))
    if settled.made.outcome is not Outcome.ACCEPTED:
        assert not settled.exists  # UDP in releases that know none, source ranges that cannot be enforced
        return
    there = settled.cloud.balancer
    assert there is not None
    assert there.name == settled.made.name
    assert [(one.protocol, one.port) for one in there.listeners] == [
        (plan.listener, plan.port) for plan in settled.made.plans
    ]
    for listener, plan in zip(there.listeners, settled.made.plans, strict=True):
        pool = listener.pool
        assert pool is not None
        assert (pool.protocol, pool.method) == (plan.pool, plan.method)
        assert [(one.address, one.port) for one in pool.members] == [
            (f"192.0.2.{number}", plan.node_port) for number in (1, 2, 3)
        ]
        assert (pool.monitor is None) is (plan.monitor is None)
        if pool.monitor is not None and plan.monitor is not None:
            assert pool.monitor.type == plan.monitor_type
            assert pool.monitor.delay == plan.monitor["delay"]
    assert (settled.cloud.floating_ip is not None) is settled.made.floating.wanted
    assert (settled.cloud.group is not None) is (settled.made.rules is not None)
    if settled.cloud.group is not None:
        ingress = [one for one in settled.cloud.group.rules if one.direction == "ingress"]
        assert {one.port_min for one in ingress} >= {plan.node_port for plan in settled.made.plans}
    octavia = [one for one in settled.kept.requests if one.api == "octavia"]
    assert octavia == []


def test_ids_are_never_given_twice() -> None:
    config = read_options(CONF + MONITOR, "1.36")
    cloud = CloudState(nodes=placeholder_nodes(2))
    settled = steady_state(config, read_service(manifest("web", "TCP/80 TCP/443")), cloud)
    wider = predict(config, read_service(manifest("web", "TCP/443 TCP/8080 TCP/9090")), settled.cloud)
    after = state_after(wider.requests, settled.cloud, "amphora").balancer
    assert after is not None
    parts = [one.id for one in after.listeners]
    for listener in after.listeners:
        assert listener.pool is not None
        assert listener.pool.monitor is not None
        parts += [listener.pool.id, listener.pool.monitor.id]
    assert len(set(parts)) == 9
    assert [(one.port, len(one.pool.members) if one.pool else 0) for one in after.listeners] == [
        (443, 2), (8080, 2), (9090, 2),
    ]  # fmt: skip


def test_a_new_balancer_keeps_the_provider_that_it_was_made_with() -> None:
    config = read_options(CONF, "1.36")
    settled = steady_state(config, read_service(manifest()), CloudState(nodes=placeholder_nodes(1)))
    assert isinstance(settled.cloud.balancer, Balancer)
    assert settled.cloud.balancer.provider == "amphora"
    moved = read_options(CONF + "lb-provider = ovn\n", "1.36")
    assert predict(moved, read_service(manifest()), settled.cloud).provider == "amphora"


def test_rules_that_go_are_gone() -> None:
    config = read_options(CONF + "manage-security-groups = true\n", "1.36")
    settled = steady_state(
        config, read_service(manifest("web", "TCP/80/30080 TCP/443/30443")), CloudState(nodes=placeholder_nodes(1))
    )
    assert settled.cloud.group is not None
    fewer = predict(config, read_service(manifest("web", "TCP/443/30443")), settled.cloud)
    after = state_after(fewer.requests, settled.cloud, "amphora").group
    assert after is not None
    assert [one[1:4] for one in after.rules] == [GroupRule("", "tcp", 30443, 30443, "")[1:4]]
    off = predict(read_options(CONF, "1.36"), read_service(manifest("web", "TCP/443/30443")), settled.cloud)
    assert state_after(off.requests, settled.cloud, "amphora").group is None


def test_a_port_that_has_a_floating_ip_brings_it_along() -> None:
    port = "6a0f5e4d-3c2b-4a19-8807-f6e5d4c3b2a1"
    known = FloatingIP("fip-7", "203.0.113.7", port)
    cloud = CloudState(nodes=placeholder_nodes(1), floating_ips={known.address: known})
    found = predict(read_options(CONF, "1.36"), read_service(manifest("web", "TCP/80", {"port-id": port})), cloud)
    assert state_after(found.requests, cloud, "amphora").floating_ip == known


def test_a_later_port_of_a_listener_renames_the_monitor_of_an_earlier_one() -> None:
    name = "kube_service_kubernetes_shop_web"
    listener = Listener("l-1", "HTTP", 80, Pool("p-1", "HTTP", "ROUND_ROBIN"), (name,))
    cloud = CloudState(nodes=placeholder_nodes(1), balancer=Balancer("lb-1", name, (listener,), (name,)))
    data = manifest("web", "TCP/80 UDP/80", {"x-forwarded-for": "true"}, **LOCAL)
    found = predict(read_options(CONF + MONITOR, "1.36"), read_service(data), cloud)
    assert [one.path for one in found.requests if one.method == "PUT" and "/healthmonitors/" in one.path] == [
        "/v2.0/lbaas/healthmonitors/{monitor of p-1}"
    ]
    there = state_after(found.requests, cloud, "amphora").balancer
    assert there is not None
    pool = there.listeners[0].pool
    assert pool is not None
    assert pool.monitor is not None
    assert pool.monitor.name == f"monitor_1_{name}"
