"""What to fix, the first verdict, and the row of the create-monitor matrix, each by what decides it."""

from __future__ import annotations

import pytest
from predict_cases import SUBNET, Json, nodes, options, prediction_of, service
from predict_made import made

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.verdicts.findings import row_for
from ccmcheck.predict.verdicts.matrix_row import Demands, question_of

ON, OVN = "create-monitor=true\n", "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
GROUPS, SERIAL = "manage-security-groups=true\n", "provider-requires-serial-api-calls=true\n"
LOCAL: Json = {"externalTrafficPolicy": "Local"}
SWITCH_ON = 'Write create-monitor = true, or the annotation loadbalancer.openstack.org/enable-health-monitor: "true".'
BEFORE_FIX = (
    "Upgrade the ovn provider: the monitor has no effect on a floating IP; before 1.2.0, 2.1.0, 3.1.0 and 4.0.0 one that "
    "is made with its load balancer never starts at all."
)
LEFT_OUT = "0 is left out of the request, Octavia stores 3, and the CCM updates the monitor at every reconcile"


def found_about(found: Prediction, about: str) -> list[tuple[Severity, str, str]]:
    return [(one.severity, one.text, one.help) for one in found.findings if one.about == about]


def ovn(release: str) -> CloudState:
    return CloudState(nodes=nodes(3), facts=ClusterFacts(ovn_octavia_release=release))


def test_a_refusal_is_an_error_about_its_field() -> None:
    found = prediction_of(annotations={"connection-limit": "-7"})
    assert found.outcome is Outcome.REFUSED
    assert found_about(found, "listeners[0].connection_limit") == [
        (Severity.ERROR, "Octavia refuses it with 400: -7 is below -1", "")
    ]
    fails = prediction_of(text=f"{ON}monitor-delay=0s\n")
    assert found_about(fails, "listeners[0].default_pool.healthmonitor.delay") == [
        (Severity.ERROR, "the load balancer ends in ERROR: a delay of 0 makes HAProxy refuse its configuration", "")
    ]
    size = CloudState(nodes=nodes(20), facts=ClusterFacts(octavia_release="2024.1"))
    large = prediction_of(" ".join(f"TCP/{port}" for port in range(1000, 1050)), ON, cloud=size)
    ((severity, text, _),) = found_about(large, "the request")
    assert severity is Severity.ERROR
    assert text.startswith("Octavia refuses it with 413: ")


def test_an_error_of_the_ccm_is_an_error() -> None:
    cloud = CloudState(nodes=(Node("four", (("InternalIP", "10.0.0.1"),), provider_id=""),))
    found = prediction_of(text=GROUPS, cloud=cloud)
    assert found.outcome is Outcome.ERROR
    assert found_about(found, "Service") == [(Severity.ERROR, f"the CCM ends with: {found.error}", "")]
    accepted = found.answer("accepted")
    assert accepted is not None
    assert (accepted.good, accepted.text) == (None, found.error)


def test_an_ovn_provider_that_builds_no_parts_is_the_only_finding_about_traffic() -> None:
    found = prediction_of(text=OVN, cloud=ovn("1.1.0"), **LOCAL)
    ((severity, text, advice),) = found_about(found, "lb-provider")
    assert severity is Severity.ERROR
    assert "stay PENDING_CREATE" in text
    assert advice == (
        "Upgrade ovn-octavia-provider to 1.0.1, 1.2.0, or 2.0.0, or set provider-requires-serial-api-calls = true."
    )
    assert found_about(found, "externalTrafficPolicy") == []
    there = made(prediction_of(text=OVN))
    again = prediction_of(text=OVN, cloud=ovn("1.1.0")._replace(balancer=there))
    assert found_about(again, "lb-provider") == []
    assert found_about(prediction_of(text=OVN, cloud=ovn("1.1.0"), release="1.20"), "lb-provider") == []


