"""What depends on networks and nodes: subnet patterns, IP families, the managed group on the nodes' ports, provider IDs."""

from __future__ import annotations

from typing import Any

import pytest
from predict_cases import NETWORK, SUBNET, Json, prediction_of
from predict_made import made

from ccmcheck.predict.inputs.cloud_state import CloudState, Group, Node, Subnet
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests import go_regexp
from ccmcheck.predict.requests.subnet_pattern import NamePattern, glob_expression

GROUPS = "manage-security-groups=true\n"
OVN_GROUPS = f"{GROUPS}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
OTHER = "0a0a0a0a-1111-4222-8333-444455556666"
FOUR = Node("four", (("InternalIP", "10.0.0.1"),))
SIX = Node("six", (("InternalIP", "2001:db8::1"),))
ANYWHERE = f"floating-network-id={NETWORK}\n# no subnet-id\n"


def _found(text: str, *nodes: Node, **spec: Any) -> Prediction:
    return prediction_of(text=text, cloud=CloudState(nodes=nodes or (FOUR,)), **spec)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("[a", "missing closing ]: `[a`"),
        ("*a", "missing argument to repetition operator: `*`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?<!a)", "invalid named capture: `(?<!a)`"),
        ("(a)\\1", "invalid escape sequence: `\\1`"),
        ("a++", "invalid nested repetition operator: `++`"),
        ("a{2}{3}", "invalid nested repetition operator: `{2}{3}`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("\\Z", "invalid escape sequence: `\\Z`"),
        ("a\\", "trailing backslash at end of expression: ``"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
    ],
)
def test_go_refuses_an_expression(pattern: str, why: str) -> None:
    assert go_regexp.fault(pattern) == why
    found = prediction_of(text=f'floating-subnet="~{pattern}"\n'.replace("\\", "\\\\"))
    assert found.outcome is Outcome.ERROR
    assert f"error parsing regexp: {why.partition(':')[0]}" in found.error
    assert [request.method for request in found.requests] == ["POST"]  # the load balancer is there by then
    assert [event.reason for event in found.events] == ["EnsuringLoadBalancer", "SyncLoadBalancerFailed"]


@pytest.mark.parametrize(
    "pattern",
    ["", "public.*", "a|b", "(?i)a", "(?P<n>a)", "(?<n>a)", "a{,3}", "a{", "[]a]", "[\\d-z]", "\\pL", "\\Qa*b\\E", "\\z",
     "a??", "x{2}?", "[[:alpha:]]", "(?s-i:a)", "\\x{41}", "[a-b-c]"],
)  # fmt: skip
def test_go_takes_an_expression(pattern: str) -> None:
    assert go_regexp.fault(pattern) == ""


@pytest.mark.parametrize("pattern", ["~Canary[99hunter2", "Canary.99[hunter2", "~(Canary99){5000}hunter2"])
def test_no_part_of_a_pattern_is_shown(pattern: str) -> None:
    error = prediction_of(text=f'floating-subnet="{pattern}"\n').error
    assert error.replace(pattern.removeprefix("~"), "").find("unter2") == -1
    assert error.replace(pattern.removeprefix("~"), "").find("Canary") == -1


