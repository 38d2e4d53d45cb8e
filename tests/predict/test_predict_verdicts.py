"""Each verdict over what decides it: tables of OCTAVIA's behaviour, of KEP-1860, and of the two conformance scripts."""

from __future__ import annotations

import pytest
from predict_cases import SUBNET, Json, nodes, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.conformance import conformance
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import HealthCheck, Seconds
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Answer, Prediction

ON = "create-monitor=true\n"
OVN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"


def answer_named(found: Prediction, name: str) -> Answer:
    answer = found.answer(name)
    assert answer is not None, [one.name for one in found.answers]
    return answer


@pytest.mark.parametrize(
    ("pool", "kind", "refused", "silent", "back"),
    [
        # d=5 t=3 r=1 f=3
        ("TCP", "TCP", Seconds(10, 15), Seconds(25, 30), Seconds(0, 5)),
        ("HTTP", "HTTP", Seconds(10, 15), Seconds(25, 30), Seconds(0, 5)),
        ("PROXY", "TCP", Seconds(10, 15), Seconds(25, 30), Seconds(0, 5)),
        ("UDP", "UDP-CONNECT", Seconds(15, 20), None, Seconds(0, 5)),
        ("UDP", "HTTP", Seconds(15, 20), Seconds(27, 32), Seconds(0, 5)),
        ("SCTP", "SCTP", Seconds(15, 20), Seconds(27, 32), Seconds(0, 5)),
    ],
)
def test_amphora_at_the_default_timers(
    pool: str, kind: str, refused: Seconds, silent: Seconds | None, back: Seconds
) -> None:
    found = driver_of("amphora").times(HealthCheck(pool, kind, 5, 3, 1, 3))
    assert (found.refused, found.silent, found.back) == (refused, silent, back)
    assert found.evidence


@pytest.mark.parametrize(
    ("timers", "silent"),
    [
        # w = min(d, 5 s); (f-1)(d+w)+w .. +d
        ((5, 10, 1, 3), Seconds(25, 30)),
        ((2, 1, 3, 3), Seconds(10, 12)),
        ((10, 3, 2, 2), Seconds(20, 30)),
        ((30, 3, 1, 3), Seconds(75, 105)),
        ((5, 3, 1, 1), Seconds(5, 10)),
    ],
)
def test_a_silent_host_on_haproxy_whatever_the_timeout(timers: tuple[int, int, int, int], silent: Seconds) -> None:
    assert driver_of("amphora").times(HealthCheck("TCP", "TCP", *timers)).silent == silent


def test_the_connect_timeout_of_the_listener_is_the_other_lever() -> None:
    found = prediction_of(text=ON, annotations={"timeout-member-connect": "1000"})
    assert "13–18 s (silent)" in answer_named(found, "dead-node").text


@pytest.mark.parametrize(
    ("kind", "refused", "silent"),
    [("TCP", Seconds(10, 15), Seconds(19, 24)), ("UDP-CONNECT", Seconds(10, 18), None)],
)
def test_ovn_at_the_default_timers(kind: str, refused: Seconds, silent: Seconds | None) -> None:
    found = driver_of("ovn").times(HealthCheck(kind[:3], kind, 5, 3, 1, 3))
    assert (found.refused, found.silent) == (refused, silent)


def test_keepalived_takes_a_minute_for_a_delay_of_zero() -> None:
    assert driver_of("amphora").times(HealthCheck("UDP", "UDP-CONNECT", 0, 3, 1, 3)).refused == Seconds(180, 240)


@pytest.mark.parametrize(
    ("provider", "topology", "count", "listed", "node", "amphora", "total"),
    [
        # A·N·M/d in all, A·M/d a node
        ("", "ACTIVE_STANDBY", 100, "TCP/80 TCP/81 TCP/82", 1.2, 60.0, 120.0),
        ("", "SINGLE", 100, "TCP/80 TCP/81 TCP/82", 0.6, 60.0, 60.0),
        ("", "SINGLE", 1, "TCP/80", 0.2, 0.2, 0.2),
        ("", "ACTIVE_STANDBY", 12, "TCP/80 TCP/443", 0.8, 4.8, 9.6),
        (OVN, "ACTIVE_STANDBY", 10, "TCP/80", 0.2, None, 2.0),
        (OVN, "", 10, "UDP/53", 0.125, None, 1.25),
    ],
)
def test_probes_a_second(
    provider: str, topology: str, count: int, listed: str, node: float, amphora: float | None, total: float
) -> None:
    found = prediction_of(
        listed, ON + provider, cloud=CloudState(facts=ClusterFacts(topology=topology), nodes=nodes(count))
    )
    numbers = answer_named(found, "probes").numbers
    assert (numbers["per_node"], numbers.get("per_amphora"), numbers["total"]) == (node, amphora, total)


