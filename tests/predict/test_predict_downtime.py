"""How long dead nodes and nodes without a pod stay in, and what that costs: tables by provider, release and policy."""

from __future__ import annotations

import pytest
from predict_cases import options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Answer

ON, OVN, VLAN = "create-monitor=true\n", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "lb-provider=vlan\n"
INTERNAL = "internal-lb=true\n"
STAYS = "a dead node stays in rotation until its Node object is deleted"


def answer(name: str, listed: str, text: str, policy: str = "Cluster", count: int = 3, **facts: str) -> Answer | None:
    cloud = CloudState(facts=ClusterFacts(**facts))  # type: ignore[arg-type]  # only facts that are texts
    return prediction_of(listed, text, cloud=cloud, count=count, externalTrafficPolicy=policy).answer(name)


@pytest.mark.parametrize(
    ("listed", "text", "policy", "count", "cost"),
    [
        ("TCP/80", "", "Cluster", 3, "33 % of first connections wait 5 s; one client alone: 50 % wait"),
        ("TCP/80", "", "Cluster", 2, "50 % of first connections wait 5 s; one client alone: 100 % wait"),
        ("TCP/80", "", "Cluster", 1, "100 % of first connections are closed after 20 s"),
        ("UDP/53 TCP/80", "", "Cluster", 1, "100 % of first connections are closed after 20 s"),
        ("TCP/80", "lb-method=SOURCE_IP\n", "Cluster", 4,
         "25 % of clients never get through: each of their connections is closed after 20 s"),
        ("TCP/80", "lb-method=LEAST_CONNECTIONS\n", "Cluster", 3, ""),
        ("TCP/80", "", "Local", 3, ""),
        ("UDP/53", "", "Cluster", 3, ""),
        ("TCP/80", OVN, "Cluster", 3, ""),
        ("TCP/80", VLAN, "Cluster", 3, ""),
    ],
)  # fmt: skip
def test_what_a_dead_node_costs_without_checks(listed: str, text: str, policy: str, count: int, cost: str) -> None:
    """Round robin as in ``test_predict_shares``; what depends on the load, or on where pods are, is left open."""
    found = answer("dead-node", listed, text, policy, count)
    assert found is not None
    assert found.good is False
    assert found.text == (f"{STAYS}; meanwhile {cost}" if cost else STAYS)
    assert bool(found.numbers) is bool(cost)


def test_what_a_dead_node_costs_where_the_nodes_are_not_known() -> None:
    found = predict(options(), service(), CloudState()).answer("dead-node")
    assert found is not None
    assert found.text == STAYS


def test_the_figures_of_a_dead_node() -> None:
    dead = answer("dead-node", "TCP/80", "")
    assert dead is not None
    assert dead.numbers == {
        "first_connections": {
            "at_once": [0.6667, 0.6667],
            "waiting": [0.3333, 0.3333],
            "closed": [0, 0],
            "waits": [5, 5],
            "closed_from": 20,
            "closed_after": 20,
            "alone": [[0.5, 0.5], [0.5, 0.5], [0, 0]],
            "by_client": False,
            "by_load": False,
        }
    }
    before = prediction_of(release="1.26").answer("dead-node")
    assert before is not None
    assert before.numbers == {"service_controller": True}
    assert before.good is None


@pytest.mark.parametrize(
    ("listed", "text", "release", "good", "words", "figures"),
    [
        ("TCP/80", "", "", True, "a dead node is out after 10–15 s (refused) or 25–30 s (silent), back after 0–5 s",
         ([10, 15], [25, 30], [0, 5])),
        ("TCP/80", "monitor-max-retries-down=2\nmonitor-max-retries=4\n", "", True,
         "a dead node is out after 5–10 s (refused) or 15–20 s (silent), back after 15–20 s",
         ([5, 10], [15, 20], [15, 20])),
        ("TCP/80 UDP/53", "", "", False,
         "port 53/UDP: a host that answers with ICMP unreachable is out after 15–20 s, a silent one never",
         ([15, 20], None, [0, 5])),
        ("TCP/80", OVN, "", True, "a dead node is out after 10–15 s (refused) or 19–24 s (silent), back after 0–5 s",
         ([10, 15], [19, 24], [0, 5])),
        ("TCP/80", OVN, "3.1.2", True,
         "a dead node is out after 10–15 s (refused) or 19–24 s (silent), back after 0–5 s",
         ([10, 15], [19, 24], [0, 5])),
        ("TCP/80", OVN, "3.1.1", False,
         "a dead node stays in rotation: this release of the ovn provider does not act on floating IPs", None),
        ("TCP/80", OVN + INTERNAL, "3.1.1", True,
         "a dead node is out after 10–15 s (refused) or 19–24 s (silent), back after 0–5 s",
         ([10, 15], [19, 24], [0, 5])),
        ("TCP/80", OVN, "3.0.0", False, "a dead node stays in rotation: this release of the ovn provider never checks",
         None),
        ("TCP/80", OVN + INTERNAL, "3.0.0", False,
         "a dead node stays in rotation: this release of the ovn provider never checks", None),
        ("TCP/80", VLAN, "", None, "nothing is known of this provider's checks", None),
        ("TCP/80", "", "3.0.0", True,
         "a dead node is out after 10–15 s (refused) or 25–30 s (silent), back after 0–5 s",
         ([10, 15], [25, 30], [0, 5])),
    ],
)  # fmt: skip
def test_a_dead_node_with_checks(
    listed: str, text: str, release: str, good: bool | None, words: str, figures: tuple[object, ...] | None
) -> None:
    found = answer("dead-node", listed, ON + text, ovn_octavia_release=release)
    assert found is not None
    assert (found.good, found.text) == (good, words)
    assert found.numbers == (dict(zip(("refused", "silent", "back"), figures, strict=True)) if figures else {})
    mechanisms = {"3.1.1": "LP#1997418, LP#1956035, LP#2055876", "3.0.0": "the monitor stays PENDING_CREATE"}
    if good is False and release:
        assert found.mechanism == mechanisms[release]