@pytest.mark.parametrize(
    ("listed", "text", "cloud", "advice"),
    [
        ("TCP/80", "", CloudState(nodes=nodes(3)), [SWITCH_ON]),
        ("TCP/80", OVN, CloudState(nodes=nodes(3)), [SWITCH_ON]),
        ("TCP/80", OVN, ovn("3.1.1"), [BEFORE_FIX]),
        ("TCP/80", f"{OVN}internal-lb=true\n", ovn("3.1.1"), [SWITCH_ON]),
        ("TCP/80", f"{OVN}internal-lb=true\n", ovn("3.0.0"), [BEFORE_FIX]),
        ("SCTP/9", OVN, CloudState(nodes=nodes(3)), [""]),
        ("TCP/80", SERIAL, CloudState(nodes=nodes(3)), [""]),
        ("TCP/80", OVN + ON, ovn("3.1.1"), [""]),
        ("TCP/80", ON, CloudState(nodes=nodes(3)), []),
        ("TCP/80", "", CloudState(nodes=nodes(3), facts=ClusterFacts(monitor_quota=0)), [""]),
    ],
)
def test_what_helps_local_services(listed: str, text: str, cloud: CloudState, advice: list[str]) -> None:
    """As the matrix says; nothing where monitors would be refused, do no good, or are there already."""
    found = prediction_of(listed, text, cloud=cloud, **LOCAL)
    findings = found_about(found, "externalTrafficPolicy")
    assert [one[2] for one in findings] == advice
    for severity, why, _ in findings:
        local = found.answer("traffic-local")
        assert local is not None
        assert (severity, why) == (Severity.WARNING, local.text)
    assert found_about(prediction_of(listed, text, cloud=cloud), "externalTrafficPolicy") == []


def test_groups_and_proxy_that_shut_clients_out_are_warnings() -> None:
    away = Node("away", (("InternalIP", "10.9.0.1"),))
    known = CloudState(nodes=(*nodes(1), away), subnets={SUBNET: "10.0.0.0/24"})
    ((severity, text, _),) = found_about(prediction_of(text=GROUPS, cloud=known), "manage-security-groups")
    assert severity is Severity.WARNING
    assert text.startswith("the managed group is not put on away")
    assert found_about(prediction_of(text=GROUPS), "manage-security-groups") == []
    proxied: Json = {"proxy-protocol": "v2"}
    old = CloudState(facts=ClusterFacts(kubernetes_version="1.29"))
    ((severity, text, _),) = found_about(prediction_of(annotations=proxied, cloud=old), "proxy-protocol")
    assert severity is Severity.WARNING
    assert text.startswith("pods that use the Service's address miss the PROXY header")
    new = CloudState(facts=ClusterFacts(kubernetes_version="1.30"))
    assert found_about(prediction_of(annotations=proxied, cloud=new), "proxy-protocol") == []


def test_source_ip_port_is_told_where_the_amphora_takes_it() -> None:
    """In a call of its own it is refused; ovn does it."""
    asked = "lb-method=SOURCE_IP_PORT\n"
    assert found_about(prediction_of(text=asked), "lb-method") == [
        (
            Severity.WARNING,
            "amphora takes SOURCE_IP_PORT inside one request, and runs plain round robin",
            "Write SOURCE_IP or ROUND_ROBIN.",
        )
    ]
    for other in ("lb-method=SOURCE_IP\n", asked + SERIAL, OVN, f"lb-provider=vlan\n{asked}"):
        assert found_about(prediction_of(text=other), "lb-method") == []


@pytest.mark.parametrize(
    ("text", "told"), [(f"{ON}{{}}=0\n", True), ("{}=0\n", False), (f"{ON}{{}}=1\n", False), (ON, False)]
)
def test_failures_of_zero_are_stored_as_three(text: str, *, told: bool) -> None:
    found = prediction_of(text=text.format("monitor-max-retries-down"))
    assert found_about(found, "monitor-max-retries-down") == (
        [(Severity.WARNING, LEFT_OUT, "Delete it.")] if told else []
    )


