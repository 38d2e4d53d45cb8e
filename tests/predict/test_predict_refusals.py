"""The order of Octavia's checks, and checks of more than one part."""

from __future__ import annotations

import pytest
from predict_cases import NETWORK, SUBNET, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Node, Pool, Subnet
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.reconcile import follow

SERIAL = "provider-requires-serial-api-calls=true\n"
ELSEWHERE = "6a0f5e4d-3c2b-4a19-8807-f6e5d4c3b2a1"


def first(found: Prediction) -> tuple[int, str]:
    refusal = found.refusals[0]
    return refusal.status, refusal.field


def test_a_description_is_not_cut() -> None:
    found = prediction_of(cloud=CloudState(facts=ClusterFacts(cluster_name="c" * 250)))
    assert len(found.name) == 255
    assert first(found) == (400, "description")


def test_types_are_looked_at_before_anything_else() -> None:
    text = "lb-provider=ovn\nlb-method=ROUND_ROBIN\n"
    assert first(prediction_of("TCP/80", text)) == (501, "listeners[0].default_pool.lb_algorithm")
    assert first(prediction_of("TCP/80", text, {"connection-limit": "-7"})) == (400, "listeners[0].connection_limit")


def test_the_api_checks_all_parts_before_the_driver_sees_any() -> None:
    found = prediction_of("TCP/53 UDP/53", "lb-provider=ovn\nlb-method=ROUND_ROBIN\n", {"x-forwarded-for": "true"})
    assert first(found) == (409, "listeners[1].protocol_port")


def test_names_of_pools_that_are_alike_come_before_listeners_that_are() -> None:
    found = prediction_of("TCP/53 UDP/53", "", {"x-forwarded-for": "true"}, release="1.22")
    assert first(found) == (400, "listeners[1].default_pool.name")
    assert first(prediction_of("TCP/53 UDP/53", "", {"x-forwarded-for": "true"}))[0] == 409


@pytest.mark.parametrize(("networks", "outcome"), [({SUBNET: ELSEWHERE}, "refused"), ({SUBNET: NETWORK}, "accepted")])
def test_the_subnet_must_be_in_the_network(networks: dict[str, str], outcome: str) -> None:
    found = prediction_of(
        "TCP/80", f"subnet-id={SUBNET}\nnetwork-id={NETWORK}\ninternal-lb=true\n", cloud=CloudState(networks=networks)
    )
    assert found.outcome.value == outcome
    if found.refusals:
        assert first(found) == (400, "vip_subnet_id")


def test_the_address_must_be_in_the_network() -> None:
    text = f"network-id={NETWORK}\ninternal-lb=true\n"
    cloud = CloudState(networks={SUBNET: NETWORK}, subnets={SUBNET: "10.0.0.0/24"})
    assert prediction_of("TCP/80", text, cloud=cloud, loadBalancerIP="10.0.0.9").outcome is Outcome.ACCEPTED
    assert first(prediction_of("TCP/80", text, cloud=cloud, loadBalancerIP="10.9.0.9")) == (400, "vip_address")


def test_the_address_must_be_the_ports() -> None:
    cloud = CloudState(vip="10.0.0.190")
    found = prediction_of(
        "TCP/80", "internal-lb=true\n", {"port-id": ELSEWHERE}, cloud=cloud, loadBalancerIP="10.0.0.77"
    )
    assert first(found) == (400, "vip_address")


def test_serial_calls_make_members_of_whatever_address_comes_first() -> None:
    node = Node("node-1", (("Hostname", "node-1"), ("ExternalIP", "192.0.2.1")), {"": ""})
    assert first(prediction_of("TCP/80", SERIAL, cloud=CloudState(nodes=(node,)))) == (400, "member.address")
    assert prediction_of("TCP/80", cloud=CloudState(nodes=(node,))).outcome is Outcome.ACCEPTED


def test_a_port_is_taken_by_a_listener_made_before() -> None:
    found = prediction_of("TCP/53 UDP/53", SERIAL, {"x-forwarded-for": "true"})
    assert first(found) == (409, "listener.protocol_port")
    assert found.requests[found.refusals[0].at].path.endswith("/listeners")


def _there(*listeners: Listener) -> CloudState:
    name = "kube_service_kubernetes_shop_web"
    return CloudState(balancer=Balancer("lb-1", name, listeners, tags=(name,), address="10.0.0.9"))


def test_a_port_is_taken_by_a_listener_that_is_there() -> None:
    listener = Listener("l-1", "TCP", 80, Pool("p-1", "TCP", "ROUND_ROBIN"))
    found = prediction_of("TCP/80", "", {"x-forwarded-for": "true"}, cloud=_there(listener))
    assert first(found) == (409, "listener.protocol_port")


def test_a_recreated_pool_must_fit_its_listener() -> None:
    """The old pool is gone by then: the Service is down until the annotation goes."""
    listener = Listener("l-1", "UDP", 53, Pool("p-1", "UDP", "ROUND_ROBIN"), tags=("kube_service_kubernetes_shop_web",))
    found = prediction_of("UDP/53", "", {"proxy-protocol": "v2"}, cloud=_there(listener))
    assert first(found) == (400, "pool.protocol")
    assert [one.method for one in found.requests[: found.refusals[0].at]][-1:] == ["DELETE"]


def test_the_vip_that_is_there_decides_on_the_family_of_source_ranges() -> None:
    listener = Listener("l-1", "TCP", 80, Pool("p-1", "TCP", "ROUND_ROBIN"), tags=("kube_service_kubernetes_shop_web",))
    found = prediction_of("TCP/80", cloud=_there(listener), loadBalancerSourceRanges=["2001:db8::/64"])
    assert first(found) == (400, "listener.allowed_cidrs")


def test_an_empty_provider_is_amphora() -> None:
    assert first(prediction_of("TCP/80", f"lb-provider=\nlb-method=SOURCE_IP_PORT\n{SERIAL}")) == (
        501,
        "pool.lb_algorithm",
    )


def test_what_octavia_refuses_comes_before_an_error_of_the_ccm() -> None:
    config = options("floating-subnet=none*\nlb-provider=vlan\n")
    cloud = CloudState(facts=ClusterFacts(providers=("amphora",), nodes=1), floating_subnets=(Subnet("s-1", "public"),))
    alone = follow(config, service(), cloud)
    assert alone.outcome is Outcome.ERROR
    assert alone.answers == ()
    found = predict(config, service(), cloud)
    assert found.outcome is Outcome.REFUSED
    assert first(found) == (400, "provider")
    assert found.events[-1].message.endswith("provider `vlan` is not enabled")