def test_a_bad_glob_crashes_the_ccm() -> None:
    found = prediction_of(text='floating-subnet="[a"\n')
    assert found.outcome is Outcome.ERROR
    assert found.error == "regexp: Compile(…): error parsing regexp: missing closing ]: …"
    assert found.why.startswith("the CCM crashes")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("public-*", "public-a", "public-a/b"),
        ("?ublic", "/ublic", "public2"),
        ("{dmz,public}", "dmz", "dmzpublic"),
        ("[ab]c", "ac", "cc"),
        ("a.b", "a.b", "axb"),
        ("!public-*", "dmz", "public-a"),
        ("~ab|a", "ab", "b"),
        ("~a|ab", "a", "ab"),  # the first alternative wins, and is not the whole name
        ("!~pub", "public", "pub"),
        ("a/**", "a/b/c", "a"),
        ("**/a", "b/c/a", "ba"),
        ("", "anything", None),
    ],
)
def test_names_that_match(pattern: str, matching: str, other: str | None) -> None:
    named = NamePattern(pattern)
    first, second = Subnet("1", other or "", ()), Subnet("2", matching, ())
    assert named.first_of([first, second]) == (second if other else first)
    assert named.first_of([second]) == second
    assert named.first_of([]) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "~" + "(" * 2_000 + "a" + ")" * 2_000,
        "~(a+)+$",
        "~(a|a)*b",
        "~" + "(a|a)" * 40 + "b",
        "~" + "a?" * 40 + "a" * 40,
        "~.*.*.*b",
        "*a*a*a*a*b",
        "{a,a}" * 30,
        "x" * 300,
    ],
)
def test_a_pattern_that_may_take_long_matches_an_unknown_subnet(pattern: str) -> None:
    assert NamePattern(pattern).first_of([Subnet("1", "a" * 250, ())]) is False
    for subnets in (None, (Subnet("1", "a" * 250, ()),)):
        found = prediction_of(text=f'floating-subnet="{pattern}"\n', cloud=CloudState(floating_subnets=subnets))
        assert found.outcome is not Outcome.ERROR
        assert any("is looked for by its name" in note for note in found.assumed)


def test_a_long_name_is_not_tried() -> None:
    assert NamePattern("~a.*b").first_of([Subnet("1", "a" * 300, ())]) is False


def test_a_glob_of_any_length_is_written_as_a_pattern_in_linear_time() -> None:
    assert len(glob_expression("a/" * 200_000)) == 400_002


def test_marks_of_globs() -> None:
    assert glob_expression("a{{b}c,") == "^a\\{b}c\\,$"


def test_source_ranges_of_the_other_family() -> None:
    six: Json = {"loadBalancerSourceRanges": ["2001:db8:1::/48"]}
    known = CloudState(nodes=(FOUR,), subnets={SUBNET: "10.0.0.0/24"})
    found = prediction_of(cloud=known, **six)
    assert (found.outcome, found.refusals[0].status) == (Outcome.REFUSED, 400)
    assert found.refusals[0].field == "listeners[0].allowed_cidrs"
    by_node = _found(ANYWHERE, FOUR, **six)
    assert by_node.outcome is Outcome.REFUSED
    assert _found(ANYWHERE, FOUR, SIX, **six).outcome is Outcome.ACCEPTED  # either is possible
    assert prediction_of(cloud=CloudState(nodes=placeholder_nodes(3)), **six).outcome is Outcome.ACCEPTED


def test_neutron_refuses_a_rule_of_the_other_family() -> None:
    known = CloudState(nodes=(FOUR,), subnets={SUBNET: "10.0.0.0/24"}, vip="10.0.0.9")
    six: Json = {"loadBalancerSourceRanges": ["2001:db8:1::/48"]}
    found = prediction_of(text=OVN_GROUPS, cloud=known, **six)
    assert found.outcome is Outcome.REFUSED
    refusal = found.refusals[0]
    assert (refusal.status, refusal.by) == (400, "Neutron")
    assert found.sent[-1].path == "/v2.0/security-group-rules"
    assert found.published == ()
    assert set(found.written) == {
        "loadbalancer.openstack.org/load-balancer-id",
        "loadbalancer.openstack.org/load-balancer-address",
    }
    answer = found.answer("accepted")
    assert answer is not None
    assert answer.text.startswith("Octavia takes its requests; Neutron refuses with 400")
    assert prediction_of(text=OVN_GROUPS, cloud=known, loadBalancerSourceRanges=["192.0.2.0/24"]).outcome is (
        Outcome.ACCEPTED
    )


def _ports(found: Prediction) -> list[str]:
    return [one.path.removeprefix("/v2.0/ports/") for one in found.requests if one.path.startswith("/v2.0/ports/")]


def test_nodes_outside_the_member_subnet_get_no_group() -> None:
    away = Node("away", (("InternalIP", "10.9.0.1"),))
    known = CloudState(nodes=(FOUR, away), subnets={SUBNET: "10.0.0.0/24"})
    found = prediction_of(text=GROUPS, cloud=known)
    assert _ports(found) == ["{port of four}"]
    answer = found.answer("security-group")
    assert answer is not None
    assert answer.good is False
    assert "is not put on away" in answer.text
    unknown = prediction_of(text=GROUPS, cloud=known._replace(subnets={}))
    assert len(_ports(unknown)) == 2
    many = prediction_of(text=GROUPS, cloud=known._replace(nodes=placeholder_nodes(3)))
    assert len(_ports(many)) == 3  # their addresses are made up