@pytest.mark.parametrize(
    ("listed", "text", "facts", "good", "out", "back"),
    [
        ("TCP/80", "", {}, True, "10–15 s", "0–5 s"),
        ("UDP/53", "", {}, True, "15–20 s", "0–5 s"),
        ("UDP/53", "", {"octavia_release": "train"}, False, "", ""),
        ("TCP/80", OVN, {}, True, "19–24 s", "0–5 s"),
        ("UDP/53", OVN, {}, False, "", ""),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.1.1"}, False, "", ""),
        ("TCP/80", OVN + INTERNAL, {"ovn_octavia_release": "3.1.1"}, True, "19–24 s", "0–5 s"),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.0.0"}, False, "", ""),
        ("TCP/80", VLAN, {}, None, "", ""),
    ],
)
def test_a_node_whose_last_pod_goes(
    listed: str, text: str, facts: dict[str, str], good: bool | None, out: str, back: str
) -> None:
    """On amphora /healthz refuses at once; ovn asks the NodePort, which is silent, and silence is success on UDP."""
    found = answer("podless-node", listed, ON + text, "Local", 3, **facts)
    assert found is not None
    assert found.good is good
    if good:
        assert found.text == (
            f"a node whose last pod goes is out after {out}, a node that gets its first pod is in after {back}"
        )
        assert found.numbers["back"] == [0, 5]
        assert "–".join(f"{second:g}" for second in found.numbers["out"]) == out.removesuffix(" s")  # type: ignore[attr-defined]  # a list
    else:
        words = "a node whose last pod goes stays in rotation"
        assert found.text == ("nothing is known of this provider's checks" if good is None else words)
        assert answer("podless-node", listed, text, "Local", 3, **facts) is None


@pytest.mark.parametrize(
    ("listed", "text", "facts", "numbers"),
    [
        ("TCP/80", "", {}, {"pre_stop": 15}),
        ("UDP/53", "monitor-delay=10s\n", {}, {"pre_stop": 40}),
        ("UDP/53", "", {"octavia_release": "train"}, None),
        ("TCP/80", OVN, {}, {"lost": [19, 24]}),
        ("UDP/53", OVN, {}, None),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.0.0"}, None),
        ("TCP/80", OVN, {"ovn_octavia_release": "3.1.1"}, None),
        ("TCP/80", VLAN, {}, None),
    ],
)
def test_a_rollout_under_policy_local(
    listed: str, text: str, facts: dict[str, str], numbers: dict[str, object] | None
) -> None:
    found = answer("rollout", listed, ON + text, "Local", 3, **facts)
    assert (None if found is None else found.numbers) == numbers
    if found is not None and "pre_stop" in found.numbers:
        assert (
            f"pods must go on serving for {found.numbers['pre_stop']} s (preStop) to lose no connection" in found.text
        )
        assert found.mechanism.endswith("(Kubernetes 1.26 and newer)")


@pytest.mark.parametrize(("release", "good"), [("4.0.1", False), ("4.0.2", True), ("5.0.0", False), ("7.0.0", True)])
def test_ipv6_members_that_older_releases_of_ovn_do_not_check(release: str, good: bool) -> None:
    cloud = CloudState(facts=ClusterFacts(ovn_octavia_release=release))
    found = prediction_of("TCP/80", ON + OVN + INTERNAL, cloud=cloud, ipFamilies=["IPv6"]).answer("dead-node")
    assert found is not None
    assert found.good is good
    assert ("does not act on IPv6 members" in found.text) is not good
