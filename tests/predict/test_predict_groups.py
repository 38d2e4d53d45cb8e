"""The security group of a Service: which rules it gets and keeps, and which ports of the nodes it goes on."""

from __future__ import annotations

import pytest
from predict_cases import SUBNET, Json, manifest, nodes, options, ports, prediction_of
from predict_made import made

from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Group, GroupRule, Listener, Node, NodePort
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import MEMBER_CIDR, Outcome, Prediction, SecurityGroupRule
from ccmcheck.predict.requests.groups import group_name

ON = "manage-security-groups=true\n"
OVN = f"{ON}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
CIDR = "10.0.0.0/24"
SUBNETS = {SUBNET: CIDR}
RULE = GroupRule("rule-1", "tcp", 30001, 30001, CIDR)
HERE = ("10.0.0.1", SUBNET)
PORT = NodePort("port-1", (HERE,), ("default",))
LOCAL: Json = {"externalTrafficPolicy": "Local"}
TAG_FIRST, TAG_AFTER, NO_TAG = "v1.28.0", "v1.27.0", "v1.36.0"


def node(*ports: NodePort, name: str = "node-1", address: str = "10.0.0.1") -> Node:
    return Node(name, (("InternalIP", address),), {"": ""}, "openstack:///s1", ports)


def asked(found: Prediction) -> list[str]:
    """The requests to Neutron about the group, shortened."""
    assert found.outcome is Outcome.ACCEPTED, found.why
    paths = [(one.method, one.path.removeprefix("/v2.0/")) for one in found.requests if one.api == "neutron"]
    return [f"{method} {path}" for method, path in paths if not path.startswith("floatingips")]


def bodies(found: Prediction, path: str) -> list[Json]:
    """What is sent to one place."""
    return [one.body or {} for one in found.requests if one.path == f"/v2.0/{path}"]


NEW = "POST security-group-rules"
GONE = "DELETE security-group-rules/rule-1"


@pytest.mark.parametrize(
    ("change", "since_1_28", "before"),
    [
        ({}, [], []),
        ({"protocol": "TCP"}, [], []),
        ({"protocol": "udp"}, [NEW, GONE], [NEW]),
        ({"port_max": 30002}, [NEW, GONE], [NEW]),
        ({"port_min": 30000}, [NEW, GONE], [NEW]),
        ({"port_min": 30000, "port_max": 30002}, [NEW, GONE], [NEW]),
        ({"port_min": 0, "port_max": 0}, [NEW, GONE], [NEW]),
        ({"remote": "10.0.0.0/16"}, [NEW, GONE], [NEW]),
        ({"direction": "egress"}, [NEW, GONE], [NEW]),
        ({"ethertype": "IPv6"}, [NEW, GONE], []),  # the list that 1.27 asks for is of either type
    ],
)
def test_only_an_equal_rule_is_kept(change: Json, since_1_28: list[str], before: list[str]) -> None:
    group = Group("group-1", (RULE._replace(**change),))
    for release, expected in (("1.36", since_1_28), ("1.28", since_1_28), ("1.27", before), ("1.25", before)):
        cloud = CloudState(
            nodes=(node(),), balancer=made(prediction_of(text=ON, release=release)), group=group, subnets=SUBNETS
        )
        assert asked(prediction_of(text=ON, release=release, cloud=cloud)) == expected, release


def test_an_equal_rule_is_kept_beside_others() -> None:
    group = Group("group-1", (RULE._replace(id="wide", port_max=40000), RULE, RULE._replace(id="old", port_min=1)))
    found = prediction_of(text=ON, cloud=CloudState(nodes=(node(),), group=group, subnets=SUBNETS))
    assert asked(found) == ["DELETE security-group-rules/wide", "DELETE security-group-rules/old"]


def test_a_new_group() -> None:
    found = prediction_of(text=ON, cloud=CloudState(nodes=nodes(1), subnets=SUBNETS))
    assert bodies(found, "security-groups") == [
        {
            "security_group": {
                "name": "lb-sg-0b1c2d3e-shop-web",
                "description": "Security Group for shop/web Service LoadBalancer in cluster kubernetes",
            }
        }
    ]
    assert bodies(found, "security-group-rules") == [
        {
            "security_group_rule": {
                "direction": "ingress",
                "ethertype": "IPv4",
                "security_group_id": "{security group}",
                "protocol": "tcp",
                "remote_ip_prefix": CIDR,
                "port_range_min": 30001,
                "port_range_max": 30001,
            }
        }
    ]
    own = "{its own groups}"
    assert bodies(found, "ports/{port of node-1}") == [{"port": {"security_groups": [own, "{security group}"]}}]
    assert asked(found) == [
        "POST security-groups",
        NEW,
        "DELETE security-group-rules/{egress rule IPv4}",
        "DELETE security-group-rules/{egress rule IPv6}",
        "PUT ports/{port of node-1}",
    ]
    assert found.rules == (SecurityGroupRule("tcp", 30001, CIDR, "IPv4", "port 80"),)


