"""The cases on which predictions are compared with the real code reach all that a Service and a cloud.conf can say."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable

import loadbalancer_existing as existing
import loadbalancer_generate as generate
import loadbalancer_recorded
import loadbalancer_words as words
import pytest
from loadbalancer_oracle import Case

from ccmcheck import catalog
from ccmcheck.catalog import service_annotations

CASES = [generate.case(random.Random(f"1-{number}")) for number in range(3000)]  # noqa: S311 - nothing secret
LEAST = 12
"""How many cases must show a thing, at least."""


def annotated(case: Case) -> dict[str, str]:
    found: dict[str, str] = case.service["metadata"].get("annotations", {})
    return found


def annotation(name: str, *values: str) -> Callable[[Case], bool]:
    return lambda case: annotated(case).get(words.PREFIX + name, "none") in values


def line(*wanted: str) -> Callable[[Case], bool]:
    return lambda case: any(one in case.config.splitlines() for one in wanted)


def protocols(case: Case) -> set[str]:
    return {port["protocol"] for port in case.service["spec"]["ports"]}


def families(case: Case) -> tuple[str, ...]:
    return tuple(case.service["spec"].get("ipFamilies", ()))


def policy(case: Case) -> str:
    return str(case.service["spec"]["externalTrafficPolicy"])


SITUATIONS: dict[str, Callable[[Case], bool]] = {
    "Local": lambda case: policy(case) == "Local",
    "Local without a check port": lambda case: (
        policy(case) == "Local" and "healthCheckNodePort" not in case.service["spec"]
    ),
    "Cluster": lambda case: policy(case) == "Cluster",
    "TCP alone": lambda case: protocols(case) == {"TCP"},
    "UDP alone": lambda case: protocols(case) == {"UDP"},
    "SCTP alone": lambda case: protocols(case) == {"SCTP"},
    "TCP and UDP": lambda case: protocols(case) == {"TCP", "UDP"},
    "all three": lambda case: protocols(case) == {"TCP", "UDP", "SCTP"},
    "one port twice": lambda case: (
        len({one["port"] for one in case.service["spec"]["ports"]}) < len(case.service["spec"]["ports"])
    ),
    "many ports": lambda case: len(case.service["spec"]["ports"]) > 10,
    "IPv4": lambda case: families(case) == ("IPv4",),
    "IPv6": lambda case: families(case) == ("IPv6",),
    "dual stack": lambda case: families(case) == ("IPv4", "IPv6"),
    "dual stack, IPv6 first": lambda case: families(case) == ("IPv6", "IPv4"),
    "PROXY v1": annotation("proxy-protocol", "true", "v1"),
    "PROXY v2": annotation("proxy-protocol", "v2"),
    "PROXY and X-Forwarded-For": lambda case: (
        annotation("proxy-protocol", "true", "v1", "v2")(case) and annotation("x-forwarded-for", "true")(case)
    ),
    "X-Forwarded-For": annotation("x-forwarded-for", "true"),
    "a TLS container": annotation("default-tls-container-ref", "https://k.example/v1/containers/cert-1"),
    "a TLS secret": annotation("default-tls-container-ref", "https://k.example/v1/secrets/cert-2"),
    "a TLS reference that is missing": annotation(
        "default-tls-container-ref", "https://k.example/v1/containers/missing-1"
    ),
    "no key manager": lambda case: "key-manager" in case.absent,
    "source ranges": lambda case: "loadBalancerSourceRanges" in case.service["spec"],
    "source ranges annotated": lambda case: words.SOURCE_RANGES in annotated(case),
    "a node selector": annotation("node-selector", "role=worker", "role=worker,zone=a"),
    "no NodePorts": lambda case: case.service["spec"].get("allocateLoadBalancerNodePorts") is False,
    "internal": lambda case: annotated(case).get(words.INTERNAL) == "true",
    "internal by cloud.conf": line("internal-lb = true"),
    "an address that is asked for": lambda case: "loadBalancerIP" in case.service["spec"],
    "session affinity": lambda case: case.service["spec"]["sessionAffinity"] == "ClientIP",
    "a class": annotation("class", "dmz", "inner"),
    "a class that is not there": annotation("class", "DMZ"),
    "a class that says nothing": annotation("class", "empty"),
    "serial calls": line("provider-requires-serial-api-calls = true"),
    "ovn": line("lb-provider = ovn"),
    "f5": line("lb-provider = f5"),
    "an unknown provider": line("lb-provider = vlan"),
    "monitors": line("create-monitor = true"),
    "monitors, Local": lambda case: line("create-monitor = true")(case) and policy(case) == "Local",
    "timers below a second": line("monitor-delay = 500ms", "monitor-timeout = 500ms"),
    "timers below zero": line("monitor-delay = -5s", "monitor-timeout = -1s", "monitor-delay = -500ms"),
    "timers of zero": line("monitor-delay = 0", "monitor-timeout = 0s"),
    "security groups": line("manage-security-groups = true"),
    "security groups on ovn": lambda case: (
        line("manage-security-groups = true")(case) and line("lb-provider = ovn")(case)
    ),
    "no nodes": lambda case: not case.nodes,
    "a node without an address": lambda case: any(not one["status"]["addresses"] for one in case.nodes),
    "a node of another cloud": lambda case: any(one["spec"]["providerID"].startswith("aws") for one in case.nodes),
    "names at the limit": lambda case: len(case.cluster) == 200 or len(case.service["metadata"]["name"]) == 63,
    "an old Octavia": lambda case: case.octavia in ("2.0", "2.1", "2.2"),
    "load balancers off": line("enabled = false"),
}


@pytest.mark.parametrize("what", SITUATIONS)
def test_the_cases_reach(what: str) -> None:
    assert sum(map(SITUATIONS[what], CASES)) >= LEAST


def test_the_cases_say_every_value_of_every_annotation() -> None:
    seen = {pair for case in CASES for pair in annotated(case).items()}
    assert {(name, value) for name, values in words.ANNOTATIONS.items() for value in values} <= seen


def test_the_cases_know_every_annotation_with_an_empty_value() -> None:
    known = {one.name for one in service_annotations.all_annotations()} | {words.SOURCE_RANGES}
    assert known <= set(words.ANNOTATIONS)
    assert [name for name in known if "" not in words.ANNOTATIONS[name]] == []


@pytest.mark.parametrize("bad", ["yes", "abc", "1.5", "V2", "DMZ", "round_robin", "~[", "zone=a=b", "cert-4"])
def test_the_cases_say_what_cannot_be_read(bad: str) -> None:
    assert any(bad in values for values in words.ANNOTATIONS.values())
    assert sum(bad in annotated(case).values() for case in CASES) >= 5


def test_the_cases_know_every_key_about_load_balancers() -> None:
    schema = catalog.schema(catalog.newest())
    for name, known in (
        ("LoadBalancer", {*words.CONFIG, *words.CONFIG_SELDOM, "lbclasses"}),
        ("LoadBalancerClass", set(words.CLASS)),
    ):
        section = schema.section(name)
        assert section is not None
        assert {key.name for key in section.keys} <= known


def test_the_cases_say_every_value_of_every_key() -> None:
    seen = {row for case in CASES for row in case.config.splitlines()}
    for name, values in words.CONFIG.items():
        assert [value for value in values if f"{name} = {generate.quoted(value)}" not in seen] == []


def _left() -> list[Case]:
    """Cases in which the CCM left a load balancer behind."""
    return [
        case
        for case, _ in loadbalancer_recorded.load()["v1.36.0"]
        if case.cloud["loadbalancers"] and case.cloud["security_group_rules"]
    ]


@pytest.mark.part(of=4)
@pytest.mark.parametrize("change", [change for change, _ in existing.CHANGES])
def test_every_change_changes_something(change: existing.Change) -> None:
    changed = 0
    for number, case in enumerate(_left()):
        before = copy.deepcopy(case)
        after = change(random.Random(f"1-{number}"), copy.deepcopy(case))  # noqa: S311 - nothing secret
        changed += after != before
    assert changed >= 1


def test_changes_come_alone_and_together() -> None:
    shares = [share for _, share in existing.CHANGES]
    none = math.prod(1 - share for share in shares)
    assert 0.05 < none < 0.2
    assert min(shares) >= 0.02