def test_a_node_without_provider_id_ends_the_reconcile() -> None:
    bare = FOUR._replace(provider_id="")
    error = 'ProviderID "" didn\'t match expected format "openstack://region/InstanceID"'
    grouped = _found(GROUPS, bare)
    assert grouped.outcome is Outcome.ERROR
    assert grouped.error.endswith(f"error getting server ID from the node: {error}")
    assert "LB subnet" in _found(ANYWHERE, bare).error
    assert _found("", bare).outcome is Outcome.ACCEPTED
    assert _found(GROUPS, FOUR).outcome is Outcome.ACCEPTED  # unknown is not wrong


def test_a_first_node_without_an_address_of_the_family() -> None:
    found = _found(ANYWHERE, FOUR, ipFamilies=["IPv6"])
    assert found.outcome is Outcome.ERROR
    assert found.error.endswith("no address found for host")
    assert found.requests == ()
    assert _found(ANYWHERE, Node("unknown"), ipFamilies=["IPv6"]).outcome is Outcome.ACCEPTED


def test_no_nodes_are_an_event_of_the_service_controller() -> None:
    found = prediction_of(cloud=CloudState(nodes=()))
    assert [event.reason for event in found.events] == [
        "EnsuringLoadBalancer",
        "UnAvailableLoadBalancer",
        "SyncLoadBalancerFailed",
    ]


def test_events_after_the_refused_request_are_not_written() -> None:
    six: Json = {"ipFamilies": ["IPv6"], "loadBalancerSourceRanges": ["192.0.2.0/24"]}
    refused = prediction_of(**six)
    assert [event.reason for event in refused.events] == ["EnsuringLoadBalancer", "SyncLoadBalancerFailed"]
    taken = prediction_of(ipFamilies=["IPv6"])
    assert [event.reason for event in taken.events] == [
        "EnsuringLoadBalancer",
        "LoadBalancerFloatingIPSkipped",
        "EnsuredLoadBalancer",
    ]


@pytest.mark.parametrize(
    ("name", "field"), [("delay", "delay"), ("timeout", "timeout"), ("max-retries", "max_retries")]
)
def test_a_0_leaves_a_running_monitor_as_it_is(name: str, field: str) -> None:
    there = made(prediction_of(text="create-monitor=true\n"))
    found = prediction_of(
        text="create-monitor=true\n",
        annotations={f"health-monitor-{name}": "0"},
        cloud=CloudState(nodes=(FOUR,), balancer=there),
    )
    monitor = there.listeners[0].pool.monitor if there.listeners[0].pool else None
    assert found.plans[0].monitor is not None
    assert found.plans[0].monitor[field] == getattr(monitor, field)
    (why,) = [one.why for one in found.ignored if one.what.endswith(f"health-monitor-{name}")]
    assert why.startswith("0 is not sent")
    put = next(one for one in found.requests if one.method == "PUT" and "healthmonitors" in one.path)
    body: Any = put.body
    assert field not in body["healthmonitor"]


def test_members_that_stay_elsewhere_make_another_rule() -> None:
    there = made(prediction_of(text=GROUPS))
    pool = there.listeners[0].pool
    assert pool is not None
    members = tuple(member._replace(subnet=SUBNET) for member in pool.members)
    there = there._replace(listeners=(there.listeners[0]._replace(pool=pool._replace(members=members)),))
    known = CloudState(balancer=there, group=Group("g")).with_facts(member_cidrs=("10.0.0.0/24",), nodes=3)
    same = prediction_of(text=GROUPS, cloud=known)
    moved = prediction_of(text=f"{GROUPS}member-subnet-id={OTHER}\n", cloud=known)
    assert {rule.remote for rule in same.rules or ()} == {"10.0.0.0/24"}
    assert {rule.remote for rule in moved.rules or ()} == {f"the member subnet's CIDR ({OTHER})"}