def test_the_name_of_a_group_without_and_with_an_id_of_the_service() -> None:
    assert group_name("", "shop", "web") == "lb-sg-{uid}-shop-web"
    assert group_name("1-2", "shop", "w" * 300) == ("lb-sg-1-2-shop-" + "w" * 300)[:255]


TAGS = "ports/port-1/tags/group-1"


@pytest.mark.parametrize(
    ("release", "puts"),
    [
        (NO_TAG, ["PUT ports/port-1"]),
        ("v1.28.2", ["PUT ports/port-1"]),
        (TAG_FIRST, [f"PUT {TAGS}", "PUT ports/port-1"]),
        (TAG_AFTER, ["PUT ports/port-1", f"PUT {TAGS}"]),
        ("v1.25.0", ["PUT ports/port-1", f"PUT {TAGS}"]),
    ],
)
def test_a_port_is_tagged_before_or_after_it_gets_the_group(release: str, puts: list[str]) -> None:
    cloud = CloudState(nodes=(node(PORT),), group=Group("group-1", (RULE,)), subnets=SUBNETS)
    found = prediction_of(text=ON, release=release, cloud=cloud)
    assert [one for one in asked(found) if "ports/" in one] == (puts if release != "v1.25.0" else [])
    without = prediction_of(text=ON, release=release, cloud=cloud._replace(group=Group("group-1")))
    assert [one for one in asked(without) if "ports/" in one] == puts
    assert bodies(without, "ports/port-1") == [{"port": {"security_groups": ["default", "group-1"]}}]


TWO = "TCP/80 TCP/443"


def test_the_check_port_has_its_rule_before_the_group_goes_on_the_ports() -> None:
    cloud = CloudState(nodes=(node(PORT),), group=Group("group-1"), subnets=SUBNETS)
    found = prediction_of(TWO, ON, release=TAG_AFTER, cloud=cloud, **LOCAL)
    assert asked(found) == [NEW, NEW, "PUT ports/port-1", f"PUT {TAGS}", NEW]
    assert found.rules == (
        SecurityGroupRule("tcp", 31000, CIDR, "IPv4", "the health check node port"),
        SecurityGroupRule("TCP", 30001, CIDR, "IPv4", "port 80"),
        SecurityGroupRule("TCP", 30002, CIDR, "IPv4", "port 443"),
    )
    plain = prediction_of(TWO, ON, release=TAG_AFTER, cloud=cloud)
    assert asked(plain) == [NEW, "PUT ports/port-1", f"PUT {TAGS}", NEW]


def test_up_to_1_25_a_port_gets_the_group_again_with_each_rule() -> None:
    cloud = CloudState(nodes=(node(PORT),), group=Group("group-1"), subnets=SUBNETS)
    found = prediction_of(TWO, ON, release="1.25", cloud=cloud)
    assert asked(found) == [NEW, "PUT ports/port-1", f"PUT {TAGS}"] * 2
    assert [one["port"]["security_groups"] for one in bodies(found, "ports/port-1")] == [
        ["default", "group-1"],
        ["default", "group-1", "group-1"],
    ]


@pytest.mark.parametrize("release", ["1.36", "1.27"])
def test_a_port_without_a_node_port_has_no_rule(release: str) -> None:
    listed = [{"name": "a", "protocol": "TCP", "port": 80}, *ports("TCP/443")]
    cloud = CloudState(nodes=(node(PORT),), group=Group("group-1"), subnets=SUBNETS)
    found = predict(options(ON, release), read_service(manifest(ports=listed), allocate=False), cloud)
    assert [(rule.port, rule.why) for rule in found.rules or ()] == [(30001, "port 443")]
    assert asked(found).count(NEW) == 1


@pytest.mark.parametrize(
    ("port", "members_alone"),
    [
        (PORT, True),
        (PORT._replace(addresses=(("10.0.0.77", SUBNET), HERE)), True),
        (PORT._replace(addresses=(("10.0.0.77", SUBNET),)), False),
        (PORT._replace(addresses=(("10.0.0.1", "another"),)), False),
        (PORT._replace(addresses=()), False),
        (PORT._replace(secured=False), False),
    ],
)
def test_since_1_28_2_the_group_goes_on_the_ports_of_members_alone(port: NodePort, *, members_alone: bool) -> None:
    cloud = CloudState(nodes=(node(port),), group=Group("group-1", (RULE,)), subnets=SUBNETS)
    puts = {
        release: "PUT ports/port-1" in asked(prediction_of(text=ON, release=release, cloud=cloud))
        for release in ("v1.36.0", "v1.28.2", "v1.28.0", "v1.27.0")
    }
    assert puts == {"v1.36.0": members_alone, "v1.28.2": members_alone, "v1.28.0": True, "v1.27.0": True}