def test_what_has_no_effect_is_a_warning_each() -> None:
    found = prediction_of(annotations={"no-such-thing": "1"})
    assert [one.what for one in found.ignored] == ["loadbalancer.openstack.org/no-such-thing"]
    ((severity, text, _),) = found_about(found, "loadbalancer.openstack.org/no-such-thing")
    assert (severity, text) == (Severity.WARNING, f"has no effect: {found.ignored[0].why}")


def test_a_prediction_for_ports_with_monitors_added_names_its_requests() -> None:
    def added(count: int) -> str:
        listed = " ".join(f"TCP/{80 + port}" for port in range(count))
        cloud = CloudState(nodes=nodes(3), balancer=made(prediction_of(listed, "internal-lb=true\n")))
        found = prediction_of(listed, f"{ON}internal-lb=true\n", cloud=cloud)
        assert len(found.requests) == count
        accepted = found.answer("accepted")
        assert accepted is not None
        assert accepted.good is True
        return accepted.text

    assert [added(count) for count in (1, 2, 3, 4)] == [
        "Octavia takes the request",
        "Octavia takes the request",
        "Octavia takes the requests",
        "Octavia takes the requests",
    ]


@pytest.mark.parametrize(("name", "good"), [("amphora", True), ("vmwareedge", None), ("acme", None)])
def test_what_a_driver_takes_that_nobody_has_read_is_not_known(name: str, *, good: bool | None) -> None:
    found = prediction_of(text=f"lb-provider={name}\n").answer("accepted")
    assert found is not None
    assert found.good is good


WHOLE = "one refused field refuses the whole load balancer; the CCM tries again and again"
GROUP = "the load balancer is there, and the Service's status stays without its address; the CCM tries again and again"


@pytest.mark.parametrize(
    ("text", "annotations", "spec", "release", "words", "mechanism", "numbers"),
    [
        ("", {"connection-limit": "-7"}, {}, "1.36",
         "Octavia refuses it with 400: connection_limit: -7 is below -1", WHOLE, {"status": 400, "field": "listeners[0].connection_limit"}),
        (f"{ON}monitor-delay=-2s\n", {"connection-limit": "-7"}, {}, "1.36",
         "Octavia refuses it with 400: delay: -2 is below 0, and 1 more", WHOLE,
         {"status": 400, "field": "listeners[0].default_pool.healthmonitor.delay"}),
        (GROUPS + OVN, {}, {"loadBalancerSourceRanges": ["2001:db8::/64"]}, "1.36",
         "Octavia takes its requests; Neutron refuses with 400: the member subnet is IPv4, and a rule for it takes no 2001:db8::/64", GROUP,
         {"status": 400, "field": "security_group_rule.remote_ip_prefix"}),
        (f"{ON}monitor-timeout=2147484s\n", {}, {}, "1.36",
         ("Octavia takes it, and the load balancer ends in ERROR: "
         "timeout: 2147484 s makes HAProxy refuse its configuration"),
         "the CCM deletes it and starts over", {"field": "listeners[0].default_pool.healthmonitor.timeout"}),
        (f"{ON}monitor-timeout=2147484s\n", {}, {}, "1.27",
         ("Octavia takes it, and the load balancer ends in ERROR: "
         "timeout: 2147484 s makes HAProxy refuse its configuration"),
         "it stays in ERROR", {"field": "listeners[0].default_pool.healthmonitor.timeout"}),
    ],
)  # fmt: skip
def test_the_first_verdict_on_what_is_not_taken(
    text: str, annotations: Json, spec: Json, release: str, words: str, mechanism: str, numbers: Json
) -> None:
    cloud = CloudState(nodes=nodes(3), subnets={SUBNET: "10.0.0.0/24"})
    found = prediction_of(text=text, annotations=annotations, release=release, cloud=cloud, **spec)
    accepted = found.answers[0]
    assert (accepted.name, accepted.good) == ("accepted", False)
    assert (accepted.text, accepted.mechanism, accepted.numbers) == (words, mechanism, numbers)


