"""What the CCM does to what it made: at its next reconciles, and when nodes change."""

from __future__ import annotations

import pytest
from predict_cases import NETWORK, SUBNET, nodes, options, service

from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Member, Node, Pool
from ccmcheck.predict.records import Outcome, Request
from ccmcheck.predict.requests.resulting_state import state_after
from ccmcheck.predict.steady import after_node_change, predict_onward, steady_state

GROUPS = "manage-security-groups=true\n"
CLOUD = CloudState(nodes=nodes(3), subnets={SUBNET: "10.0.0.0/24"}, balancers_known=True)


@pytest.mark.parametrize("release", ["v1.31.2", "v1.35.0", "v1.36.0"])
@pytest.mark.parametrize(
    ("text", "annotations"),
    [
        (f"{GROUPS}network-id={NETWORK}\n", {}),
        (f"{GROUPS}subnet-id=\n", {"network-id": NETWORK}),
        (f'{GROUPS}[LoadBalancerClass "a"]\nnetwork-id={NETWORK}\n', {"class": "a"}),
        (f"{GROUPS}network-id={NETWORK}\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", {}),
    ],
)
def test_managed_groups_with_a_network_alone_crash_at_the_second_reconcile(
    release: str, text: str, annotations: dict[str, str]
) -> None:
    prediction = predict_onward(options(text, release), service("TCP/80", annotations), CLOUD)
    assert prediction.outcome is Outcome.ACCEPTED
    answer = prediction.answer("steady")
    assert answer is not None
    assert answer.good is False
    assert "second reconcile" in answer.text
    assert "crashes" in answer.text
    assert prediction.findings[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "text",
    [
        f"{GROUPS}network-id={NETWORK}\nsubnet-id={SUBNET}\n",
        f"{GROUPS}network-id={NETWORK}\nmember-subnet-id={SUBNET}\n",
        f"{GROUPS}subnet-id={SUBNET}\n",
        f"network-id={NETWORK}\n",
    ],
)
def test_others_reach_a_steady_state(text: str) -> None:
    config, web = options(text), service("TCP/80")
    assert predict_onward(config, web, CLOUD).answer("steady") is None
    state = steady_state(config, web, CLOUD)
    assert state.exists
    assert not state.kept.requests


def test_a_node_that_goes_leaves_the_pool_and_nothing_else_changes() -> None:
    config, web = options(f"subnet-id={SUBNET}\ncreate-monitor=true\n"), service("TCP/80")
    state = steady_state(config, web, CLOUD)
    assert not after_node_change(config, web, state).requests
    (request,) = after_node_change(config, web, state, nodes(2)).requests
    assert request.method == "PUT"
    assert request.path.endswith("/members")
    assert [member["name"] for member in (request.body or {})["members"]] == ["node-1", "node-2"]  # type: ignore[attr-defined]


def test_with_a_network_alone_a_node_change_takes_the_first_nodes_subnet() -> None:
    config, web = options(f"network-id={NETWORK}\n"), service("TCP/80")
    cloud = CLOUD._replace(node_subnet=SUBNET)
    state = steady_state(config, web, cloud)
    (request,) = after_node_change(config, web, state, nodes(2)).requests
    assert {member["subnet_id"] for member in (request.body or {})["members"]} == {SUBNET}  # type: ignore[attr-defined]


def test_a_node_of_another_family_than_the_vip_is_refused_when_nodes_change() -> None:
    config, dns = options(f"subnet-id={SUBNET}\n"), service("UDP/53")
    cloud = CLOUD._replace(vip="10.0.0.200")
    state = steady_state(config, dns, cloud)
    six = (Node("new", (("InternalIP", "2001:db8::9"),), {"": ""}),)
    found = after_node_change(config, dns, state, six)
    assert (found.outcome, found.refusals[0].status) == (Outcome.REFUSED, 501)
    assert found.events[-1].reason == "UpdateLoadBalancerFailed"
    web = steady_state(config, service("TCP/80"), cloud)
    assert after_node_change(config, service("TCP/80"), web, six).outcome is Outcome.ACCEPTED


def test_a_member_that_is_sent_again_gets_the_subnet_of_the_request() -> None:
    """As the real Octavia does: with network-id alone the members have no subnet until the nodes change."""
    member = {"address": "10.0.0.1", "protocol_port": 30001, "name": "node-1"}
    there = Pool("pool-1", "TCP", "ROUND_ROBIN", (Member("member-1", "10.0.0.1", 30001, "node-1"),))
    cloud = CLOUD._replace(
        balancer=Balancer("lb-1", "kube_service_kubernetes_shop_web", (Listener("l", "TCP", 80, there),))
    )

    def subnet_after(body: dict[str, object]) -> str:
        put = Request("PUT", "/v2.0/lbaas/pools/pool-1/members", {"members": [body]})
        after = state_after([put], cloud, "amphora").balancer
        pool = after.listeners[0].pool if after is not None else None
        assert pool is not None
        return pool.members[0].subnet

    assert subnet_after({**member, "subnet_id": SUBNET}) == SUBNET
    assert subnet_after(member) == ""


@pytest.mark.parametrize(
    ("cidrs", "families", "taken"),
    [
        (("10.9.0.0/24",), ["IPv6"], False),
        (("2001:db8:9::/64",), ["IPv6"], True),
        (("2001:db8:9::/64", "10.9.0.0/24"), ["IPv6"], False),
        (("2001:db8:9::/64", "10.9.0.0/24"), ["IPv4"], True),
        ((), ["IPv6"], True),
    ],
)
def test_the_vip_in_a_network_has_the_family_of_the_subnet_that_octavia_prefers(
    cidrs: tuple[str, ...], families: list[str], *, taken: bool
) -> None:
    subnets = {f"subnet-{number}": cidr for number, cidr in enumerate(cidrs)}
    cloud = CLOUD._replace(subnets=subnets, networks=dict.fromkeys(subnets, NETWORK))
    found = predict_onward(options(f"network-id={NETWORK}\n"), service("TCP/80", ipFamilies=families), cloud)
    assert (found.outcome is Outcome.ACCEPTED) is taken
    assert taken or "another IP family" in found.why


def test_a_floating_ip_is_an_ipv4_address() -> None:
    found = predict_onward(options(), service("TCP/80", loadBalancerIP="2001:db8::77"), CLOUD._replace(floating_ips={}))
    assert found.outcome is Outcome.REFUSED
    assert "is not an IPv4 address" in found.why
