"""Where connections end under each policy, told by the providers, the pods and the nodes that are known."""

from __future__ import annotations

import pytest
from predict_cases import Json, nodes, options, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.drivers.amphora import HAPROXY, KEEPALIVED
from ccmcheck.predict.drivers.ovn import PINCTRL
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Answer

ON, OVN, VLAN = "create-monitor=true\n", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "lb-provider=vlan\n"
ALSO = "unless every node runs a pod of this Service, connections also go to nodes that have none"
LAST = "every node has a pod, as long as that stays so"
ONE = "at least 1 of 3 nodes have no pod of this Service (2 replicas given)"
TWO = "2 of 3 nodes have no pod of this Service (1 replica given)"
NOBODY = "no pod is ready, and every node refuses connections: 100 % of first connections are closed after four tries"
NO_LONGER = "a node that dies stays in rotation until its Node object is deleted"


def answer(
    name: str,
    listed: str = "TCP/80",
    text: str = "",
    *,
    policy: str = "Local",
    release: str = "1.36",
    cloud: CloudState | None = None,
    annotations: Json | None = None,
    **more: object,
) -> Answer:
    one = service(listed, annotations, externalTrafficPolicy=policy)._replace(**more)  # type: ignore[arg-type]  # its own fields
    found = predict(options(text, release), one, cloud or CloudState(nodes=nodes(3))).answer(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("listed", "text", "more", "words"),
    [
        ("TCP/80", "", {"replicas": 1},
         f"{TWO}: 8 % of first connections are closed after 20 s, 58 % wait 5 to 15 s; one client alone: 100 % wait"),
        ("TCP/80", "", {"replicas": 2},
         f"{ONE}: 33 % of first connections wait 5 s; one client alone: 50 % wait"),
        ("TCP/80", "", {"ready_nodes": 2, "replicas": 9},
         "1 of 3 nodes have no pod of this Service now: 33 % of first connections wait 5 s; one client alone: 50 % wait"),
        ("UDP/53 TCP/80", "", {"replicas": 2},
         f"{ONE}: 33 % of first connections wait 5 s; one client alone: 50 % wait"),
        ("UDP/53", "", {"replicas": 1},
         f"{TWO}: 67 % of first connections go there; each is lost"),
        ("TCP/80", OVN, {"replicas": 2},
         f"{ONE}: 33 % of first connections go there; each is lost"),
        ("TCP/80", VLAN, {"replicas": 1},
         f"{TWO}: 67 % of first connections go there"),
        ("TCP/80", "", {}, f"{ALSO}; each try there takes 5 s, and after 4 HAProxy closes the connection (20 s)"),
        ("TCP/80", "lb-method=SOURCE_IP\n", {},
         f"{ALSO}; clients that are sent there never get through: HAProxy closes the connection after 20 s"),
        ("UDP/53", "", {}, f"{ALSO}; each is lost"),
        ("TCP/80", OVN, {}, f"{ALSO}; each is lost"),
        ("TCP/80", VLAN, {}, ALSO),
    ],
)  # fmt: skip
def test_nodes_without_a_pod_and_without_checks(listed: str, text: str, more: Json, words: str) -> None:
    found = answer("traffic-local", listed, text, **more)
    assert (found.good, found.text) == (False, words)
    assert ("HAProxy 2.6.12" in found.evidence) is ("first connections are" in words or "wait" in words)
    other = answer("traffic-local", listed, text, policy="Cluster", **more)
    assert (other.good, other.text) == (False, f"with policy Local: {words}")


def test_the_wait_of_an_http_listener_ends_with_503_and_follows_the_connect_timeout() -> None:
    closes = {"x-forwarded-for": "true", "timeout-member-connect": "1000"}
    assert "answered with 503 after 4 s" in answer("traffic-local", annotations=closes, replicas=1).text
    assert answer("traffic-local", annotations=closes).text.endswith(
        "each try there takes 1 s, and after 4 HAProxy answers with 503 (4 s)"
    )
    ends_tls = "default-tls-container-ref=https://k/v1/containers/0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n"
    assert answer("traffic-local", text=ends_tls).text.endswith("after 4 HAProxy answers with 503 (20 s)")


