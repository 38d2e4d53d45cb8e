"""Single facts that verdicts stand on."""

from __future__ import annotations

from predict_cases import NETWORK, NEWEST, SUBNET, manifest, nodes, options, service

from ccmcheck.predict.forms.connection import drawing
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.manifests import read_node
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.project import Project
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.afterwards import noted_members


def test_a_node_that_is_being_deleted_is_not_handed_to_the_ccm() -> None:
    node = {"kind": "Node", "metadata": {"name": "a", "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    assert read_node(node)[1] == "it is being deleted"
    assert not read_node({"kind": "Node", "metadata": {"name": "a"}})[1]


def test_a_local_service_without_node_ports_still_gets_a_check_port_of_the_range() -> None:
    plain = manifest("TCP/80", externalTrafficPolicy="Local", allocateLoadBalancerNodePorts=False)
    plain["spec"].pop("healthCheckNodePort")
    for port in plain["spec"]["ports"]:
        del port["nodePort"]
    assert read_service(plain).check_port == 30000


def test_no_check_of_v1_23_0_notices_a_dead_node_where_all_members_go_down() -> None:
    cloud = CloudState(nodes=nodes(3))
    prediction = predict(options("create-monitor=true\n", "v1.23.0"), service(externalTrafficPolicy="Local"), cloud)
    for name in ("dead-node", "podless-node"):
        answer = prediction.answer(name)
        assert answer is not None
        assert answer.good is False
        assert "all members go down" in answer.text
    later = predict(options("create-monitor=true\n", "v1.23.1"), service(externalTrafficPolicy="Local"), cloud)
    dead = later.answer("dead-node")
    assert dead is not None
    assert dead.good is True


def test_a_service_for_another_controller_is_predicted_on_an_assumption() -> None:
    metallb = {"metallb.universe.tf/address-pool": "x"}
    said = "its annotations are for MetalLB; it is assumed to be in a cluster with this CCM, which ignores them"
    assert predict(options(""), service(annotations=metallb), CloudState()).assumed[0] == said
    ours = {**metallb, "loadbalancer.openstack.org/keep-floatingip": "true"}
    assert said not in predict(options(""), service(annotations=ours), CloudState()).assumed
    assert said not in predict(options(""), service(annotations=metallb), CloudState(balancers_known=True)).assumed


def test_nothing_is_predicted_of_a_cluster_with_a_ccm_of_its_own() -> None:
    theirs = {"loadbalancer.ovhcloud.com/class": "octavia", "loadbalancer.openstack.org/proxy-protocol": "true"}
    found = predict(options(""), service(annotations=theirs), CloudState())
    assert (found.outcome, found.answers, found.requests) == (Outcome.UNKNOWN, (), ())
    assert "OVHcloud, whose own CCM" in found.why
    assert predict(options(""), service(annotations=theirs), CloudState(balancers_known=True)).requests


def test_a_vip_of_ipv6_has_no_floating_ip_in_the_drawing() -> None:
    six = service(ipFamilies=["IPv6"], loadBalancerIP="192.0.2.7")
    found = predict(options("", NEWEST), six, CloudState())
    assert not found.floating.wanted
    assert next(drawing(found)).startswith("client ─▶ VIP ─▶")
    assert predict(options("", "v1.24.0"), six, CloudState()).floating.wanted


def test_a_load_balancer_that_is_named_is_said_to_be_there_before_all_else() -> None:
    named = {"loadbalancer.openstack.org/load-balancer-id": "6b7f8f7e-5c1c-4b5c-9c2a-0e6b1e2f3a4d"}
    assert (
        "the CCM makes none, and sends what that one lacks"
        in predict(options(""), service(annotations=named), CloudState()).assumed[0]
    )


def test_a_verdict_on_what_a_template_fills_in_is_not_known() -> None:
    keys = ("lb-provider", "manage-security-groups")
    marked = options("")._replace(open=keys, given=frozenset(keys))
    waiting = service()._replace(open=("loadbalancer.openstack.org/x-forwarded-for",))
    said = {answer.name: answer for answer in predict(marked, waiting, CloudState()).answers}
    for name, key in (("client-address", "x-forwarded-for"), ("dead-node", "lb-provider"), ("traffic-cluster", "lb-")):
        assert said[name].good is None
        assert "filled in later; by default" in said[name].text
        assert key in said[name].text
    assert "manage-security-groups are filled in later" in said["security-group"].text
    plain = predict(options(""), service(), CloudState()).answers
    assert not any("filled in" in answer.text for answer in plain)


def _members(text: str, release: str, *listed: Node) -> list[str]:
    prediction = predict(options(text, release), service(ipFamilies=["IPv4"]), CloudState(nodes=listed))
    return [said for _, said in noted_members(prediction)]


def test_members_that_are_not_a_matter_of_course_are_noted() -> None:
    two = Node("w1", (("InternalIP", "172.16.0.5"), ("InternalIP", "10.0.0.5"), ("InternalIP", "fd00::5")), {"": ""})
    external = Node("w2", (("ExternalIP", "192.0.2.7"),), {"": ""})
    plane = Node("m1", (("InternalIP", "10.0.0.4"),), {"node-role.kubernetes.io/control-plane": ""})
    assert _members("", NEWEST, *nodes(1)) == []
    assert _members("", NEWEST, two) == ["172.16.0.5 (w1, the first of 2 InternalIPs)"]
    assert _members("", NEWEST, external) == ["192.0.2.7 (w2, its ExternalIP)"]
    assert _members("", NEWEST, plane) == []
    kept = "10.0.0.4 (m1), 10.0.0.1 (node-1), 1 of them of the control plane, which the label "
    assert _members("", NEWEST, plane, *nodes(1)) == [
        f"{kept}node.kubernetes.io/exclude-from-external-load-balancers keeps out"
    ]
    assert _members("", "v1.18.2", plane, *nodes(1)) == []


def test_the_subnet_of_members_is_noted_where_it_is_that_of_an_internal_vip() -> None:
    inside = f"internal-lb=true\nsubnet-id={SUBNET}\n"
    (said,) = _members(inside, NEWEST, *nodes(1))
    assert said.startswith("10.0.0.1 (node-1), all in the VIP's subnet, `subnet-id`: name the nodes' in")
    assert _members(f"{inside}member-subnet-id={NETWORK}\n", NEWEST, *nodes(1)) == []
    assert _members("internal-lb=true\n", NEWEST, *nodes(1)) == [said]


def test_no_request_makes_a_load_balancer_that_is_named() -> None:
    identifier = "6b7f8f7e-5c1c-4b5c-9c2a-0e6b1e2f3a4d"
    named = service(annotations={"loadbalancer.openstack.org/load-balancer-id": identifier})
    unnamed, config = service(), options("")
    for one, made in ((unnamed, True), (named, False)):
        found = Project(config, [one], CloudState()).take(one, predict(config, one, CloudState()))
        assert any(request.path.endswith("/loadbalancers") for request in found.requests) is made
        assert (found.answer("accepted") is not None) is made
        assert (found.written["loadbalancer.openstack.org/load-balancer-id"] == identifier) is not made
        assert found.answer("traffic-cluster") is not None