@pytest.mark.parametrize(
    ("annotations", "spec", "text", "traffic"),
    [
        ({"floating-network-id": "office"}, {}, "", "the load balancer is there without a floating IP"),
        ({}, {"loadBalancerIP": "office"}, "", "the load balancer is there without a floating IP"),
        ({}, {"loadBalancerSourceRanges": ["2001:db8::/64"]}, GROUPS + OVN,
         "the load balancer is there without its security group's rules"),
        ({"connection-limit": "-7"}, {}, "", "there is no load balancer"),
    ],
)  # fmt: skip
def test_what_neutron_refuses_leaves_the_load_balancer_there(
    annotations: Json, spec: Json, text: str, traffic: str
) -> None:
    cloud = CloudState(nodes=nodes(3), subnets={SUBNET: "10.0.0.0/24"})
    found = prediction_of(text=text, annotations=annotations, cloud=cloud, **spec)
    said = found.answer("traffic-cluster")
    assert said is not None
    assert said.text.startswith(traffic)
    assert said.good is False


@pytest.mark.parametrize(
    ("text", "facts", "more", "proxied", "floating", "row"),
    [
        ("", {}, {}, False, True, "M13"),
        ("", {}, {}, True, True, "M12"),
        ("lb-provider=\n", {}, {}, False, True, "M13"),
        ("lb-provider=vlan\n", {}, {}, False, True, "M17"),
        ("", {"monitor_quota": 3, "monitors_used": 1}, {}, False, True, "M13"),
        ("", {"monitor_quota": 2, "monitors_used": 1}, {}, False, True, "M18"),
        ("", {"monitor_quota": 2}, {}, False, True, "M13"),
        ("", {"monitor_quota": 0}, {}, False, True, "M18"),
        ("", {"monitor_quota": -1}, {}, False, True, "M13"),
        ("", {}, {"owner": "example.org/lb"}, False, True, "M01"),
        ("enabled=false\n", {}, {}, False, True, "M01"),
        (SERIAL, {}, {}, False, True, "M04"),
        (OVN, {}, {}, False, True, "M08"),
        (OVN, {"ovn_octavia_release": "3.1.1"}, {}, False, True, "M07"),
        (OVN, {"ovn_octavia_release": "3.1.1"}, {}, False, False, "M08"),
        (OVN, {"ovn_octavia_release": "3.0.0"}, {}, False, False, "M07"),
    ],
)  # fmt: skip
def test_the_row_of_the_matrix(text: str, facts: Json, more: Json, proxied: bool, floating: bool, row: str) -> None:
    """For a Local Service with two pools."""
    one = service("TCP/80 TCP/443", **LOCAL)._replace(**more)
    cloud = CloudState(facts=ClusterFacts(**facts))
    found = row_for(options(text), one, cloud, proxied, 2, floating=floating)
    assert found is not None
    assert found.id == row


def test_a_value_that_is_rendered_later_decides_nothing() -> None:
    one = service("UDP/53", **LOCAL)
    config = options(SERIAL)
    late = config._replace(open=("provider-requires-serial-api-calls",))
    found = row_for(late, one, CloudState(facts=ClusterFacts(octavia_release="train")), False, 1)
    assert found is not None
    assert found.id == "M11"
    assert row_for(config._replace(open=("lb-provider",)), one, CloudState(), False, 1) is None


@pytest.mark.parametrize(
    ("client_ip", "proxied", "asked"),
    [(None, False, None), (None, None, None), (None, True, True), (True, False, True), (False, True, False)],
)
def test_whether_pods_need_the_clients_address(
    client_ip: bool | None, proxied: bool | None, asked: bool | None
) -> None:
    """As stated; else the PROXY protocol shows it, and its absence shows nothing."""
    demands = Demands(client_ip=client_ip)
    question = question_of(options(), service(), CloudState(), demands, proxied=proxied, floating=True)
    assert question.client_ip is asked
