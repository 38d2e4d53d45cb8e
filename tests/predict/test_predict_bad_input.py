"""Services that Kubernetes would refuse, template marks, extremes and contradictions: clear words, never a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from predict_cases import Json, manifest, options, prediction_of, service

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Severity
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.fields import Opaque
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome

MONITOR = "create-monitor=true\n"


def _changed(path: str, value: object) -> Json:
    body = manifest()
    at: Any = body
    *parents, last = path.split(".")
    for part in parents:
        at = at[int(part)] if part.isdigit() else at[part]
    at[int(last) if last.isdigit() else last] = value
    return body


@pytest.mark.parametrize(
    ("path", "value", "at", "text", "advice"),
    [
        (
            "spec.ports.0.port",
            "80",
            ("spec", "ports", 0, "port"),
            "the string `80`, not an integer",
            "without quotes",
        ),
        ("spec.ports.0.port", 80.5, ("spec", "ports", 0, "port"), "the number 80.5, not an integer", ""),
        ("spec.ports.0.port", True, ("spec", "ports", 0, "port"), "the boolean true, not an integer", ""),
        ("spec.ports.0.port", 70000, ("spec", "ports", 0, "port"), "70000 is not between 1 and 65535", ""),
        ("spec.ports.0.port", 0, ("spec", "ports", 0, "port"), "0 is not between 1 and 65535", ""),
        ("spec.ports.0.port", None, ("spec", "ports", 0), "a port needs a number", "Write `port: 80`."),
        (
            "spec.ports.0.protocol",
            "tcp",
            ("spec", "ports", 0, "protocol"),
            "`tcp` is not one of TCP, UDP, SCTP",
            "`TCP`",
        ),
        ("spec.ports.0.protocol", "ICMP", ("spec", "ports", 0, "protocol"), "not one of TCP, UDP, SCTP", ""),
        ("spec.ports.0.nodePort", 99999, ("spec", "ports", 0, "nodePort"), "99999 is not between 0 and 65535", ""),
        ("spec.ports.0", "80", ("spec", "ports", 0), "a port is the string `80`, not a mapping", ""),
        ("spec.ports", [], ("spec", "ports"), "needs at least one port", ""),
        ("spec.ports", {}, ("spec", "ports"), "ports are a mapping, not a list", ""),
        ("spec.ports", 80, ("spec", "ports"), "ports are the number 80, not a list", ""),
        ("spec.type", "Loadbalancer", ("spec", "type"), "`Loadbalancer` is not one of", "Write `LoadBalancer`."),
        ("spec.type", 1, ("spec", "type"), "type is the number 1, not a string", ""),
        ("spec.externalTrafficPolicy", "local", ("spec", "externalTrafficPolicy"), "`local` is not one of", "`Local`"),
        (
            "spec.healthCheckNodePort",
            31000,
            ("spec", "healthCheckNodePort"),
            "goes with externalTrafficPolicy Local",
            "out",
        ),
        ("spec.loadBalancerSourceRanges", "10.0.0.0/8", ("spec", "loadBalancerSourceRanges"), "not a list", ""),
        (
            "spec.loadBalancerSourceRanges",
            ["10.0.0.1"],
            ("spec", "loadBalancerSourceRanges", 0),
            "is not a CIDR",
            "/24",
        ),
        (
            "spec.loadBalancerSourceRanges",
            [7],
            ("spec", "loadBalancerSourceRanges", 0),
            "the number 7, not a string",
            "",
        ),
        ("spec.loadBalancerIP", 1.5, ("spec", "loadBalancerIP"), "the number 1.5, not a string", '"1.5"'),
        ("spec.ipFamilies", "IPv4", ("spec", "ipFamilies"), "not a list", ""),
        ("spec.ipFamilies", ["v4"], ("spec", "ipFamilies", 0), "`v4` is not one of IPv4, IPv6", ""),
        ("spec.sessionAffinity", "clientip", ("spec", "sessionAffinity"), "`clientip` is not one of", "`ClientIP`"),
        ("spec", [], ("spec",), "spec is a list, not a mapping", ""),
        ("spec", None, (), "a Service needs a spec with ports", ""),
        ("metadata", "web", ("metadata",), "metadata is the string `web`, not a mapping", ""),
        ("metadata.name", "", ("metadata",), "a Service needs a name", ""),
        ("metadata.name", {"x": "y"}, ("metadata", "name"), "name is a mapping, not a string", ""),
        ("metadata.name", "Web_1", ("metadata", "name"), "`Web_1` is not a DNS label", ""),
        ("metadata.name", "a" * 64, ("metadata", "name"), "is not a DNS label of at most 63 characters", ""),
        ("metadata.namespace", "a b", ("metadata", "namespace"), "`a b` is not a valid namespace", ""),
        ("metadata.annotations", ["a"], ("metadata", "annotations"), "annotations are a list, not a mapping", ""),
    ],
)
def test_what_kubernetes_refuses_is_reported_with_its_place(
    path: str, value: object, at: tuple[str | int, ...], text: str, advice: str
) -> None:
    found = predict(options(), read_service(_changed(path, value)), CloudState())
    assert found.outcome is Outcome.NOTHING
    assert found.requests == ()
    assert "Kubernetes refuses" in found.why
    fault = next(one for one in found.findings if one.path == at)
    assert fault.severity is Severity.ERROR
    assert text in fault.text
    assert advice in fault.help


@pytest.mark.parametrize(
    ("name", "value", "quoted"),
    [
        ("enable-health-monitor", True, 'enable-health-monitor: "true"'),
        ("health-monitor-delay", 10, 'health-monitor-delay: "10"'),
        ("connection-limit", 1.5, 'connection-limit: "1.5"'),
        ("proxy-protocol", ["v1"], "proxy-protocol: "),
    ],
)
def test_an_annotation_that_is_no_text_is_reported_how_to_quote(name: str, value: object, quoted: str) -> None:
    key = f"loadbalancer.openstack.org/{name}"
    body = manifest()
    body["metadata"]["annotations"] = {key: value}
    found = predict(options(), read_service(body), CloudState())
    (fault,) = found.findings
    assert fault.path == ("metadata", "annotations", key)
    assert "only strings are valid" in fault.text
    assert quoted in fault.help
    assert found.outcome is Outcome.NOTHING


@pytest.mark.parametrize("data", [None, [], "x", 7, {}, {"kind": "Service"}, {"spec": {}, "metadata": {}}])
def test_anything_at_all_is_a_service_with_faults(data: object) -> None:
    found = predict(options(), read_service(data), CloudState())
    assert found.outcome is Outcome.NOTHING
    assert found.findings


def test_ports_that_exclude_each_other() -> None:
    body = manifest("TCP/80 TCP/80 UDP/80")
    body["spec"]["ports"][2]["name"] = "p1"
    faults = [fault for fault in read_service(body).faults if fault.about != "old"]
    assert [(fault.path, fault.text) for fault in faults] == [
        (("spec", "ports", 1), "port 80/TCP is listed twice"),
        (("spec", "ports", 2, "name"), "two ports are named `p1`"),
    ]


def test_of_several_ports_each_needs_a_name() -> None:
    body = manifest("TCP/80 TCP/81")
    del body["spec"]["ports"][0]["name"]
    (fault,) = read_service(body).faults
    assert fault.path == ("spec", "ports", 0)
    assert "needs a name" in fault.text


@pytest.mark.parametrize("name", [80, 0, False, [], {}])
def test_a_name_that_is_no_text_is_not_missing_too(name: object) -> None:
    body = manifest("TCP/80 TCP/81")
    body["spec"]["ports"][0]["name"] = name
    body["metadata"]["name"] = name
    assert [fault.path for fault in read_service(body).faults] == [("metadata", "name"), ("spec", "ports", 0, "name")]


def test_template_marks_are_open_and_do_not_stop_the_rest() -> None:
    mark = Opaque("{{ .Values.x }}")
    body = manifest(annotations={"proxy-protocol": mark, "connection-limit": "5"})
    body["metadata"]["name"] = mark
    body["spec"]["externalTrafficPolicy"] = mark
    body["spec"]["ports"][0]["nodePort"] = mark
    found = predict(options(), read_service(body), CloudState())
    assert found.outcome is Outcome.ACCEPTED
    assert [one for one in found.assumed if "filled in later" in one] == [
        "metadata.name is filled in later; it is left out",
        "spec.externalTrafficPolicy is filled in later; it is left out",
        "spec.ports[0].nodePort is filled in later; it is left out",
        "loadbalancer.openstack.org/proxy-protocol is filled in later; it is left out",
    ]
    assert found.name == "kube_service_kubernetes_shop_{{ .Values.x }}"


@pytest.mark.parametrize(
    ("path", "hidden"),
    [("spec", "spec"), ("spec.ports", "spec.ports"), ("spec.ports.0", "spec.ports[0]"), ("metadata", "metadata")],
)
def test_a_part_that_is_filled_in_later_makes_no_error_of_the_ccm(path: str, hidden: str) -> None:
    body = _changed(path, Opaque("{{ .Values.x }}"))
    body.setdefault("spec", {})
    found = predict(options(), read_service(body)._replace(type="LoadBalancer"), CloudState())
    assert (found.outcome, found.findings, found.events) == (Outcome.UNKNOWN, (), ())
    assert found.why == f"{hidden} is filled in later: render the template first"


def test_a_node_port_that_is_filled_in_later_is_one() -> None:
    body = _changed("spec.ports.0.nodePort", Opaque("{{ .Values.x }}"))
    assert read_service(body).ports[0].node_port == 30000


def test_thousands_of_ports_are_reported_in_few_lines() -> None:
    listed = " ".join(f"TCP/{port}" for port in range(1, 3001))
    found = predict(options(MONITOR), service(listed), CloudState(facts=ClusterFacts(nodes=5)))
    assert found.outcome is Outcome.ACCEPTED
    assert len(found.plans) == 3000
    answer = found.answer("security-group")
    assert answer is not None
    assert len(answer.text) < 300


@pytest.mark.parametrize(
    ("annotations", "text", "error"),
    [
        ({"proxy-protocol": "true", "x-forwarded-for": "true"}, "", "cannot be used together"),
        ({"class": "gold"}, "", 'invalid loadbalancer class "gold"'),
        ({"default-tls-container-ref": "x"}, "", "invalid tlsContainerRef for service shop/web"),
        ({"default-tls-container-ref": "a/b/c"}, "", "tlsContainerRef type b unknown"),
        ({}, "floating-subnet=~(\n", "error parsing regexp: missing closing ): `(`"),
    ],
)
def test_contradictions_end_in_the_ccms_own_words(annotations: Json, text: str, error: str) -> None:
    found = prediction_of(text=text, annotations=annotations, cloud=CloudState(floating_subnets=()))
    assert found.outcome is Outcome.ERROR
    assert error in found.error
    event = found.events[-1]
    assert (event.reason, event.by_ccm) == ("SyncLoadBalancerFailed", False)
    assert error in event.message


@pytest.mark.parametrize(
    ("annotations", "text", "what"),
    [
        ({"nonsense": "1"}, "", "nonsense"),
        ({"connection-limit": "many"}, "", "connection-limit"),
        ({"enable-health-monitor": "yes"}, "", "enable-health-monitor"),
        ({"health-monitor-delay": "10"}, "", "health-monitor-delay"),
        ({"port-id": "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69", "network-id": "x"}, "", "network-id"),
        (
            {"floating-network-id": "x", "class": "a"},
            '[LoadBalancerClass "a"]\nfloating-network-id=y\n',
            "floating-network-id",
        ),
        ({"timeout-client-data": "1"}, "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n", "timeout-client-data"),
    ],
)
def test_what_has_no_effect_is_reported_with_its_reason(annotations: Json, text: str, what: str) -> None:
    found = prediction_of(text=text, annotations=annotations)
    (ignored,) = [one for one in found.ignored if one.what == f"loadbalancer.openstack.org/{what}"]
    assert ignored.why


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"type": "ClusterIP"}, "a Service of type ClusterIP gets no load balancer"),
        ({"loadBalancerClass": "example.com/x"}, "spec.loadBalancerClass is example.com/x"),
    ],
)
def test_services_of_others_are_left_alone(spec: Json, why: str) -> None:
    found = prediction_of(**spec)
    assert found.outcome is Outcome.NOTHING
    assert why in found.why
    assert found.findings == ()


@pytest.mark.parametrize(
    ("text", "outcome", "why"),
    [
        ("[LoadBalancer\n", Outcome.NOTHING, "the CCM does not start"),
        ("[LoadBalancer]\nmonitor-delay=5\n", Outcome.NOTHING, "the CCM does not start"),
        ("[LoadBalancer]\nenabled=false\n", Outcome.NOTHING, ""),
        ("[LoadBalancer]\nuse-octavia=false\n", Outcome.UNKNOWN, "Neutron LBaaS"),
        ("", Outcome.ACCEPTED, ""),
    ],
)
def test_configurations_that_make_nothing(text: str, outcome: Outcome, why: str) -> None:
    release = "1.25" if "use-octavia" in text else "1.36"
    found = predict(read_options(text, release), service(), CloudState())
    assert found.outcome is outcome
    assert why in found.why
    # a CCM that ends is an error of its own: a pipeline must not go green on it
    assert bool(found.findings) == ("does not start" in why)


def test_a_secret_in_a_configuration_that_ends_the_ccm_is_not_shown() -> None:
    found = predict(read_options('[Global]\npassword = "S3cr3tV4lue\n', "1.36"), service(), CloudState())
    assert found.outcome is Outcome.NOTHING
    assert "S3cr3tV4lue" not in repr(found)


def test_no_nodes_is_not_the_same_as_unknown_nodes() -> None:
    assert (
        prediction_of(cloud=CloudState(nodes=())).error
        == "there are no available nodes for LoadBalancer service shop/web"
    )
    found = predict(options(), service(), CloudState())
    assert found.outcome is Outcome.ACCEPTED
    assert found.nodes is None


def test_ports_without_node_ports_have_no_members() -> None:
    body = manifest()
    del body["spec"]["ports"][0]["nodePort"]
    body["spec"]["allocateLoadBalancerNodePorts"] = False
    found = predict(options(MONITOR), read_service(body), CloudState(facts=ClusterFacts(nodes=3)))
    answer = found.answer("traffic-cluster")
    assert answer is not None
    assert answer.good is False
    assert "the ports have no NodePort" in answer.text