@pytest.mark.parametrize("policy", ["Local", "Cluster"])
def test_a_service_without_any_pod_is_refused_whatever_its_policy(policy: str) -> None:
    name = f"traffic-{policy.lower()}"
    for found in (answer(name, policy=policy, replicas=0), answer(name, policy=policy, ready_nodes=0)):
        assert (found.good, found.text) == (False, NOBODY)
    closes = {"x-forwarded-for": "true"}
    assert answer(name, policy=policy, annotations=closes, replicas=0).text.endswith(
        "answered with 503 after four tries"
    )
    checked = answer(name, policy=policy, text=ON, replicas=0).text
    assert checked == "no pod is ready: once all members are down, connections are closed at once"
    checked = answer(name, policy=policy, text=ON, annotations=closes, replicas=0).text
    assert checked == "no pod is ready: once all members are down, connections are answered with 503 at once"
    unknown = answer(name, policy=policy, cloud=CloudState(), replicas=0).text
    assert unknown == "no pod is ready, and every node refuses connections"
    assert answer(name, text=OVN, policy=policy, replicas=0).text == "no pod is ready: every node refuses connections"
    assert answer(name, policy=policy, replicas=0, everywhere=True).good is not False


@pytest.mark.parametrize(("replicas", "nodes_"), [(1, "1 node"), (2, "2 nodes")])
def test_of_nodes_that_nobody_counted_more_than_pods_are_needed(replicas: int, nodes_: str) -> None:
    found = answer("traffic-local", cloud=CloudState(), replicas=replicas).text
    assert found.startswith(f"with more than {nodes_}, connections also go to nodes that have no pod of this Service; ")


def test_a_release_that_sends_no_timeouts_leaves_octavias() -> None:
    """5 s: Octavia's own timeout_member_connect."""
    old = CloudState(nodes=nodes(3), facts=ClusterFacts(octavia_release="queens"))
    assert answer("traffic-local", cloud=old).text.endswith("HAProxy closes the connection (20 s)")


@pytest.mark.parametrize(
    ("more", "count", "good", "numbers"),
    [
        ({"replicas": 3}, 3, True, {"members": 3, "pods": 3, "without": 0}),
        ({"replicas": 9}, 3, True, {"members": 3, "pods": 9, "without": 0}),
        ({"ready_nodes": 3, "replicas": 1}, 3, True, {"members": 3, "pods": 3, "without": 0}),
        ({"everywhere": True}, 3, True, {"members": 3, "pods": None}),
        ({"everywhere": True}, 1, None, {"members": 1, "pods": None}),
        ({}, 1, None, {"members": 1}),
        ({"replicas": 1}, 1, None, {"members": 1, "pods": 1, "without": 0}),
    ],
)
def test_where_every_node_has_a_pod(more: Json, count: int, good: bool | None, numbers: Json) -> None:
    """With one node it is nothing to rely on."""
    found = answer("traffic-local", cloud=CloudState(nodes=nodes(count)), **more)
    assert (found.good, found.text, found.numbers) == (good, LAST, numbers)
    checked = answer("traffic-local", text=ON, cloud=CloudState(nodes=nodes(count)), **more)
    assert (checked.good, checked.text, checked.numbers) == (True, "every node has a pod", numbers)