def test_probes_where_the_topology_is_not_known_are_reported_for_both() -> None:
    text = answer_named(prediction_of(text=ON, count=10), "probes").text
    assert text == "2 probes/s (single) or 4 (active-standby), 0.2 or 0.4 per node"


@pytest.mark.parametrize(
    ("count", "pods", "share", "words"),
    [
        (
            12,
            3,
            0.75,
            "at least 9 of 12 nodes have no pod of this Service (3 replicas given): 29 % of first connections",
        ),
        (3, 1, 0.6667, "2 of 3 nodes have no pod of this Service (1 replica given): 8 % of first connections"),
    ],
)
def test_the_share_of_connections_to_nodes_without_a_pod(count: int, pods: int, share: float, words: str) -> None:
    answer = answer_named(_local("", count, pods), "traffic-local")
    assert answer.good is False
    assert answer.numbers["share"] == share
    assert words in answer.text
    assert "are closed after 20 s" in answer.text
    lost = answer_named(_local(OVN, count, pods), "traffic-local")
    assert lost.text.endswith("each is lost")


def _local(text: str, count: int, pods: int) -> Prediction:
    one = service("TCP/80", externalTrafficPolicy="Local")._replace(replicas=pods)
    return predict(options(text), one, CloudState(nodes=nodes(count)))


def test_enough_pods_are_no_trouble_as_long_as_they_stay() -> None:
    assert answer_named(_local("", 2, 2), "traffic-local").good is True
    assert answer_named(_local("", 1, 1), "traffic-local").numbers == {"members": 1, "pods": 1, "without": 0}


def test_monitors_take_nodes_without_a_pod_out_and_serial_calls_perhaps_all_of_them() -> None:
    assert answer_named(_local(ON, 12, 3), "traffic-local").good is True
    broken = answer_named(_local(ON + "provider-requires-serial-api-calls=true\n", 12, 3), "traffic-local")
    assert broken.good is None
    assert broken.text.endswith("all members are down unless the pods answer it with 200")


def test_serial_calls_make_every_verdict_on_moving_pods_depend_on_what_they_serve() -> None:
    found = _local(ON + "provider-requires-serial-api-calls=true\n", 12, 3)
    moved, rollout = answer_named(found, "podless-node"), answer_named(found, "rollout")
    assert moved.good is None
    assert moved.text.startswith(
        "if the pods answer /healthz with 200, a node whose last pod goes is out after 25–30 s"
    )
    assert moved.text.endswith("if not, all members are down")
    assert "cannot see that pods terminate" in rollout.text
    assert "no monitor_port" in rollout.mechanism


@pytest.mark.parametrize(
    ("text", "annotations", "policy", "good", "words"),
    [
        ("", {}, "Cluster", False, "the amphora's, or a node's, address"),
        ("", {}, "Local", False, "the pods see the amphora's address"),
        ("", {"proxy-protocol": "v2"}, "Local", None, "a PROXY v2 header"),
        ("", {"proxy-protocol": "true"}, "Cluster", None, "a PROXY v1 header"),
        ("", {"x-forwarded-for": "true"}, "Cluster", True, "in X-Forwarded-For"),
        (OVN, {}, "Local", True, "the client's address"),
        (OVN, {}, "Cluster", False, "a node's address"),
        ("lb-provider=f5\n", {}, "Local", None, "is up to the provider"),
    ],
)
def test_whose_address_pods_see(text: str, annotations: Json, policy: str, good: bool | None, words: str) -> None:
    answer = answer_named(prediction_of("TCP/80", text, annotations, externalTrafficPolicy=policy), "client-address")
    assert answer.good is good
    assert words in answer.text


@pytest.mark.parametrize(
    ("release", "kubernetes", "text", "annotations", "good", "mode"),
    [
        ("1.36", "1.34", "", {}, True, "VIP"),
        ("1.36", "1.34", "", {"proxy-protocol": "true"}, True, "Proxy"),
        ("1.36", "1.29", "", {"proxy-protocol": "true"}, False, "Proxy"),
        ("1.36", "", "", {"proxy-protocol": "true"}, None, "Proxy"),
        ("1.29", "1.34", "", {"proxy-protocol": "true"}, False, ""),
        ("1.29", "1.29", "", {}, True, ""),
        ("1.36", "1.29", "enable-ingress-hostname=true\n", {"proxy-protocol": "true"}, True, ""),
    ],
)
def test_pods_that_use_the_services_address(
    release: str, kubernetes: str, text: str, annotations: Json, good: bool | None, mode: str
) -> None:
    found = prediction_of(
        "TCP/80",
        text,
        annotations,
        release=release,
        cloud=CloudState(facts=ClusterFacts(kubernetes_version=kubernetes)),
    )
    answer = answer_named(found, "hairpin")
    assert answer.good is good
    assert found.published[0].ip_mode == mode
    assert answer.evidence


