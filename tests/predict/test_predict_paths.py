"""Whether packets get in: what the managed group and other rules must open, and the short way of pods."""

from __future__ import annotations

import pytest
from predict_cases import SUBNET, nodes, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.pipeline import predict

ON, GROUPS = "create-monitor=true\n", "manage-security-groups=true\n"
OVN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
CLIENTS = "clients from 192.0.2.0/24, 198.51.100.0/24 are let in to 30001/tcp"
SHUT = (
    "the managed group does not open 31000/tcp, which the monitors ask: all members go down unless other rules let the "
    "member subnet in"
)
DROPPED = (
    "on nodes without a pod of this Service cannot use its address: kube-proxy in IPVS mode drops what finds no local "
    "endpoint"
)
IN_SUBNET = {SUBNET: "10.0.0.0/24"}


def ports(count: int) -> str:
    return " ".join(f"TCP/{port}" for port in range(80, 80 + count))


def listed(count: int) -> str:
    return ", ".join(f"3000{number}/tcp" for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("count", "shown"),
    [(1, listed(1)), (6, listed(6)), (7, f"{listed(6)} and 1 more"), (9, f"{listed(6)} and 3 more")],
)
def test_the_first_six_ports_are_named(count: int, shown: str) -> None:
    found = prediction_of(ports(count)).answer("security-group")
    assert found is not None
    assert found.text == f"manage-security-groups is off: other rules must let the member subnet in to {shown}"


def test_a_port_is_named_once_in_each_protocol() -> None:
    both = service("TCP/53 UDP/53", externalTrafficPolicy="Local")
    same = both._replace(ports=tuple(port._replace(node_port=30053) for port in both.ports))
    found = predict(options(ON), same, CloudState(nodes=nodes(3))).answer("security-group")
    assert found is not None
    assert found.text.endswith(" in to 30053/tcp, 30053/udp, 31000/tcp")


@pytest.mark.parametrize(
    ("away", "names"),
    [
        (1, "away-1"),
        (3, "away-1, away-2, away-3"),
        (4, "away-1, away-2, away-3 and 1 more"),
        (6, "away-1, away-2, away-3 and 3 more"),
    ],
)
def test_nodes_that_the_managed_group_is_not_put_on(away: int, names: str) -> None:
    outside = tuple(Node(f"away-{number}", (("InternalIP", f"10.9.0.{number}"),)) for number in range(1, away + 1))
    known = CloudState(nodes=(*nodes(2), *outside), subnets=IN_SUBNET)
    found = prediction_of(text=GROUPS, cloud=known).answer("security-group")
    assert found is not None
    assert found.good is False
    assert found.text == (
        f"the managed group is not put on {names}: their addresses are not in the member subnet, and other rules must "
        "open 30001/tcp there"
    )
    off = prediction_of(cloud=known).answer("security-group")
    assert off is not None
    assert off.text == "manage-security-groups is off: other rules must let the member subnet in to 30001/tcp"


@pytest.mark.parametrize(
    ("text", "release", "opens", "good", "words"),
    [
        (GROUPS, "1.36", None, True, "10.0.0.0/24 is let in to 30001/tcp, 31000/tcp"),
        (GROUPS + ON, "1.36", None, True, "10.0.0.0/24 is let in to 30001/tcp, 31000/tcp"),
        (GROUPS + OVN, "1.36", None, True, CLIENTS),
        (GROUPS + OVN, "1.29", None, False,
         f"{CLIENTS}, until the next change of nodes removes the rules"),
        (OVN, "1.36", True, True,
         "clients must be let in to 30001/tcp on the nodes by other rules; the probes are not subject to them"),
        ("", "1.36", True, True,
         "manage-security-groups is off: other rules must let the member subnet in to 30001/tcp"),
        ("", "1.36", False, False,
         "manage-security-groups is off: other rules must let the member subnet in to 30001/tcp"),
        (GROUPS, "1.21", None, None,
         "manage-security-groups does nothing in 1.21: other rules must let the member subnet in to 30001/tcp"),
        (GROUPS + ON, "1.25", None, False,
         SHUT),
    ],
)  # fmt: skip
def test_who_is_let_in(text: str, release: str, opens: bool | None, good: bool | None, words: str) -> None:
    cloud = CloudState(nodes=nodes(3), subnets=IN_SUBNET, open_ports=opens)
    ranges = ["192.0.2.0/24", "198.51.100.0/24"]
    found = prediction_of(
        text=text, cloud=cloud, release=release, externalTrafficPolicy="Local", loadBalancerSourceRanges=ranges
    ).answer("security-group")
    assert found is not None
    assert (found.good, found.text) == (good, words)


def test_no_port_is_opened_where_none_is_allocated() -> None:
    none = service()
    bare = none._replace(ports=tuple(port._replace(node_port=0) for port in none.ports))
    for text in ("", OVN, GROUPS, GROUPS + OVN):
        found = predict(options(text), bare, CloudState(nodes=nodes(3), subnets=IN_SUBNET)).answer("security-group")
        assert found is not None
        assert (found.good, found.text) == (None, "there is nothing to let in: no port of the Service has a NodePort")


@pytest.mark.parametrize(
    ("mode", "version", "policy", "everywhere", "good", "words", "mechanism"),
    [
        ("ipvs", "1.23", "Local", False, False,
         f"pods {DROPPED}", ""),
        ("ipvs", "1.24", "Local", False, None,
         f"pods with hostNetwork {DROPPED}", "other pods get to another node's endpoints since Kubernetes 1.24"),
        ("ipvs", "", "Local", False, None,
         f"pods with hostNetwork {DROPPED}", "other pods get to another node's endpoints since Kubernetes 1.24"),
        ("ipvs", "1.23", "Local", True, True, "pods may use the Service's address: their connections bypass the load balancer", ""),
        ("ipvs", "1.23", "Cluster", False, True,
         "pods may use the Service's address: their connections bypass the load balancer", ""),
        ("iptables", "1.23", "Local", False, True,
         "pods may use the Service's address: their connections bypass the load balancer", ""),
        ("none", "1.23", "Local", False, None,
         "whether pods that use the Service's address get to a pod directly is up to kube-proxy's replacement", ""),
    ],
)  # fmt: skip
def test_the_short_way(
    mode: str, version: str, policy: str, everywhere: bool, good: bool | None, words: str, mechanism: str
) -> None:
    one = service(externalTrafficPolicy=policy)._replace(everywhere=everywhere)
    cloud = CloudState(nodes=nodes(3), facts=ClusterFacts(proxy_mode=mode, kubernetes_version=version))
    found = predict(options(), one, cloud).answer("hairpin")
    assert found is not None
    assert (found.good, found.text, found.mechanism) == (good, words, mechanism)