@pytest.mark.parametrize(
    ("listed", "text", "facts", "good", "words", "evidence"),
    [
        ("TCP/80", "", {}, True, "nodes without a pod are out of rotation after 10–15 s", HAPROXY),
        ("TCP/80", OVN, {}, True, "nodes without a pod are out of rotation after 19–24 s", PINCTRL),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.1.2"}, True,
         "nodes without a pod are out of rotation after 19–24 s", PINCTRL),
        ("TCP/80 UDP/53", OVN, {}, False, "for good: port 53/UDP is checked by UDP-CONNECT, to which silence is success",
         PINCTRL),
        ("UDP/53", "", {"octavia_release": "train"}, False,
         "for good: port 53/UDP is checked by UDP-CONNECT, to which silence is success", KEEPALIVED),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.1.1"}, False,
         "this release of the ovn provider does not act on floating IPs", "LP#1997418, LP#1956035"),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.0.0"}, False, "the monitor stays PENDING_CREATE and checks nothing",
         "openstack/ovn-octavia-provider commit e320491"),
    ],
)  # fmt: skip
def test_nodes_without_a_pod_and_with_checks(
    listed: str, text: str, facts: Json, good: bool, words: str, evidence: str
) -> None:
    cloud = CloudState(nodes=nodes(3), facts=ClusterFacts(**facts))
    found = answer("traffic-local", listed, ON + text, cloud=cloud, replicas=1)
    assert (found.good, found.evidence) == (good, evidence)
    assert found.text.endswith(words)
    share = f"{TWO}: 67 % of first connections go there"
    assert found.text.startswith(share) is not good
    assert found.numbers["share"] == 0.6667
    if good:
        asks = "the NodePort" if text else "/healthz at the health check node port"
        assert found.mechanism.startswith(f"each monitor asks {asks}; such nodes are ERROR for good")
        out = "19–24" if text else "10–15"
        assert found.numbers["seconds"] == [int(second) for second in out.split("–")]
    other = answer("traffic-local", listed, ON + text, cloud=cloud, policy="Cluster", replicas=1)
    assert other.good is None
    assert other.text == "with policy Local: checks would take nodes without a pod out of rotation"


ALL_THREE = "all 3 nodes take connections and hand them on to a pod"


@pytest.mark.parametrize(
    ("text", "release", "cloud", "good", "other", "words"),
    [
        ("", "1.36", {"nodes": nodes(3)}, None, True, f"{ALL_THREE}; {NO_LONGER}"),
        ("", "1.26", {"nodes": nodes(3)}, True, True, ALL_THREE),
        (ON, "1.36", {"nodes": nodes(3)}, True, True, ALL_THREE),
        (ON, "1.36", {"facts": ClusterFacts(nodes=3)}, True, True, ALL_THREE),
        (ON, "1.36", {}, True, True, "every node takes connections and hands them on to a pod"),
        (ON, "1.36", {"nodes": (Node("node-1"),)}, False, False, "there is no member"),
        ("node-selector=role=ingress\n", "1.36", {"nodes": nodes(3)}, False, False,
         "the pools have no members: no node matches"),
        (f"{ON}monitor-max-retries=0\n", "1.36", {"nodes": nodes(3)}, False, False, "there is no load balancer"),
    ],
)  # fmt: skip
def test_policy_cluster(
    text: str, release: str, cloud: Json, good: bool | None, other: bool | None, words: str
) -> None:
    """With the Service's own policy, and what it would be under the other."""
    known = CloudState(**cloud)
    chosen = answer("traffic-cluster", text=text, release=release, cloud=known, policy="Cluster")
    assert (chosen.good, chosen.text) == (good, words)
    would = answer("traffic-cluster", text=text, release=release, cloud=known)
    assert (would.good, would.text) == (other, f"with policy Cluster: {words}")
    if good is False:
        local = answer("traffic-local", text=text, release=release, cloud=known)
        assert (local.good, local.text) == (False, words)


def test_ports_without_node_ports() -> None:
    none = service(allocateLoadBalancerNodePorts=False)
    bare = none._replace(ports=tuple(port._replace(node_port=0) for port in none.ports))
    words = "the pools have no members: the ports have no NodePort"
    found = predict(options(), bare, CloudState(nodes=nodes(3)))
    assert [one.text for one in found.answers if one.name == "traffic-cluster"] == [words]
    two = service("TCP/80 TCP/443")
    half = two._replace(ports=(two.ports[0]._replace(node_port=0), two.ports[1]))
    some = predict(options(ON), half, CloudState(nodes=nodes(3))).answer("traffic-cluster")
    assert some is not None
    assert some.good is True