@pytest.mark.parametrize(
    ("release", "text", "good", "words"),
    [
        (
            "1.36",
            "",
            None,
            "manage-security-groups is off: other rules must let the member subnet in to 30001/tcp, 31000/tcp",
        ),
        ("1.36", "manage-security-groups=true\n", True, "is let in to 30001/tcp, 31000/tcp"),
        ("1.25", "manage-security-groups=true\n", False, "does not open 31000/tcp"),
        ("1.21", "manage-security-groups=true\n", None, "manage-security-groups does nothing in"),
        ("1.36", OVN, None, "clients must be let in to 30001/tcp"),
        ("1.36", OVN + "manage-security-groups=true\n", True, "clients from 0.0.0.0/0 are let in to 30001/tcp"),
        ("1.29", OVN + "manage-security-groups=true\n", False, "until the next change of nodes removes the rules"),
        ("1.27", OVN + "manage-security-groups=true\n", False, "the packets come from the clients' addresses"),
    ],
)
def test_whether_probes_and_clients_get_in(release: str, text: str, good: bool | None, words: str) -> None:
    monitors = "" if OVN in text else ON
    found = prediction_of("TCP/80", monitors + text, release=release, externalTrafficPolicy="Local")
    answer = answer_named(found, "security-group")
    assert answer.good is good
    assert words in answer.text


EVERY = {
    "Cluster": ("accepted", "traffic-cluster", "traffic-local", "client-address", "dead-node", "rollout", "probes", "quota",
                "security-group", "hairpin"),
    "Local": ("accepted", "traffic-local", "traffic-cluster", "client-address", "dead-node", "podless-node", "rollout", "probes",
              "quota", "security-group", "hairpin"),
}  # fmt: skip


@pytest.mark.parametrize("policy", EVERY)
@pytest.mark.parametrize("provider", ["", OVN])
def test_every_verdict_is_there_and_says_where_it_is_known_from(policy: str, provider: str) -> None:
    found = prediction_of(
        "TCP/80",
        ON + provider,
        externalTrafficPolicy=policy,
        cloud=CloudState(facts=ClusterFacts(topology="SINGLE"), nodes=nodes(3)),
    )
    assert tuple(one.name for one in found.answers) == EVERY[policy]
    assert [one.name for one in found.answers if not one.text] == []
    grounded = [one for one in found.answers if one.name != "traffic-local" or policy == "Local"]
    assert [one.name for one in grounded if not (one.evidence or one.numbers)] == []


DEFAULT, SPECIAL = "default", "special"


@pytest.mark.parametrize(
    ("text", "count", "default", "special"),
    [
        ("", 3, True, False),
        (ON, 3, True, True),
        ("", 1, True, True),
        (OVN, 3, True, False),
        (OVN + ON, 3, True, True),
        ("lb-provider=ovn\nlb-method=ROUND_ROBIN\n", 3, False, False),
        (ON + "monitor-delay=500ms\n", 3, False, False),
        (ON + "provider-requires-serial-api-calls=true\n", 3, True, None),
        ("enabled=false\n", 3, False, False),
        ("monitor-delay=5\n", 3, False, False),
    ],
)
def test_the_conformance_scripts(text: str, count: int, *, default: bool, special: bool | None) -> None:
    first, second = conformance(options(text), CloudState(nodes=nodes(count)))
    assert (first.name, first.policy, first.passes) == (DEFAULT, "Cluster", default)
    assert (second.name, second.policy, second.passes) == (SPECIAL, "Local", special)
    assert first.why
    assert second.why


@pytest.mark.parametrize(("release", "passes"), [("1.26.0", False), ("1.28.1", True), ("1.31.2", True)])
def test_the_scripts_change_no_nodes(release: str, *, passes: bool) -> None:
    """1.28.1 removes the rules of OVN's clients when nodes change, 1.26 never lets them in."""
    config = options(OVN + ON + "manage-security-groups=true\n", release)
    assert [one.passes for one in conformance(config, CloudState(nodes=nodes(3)))] == [passes, passes]


def test_the_special_script_meets_nodes_that_are_still_in() -> None:
    _, special = conformance(options(ON), CloudState(nodes=nodes(3)))
    assert special.text == "passes once the checks have taken the nodes without the pod out"
    assert special.why.startswith("a new member falls at its first failed check, within 5 s")