def test_a_port_that_has_the_group_is_left_alone() -> None:
    cloud = CloudState(
        nodes=(node(PORT._replace(groups=("group-1",))),), group=Group("group-1", (RULE,)), subnets=SUBNETS
    )
    for release in ("1.36", "v1.28.0", "1.27"):
        assert asked(prediction_of(text=ON, release=release, cloud=cloud)) == []


def test_a_port_that_is_known_by_its_node_alone_has_the_group_from_the_reconcile_before() -> None:
    known = tuple((f"{{port of {name}}}", ("{its own groups}", "group-1"), ()) for name in ("other", "node-1"))
    cloud = CloudState(nodes=nodes(2), group=Group("group-1", (RULE,), known), subnets=SUBNETS)
    assert asked(prediction_of(text=ON, cloud=cloud)) == ["PUT ports/{port of node-2}"]


@pytest.mark.parametrize(
    ("subnets", "address", "made_up", "gets"),
    [
        (SUBNETS, "10.0.0.9", False, True),
        (SUBNETS, "10.9.0.9", False, False),
        (SUBNETS, "10.9.0.9", True, True),
        ({}, "10.9.0.9", False, True),
        ({}, "2001:db8::9", False, False),
        (SUBNETS, "2001:db8::9", True, False),
    ],
)
def test_a_node_whose_ports_are_unknown(subnets: dict[str, str], address: str, *, made_up: bool, gets: bool) -> None:
    other = Node("other", (("InternalIP", address),), {"": ""}, made_up=made_up)
    known = CloudState(nodes=(*nodes(1), other), subnets=subnets, group=Group("group-1", (RULE,)))
    found = prediction_of(text=ON, cloud=known, ipFamilies=["IPv4"])
    assert [one for one in asked(found) if "ports/" in one] == [
        "PUT ports/{port of node-1}",
        *(["PUT ports/{port of other}"] if gets else []),
    ]
    answer = found.answer("security-group")
    assert answer is not None
    assert ("is not put on other:" in answer.text) is not gets
    early = prediction_of(text=ON, release="v1.28.0", cloud=known, ipFamilies=["IPv4"])
    assert "PUT ports/{port of other}" in asked(early)
    answer = early.answer("security-group")
    assert answer is not None
    assert "is not put on" not in answer.text


WORDS = "the member subnet's CIDR is not known; the rules of the security group name it in words"


@pytest.mark.parametrize(
    ("subnets", "cidrs", "family", "remote", "kind"),
    [
        (SUBNETS, ("10.1.0.0/24",), "IPv4", CIDR, "IPv4"),
        (SUBNETS, (), "IPv6", CIDR, "IPv4"),
        ({SUBNET: "2001:db8::/64"}, (), "IPv4", "2001:db8::/64", "IPv6"),
        ({}, (CIDR,), "IPv4", CIDR, "IPv4"),
        ({}, (CIDR,), "", CIDR, "IPv4"),
        ({}, ("2001:db8::/64", CIDR), "", CIDR, "IPv4"),
        ({}, ("2001:db8::/64", CIDR), "IPv6", "2001:db8::/64", "IPv6"),
        ({}, (CIDR, "10.1.0.0/24"), "", MEMBER_CIDR, "IPv4"),
        ({}, ("2001:db8::/64",), "", MEMBER_CIDR, "IPv4"),
        ({}, (CIDR,), "IPv6", MEMBER_CIDR, "IPv6"),
        ({}, (), "", MEMBER_CIDR, "IPv4"),
    ],
)
def test_the_remote_of_a_rule(
    subnets: dict[str, str], cidrs: tuple[str, ...], family: str, remote: str, kind: str
) -> None:
    families: Json = {"ipFamilies": [family]} if family else {}
    both = (("InternalIP", "10.0.0.1"), ("InternalIP", "2001:db8::1"))
    cloud = CloudState(nodes=(Node("both", both, {"": ""}),), subnets=subnets).with_facts(member_cidrs=cidrs)
    found = prediction_of(text=ON, cloud=cloud, **families)
    assert [(rule.remote, rule.ethertype) for rule in found.rules or ()] == [(remote, kind)]
    assert (WORDS in found.assumed) == (remote == MEMBER_CIDR)