@pytest.mark.parametrize(
    ("release", "works"),
    [
        ("1.0.0", False),
        ("1.0.1", True),
        ("1.1.0", False),
        ("1.1.1", False),
        ("1.2.0", True),
        ("2.0.0", True),
        ("", True),
    ],
)
def test_an_ovn_provider_that_makes_the_load_balancer_alone(*, release: str, works: bool) -> None:
    cloud = CloudState(facts=ClusterFacts(ovn_octavia_release=release), nodes=nodes(3))
    prediction = predict(options(OVN), service("TCP/80"), cloud)
    assert (answer_named(prediction, "traffic-cluster").good is False) is not works
    assert any("PENDING_CREATE" in finding.text for finding in prediction.findings) is not works
    one_by_one = predict(options(f"{OVN}provider-requires-serial-api-calls=true\n"), service("TCP/80"), cloud)
    assert answer_named(one_by_one, "traffic-cluster").good is not False


def test_the_octavia_release_implies_the_ovn_providers() -> None:
    implied = CloudState(facts=ClusterFacts(octavia_release="wallaby"), nodes=nodes(3))
    prediction = predict(
        options(OVN + ON), service("TCP/80", externalTrafficPolicy="Local")._replace(replicas=1), implied
    )
    assert "checks nothing" in answer_named(prediction, "traffic-local").text


@pytest.mark.parametrize(
    ("release", "policy", "stays"),
    [
        ("v1.24.0", "Local", False), ("v1.25.0", "Local", True), ("v1.25.2", "Local", True), ("v1.25.3", "Local", False),
        ("1.26", "Local", True), ("1.26", "Cluster", False), ("1.27", "Cluster", True), ("1.36", "Local", True),
    ],
)  # fmt: skip
def test_where_nodes_that_are_not_ready_stay(*, release: str, policy: str, stays: bool) -> None:
    found = answer_named(prediction_of(release=release, externalTrafficPolicy=policy), "dead-node")
    assert (found.good is False) is stays


@pytest.mark.parametrize(
    ("conf", "spec", "words", "good"),
    [
        (ON, {"externalTrafficPolicy": "Local"}, "go on serving for 15 s (preStop)", None),
        (
            ON + OVN,
            {"externalTrafficPolicy": "Local"},
            "cannot see that pods terminate: connections are lost for",
            False,
        ),
        (ON, {}, "proves that a node forwards, not that its pods serve", None),
    ],
)
def test_what_a_check_sees_of_a_rollout(conf: str, spec: Json, words: str, good: bool | None) -> None:
    found = answer_named(prediction_of(text=conf, **spec), "rollout")
    assert words in found.text
    assert found.good is good


def test_nothing_of_rollouts_without_a_check() -> None:
    assert prediction_of(externalTrafficPolicy="Local").answer("rollout") is None
    old = CloudState(facts=ClusterFacts(kubernetes_version="1.25"))
    found = answer_named(prediction_of(text=ON, cloud=old, externalTrafficPolicy="Local"), "rollout")
    assert "drops new connections from then on, whatever preStop does" in found.mechanism


def test_pods_of_other_nodes_in_ipvs_mode() -> None:
    def hairpin(version: str) -> Answer:
        cloud = CloudState(facts=ClusterFacts(proxy_mode="ipvs", kubernetes_version=version))
        return answer_named(prediction_of(cloud=cloud, externalTrafficPolicy="Local"), "hairpin")

    assert hairpin("1.23").good is False
    assert "hostNetwork" in hairpin("1.24").text
    replaced = CloudState(facts=ClusterFacts(proxy_mode="none"))
    assert answer_named(prediction_of(cloud=replaced), "hairpin").good is None


def test_a_replacement_of_kube_proxy_may_answer_checks_of_nodeports() -> None:
    def local(provider: str, mode: str) -> Answer:
        cloud = CloudState(nodes=nodes(3), facts=ClusterFacts(proxy_mode=mode))
        text = f"lb-provider={provider}\nlb-method=SOURCE_IP_PORT\ncreate-monitor=true\n"
        return answer_named(prediction_of(text=text, cloud=cloud, externalTrafficPolicy="Local"), "traffic-local")

    assert local("ovn", "none").good is None
    assert local("ovn", "iptables").good is True
    assert local("amphora", "none").good is True, "it asks /healthz"


def test_the_conformance_scripts_where_a_node_gets_no_managed_group() -> None:
    """Its other groups may open the NodePorts: nothing says that they do not."""
    away = Node("away", (("InternalIP", "10.9.0.1"),))
    known = CloudState(nodes=(*nodes(2), away), subnets={SUBNET: "10.0.0.0/24"})
    for script in conformance(options("manage-security-groups=true\ncreate-monitor=true\n"), known):
        assert script.passes is None
        assert script.text == "depends on the other security groups of these nodes"
        assert "is not put on away" in script.why