@pytest.mark.parametrize(("release", "kind"), [("v1.24.0", "IPv4"), ("v1.25.0", "IPv6"), ("v1.26.0", "IPv6")])
def test_the_type_of_a_rule_for_an_ipv6_subnet(release: str, kind: str) -> None:
    cloud = CloudState(nodes=nodes(1), subnets={SUBNET: "2001:db8::/64"})
    (rule,) = prediction_of(text=ON, release=release, cloud=cloud).rules or ()
    assert (rule.remote, rule.ethertype) == ("2001:db8::/64", kind)
    (rule,) = prediction_of(text=ON, release=release, cloud=cloud._replace(subnets=SUBNETS)).rules or ()
    assert rule.ethertype == "IPv4"


def test_members_of_an_unknown_subnet_are_in_that_of_the_configuration() -> None:
    there = made(prediction_of(text=ON))
    cloud = CloudState(nodes=nodes(1), balancer=there, group=Group("g")).with_facts(member_cidrs=(CIDR,))
    assert {rule.remote for rule in prediction_of(text=ON, cloud=cloud).rules or ()} == {CIDR}
    listeners = (*there.listeners, Listener("by-hand", "TCP", 9999))
    without_pool: Balancer = there._replace(listeners=listeners)
    found = prediction_of(text=ON, cloud=cloud._replace(balancer=without_pool))
    assert {rule.remote for rule in found.rules or ()} == {CIDR}


def test_on_ovn_each_source_range_has_its_rule() -> None:
    cloud = CloudState(nodes=(node(PORT),), group=Group("group-1", (RULE,)), subnets=SUBNETS)
    spec: Json = {**LOCAL, "loadBalancerSourceRanges": ["192.0.2.0/24", "198.51.100.0/24"]}
    found = prediction_of(text=OVN, cloud=cloud, **spec)
    rules = found.rules or ()
    assert rules[0] == SecurityGroupRule("tcp", 31000, CIDR, "IPv4", "the health check node port")
    assert sorted(rules[1:]) == [
        SecurityGroupRule("tcp", 30001, "192.0.2.0/24", "IPv4", "clients of port 80"),
        SecurityGroupRule("tcp", 30001, "198.51.100.0/24", "IPv4", "clients of port 80"),
    ]
    assert asked(found) == [NEW, NEW, NEW, GONE, "PUT ports/port-1"]


def test_a_node_of_another_cloud_ends_the_reconcile_since_provider_ids_are_parsed() -> None:
    away = node(PORT)._replace(provider_id="aws:///s1")
    cloud = CloudState(nodes=(away,), group=Group("group-1", (RULE,)), subnets=SUBNETS)
    assert prediction_of(text=ON, cloud=cloud).error == (
        "failed when reconciling security groups for LB service shop/web: error getting server ID from the node: "
        'ProviderID "aws:///s1" didn\'t match expected format "openstack://region/InstanceID"'
    )
    assert asked(prediction_of(text=ON, release="v1.27.0", cloud=cloud)) == ["PUT ports/port-1", f"PUT {TAGS}"]


def test_a_group_is_taken_off_all_ports() -> None:
    known = (("port-2", ("web", "group-1", "default"), ()), ("port-1", ("group-1",), ("group-1", "other")))
    cloud = CloudState(nodes=nodes(1), balancer=made(prediction_of()), group=Group("group-1", (RULE,), known))
    found = prediction_of(cloud=cloud)
    assert asked(found) == ["PUT ports/port-2", "PUT ports/port-1", f"DELETE {TAGS}", "DELETE security-groups/group-1"]
    assert bodies(found, "ports/port-2") == [{"port": {"security_groups": ["default", "web"]}}]
    assert bodies(found, "ports/port-1") == [{"port": {"security_groups": []}}]
    assert found.rules is None


@pytest.mark.parametrize("release", ["1.24", "1.25"])
def test_equal_rules_are_created_once_where_no_node_is_known(release: str) -> None:
    """Nothing is refused then, so that ports without a NodePort come as far as the group."""
    data = manifest(allocateLoadBalancerNodePorts=False)
    data["spec"]["ports"] = [
        {"name": "a", "port": 80, "protocol": "TCP"},
        {"name": "b", "port": 81, "protocol": "TCP"},
        {"name": "c", "port": 82, "protocol": "TCP", "nodePort": 30082},
        {"name": "d", "port": 82, "protocol": "UDP", "nodePort": 30082},
    ]
    found = predict(options(ON, release), read_service(data), CloudState(subnets=SUBNETS))
    rules = [body["security_group_rule"] for body in bodies(found, "security-group-rules")]
    assert [(rule["protocol"], rule.get("port_range_min")) for rule in rules] == [
        ("tcp", None),
        ("tcp", 30082),
        ("udp", 30082),
    ]
