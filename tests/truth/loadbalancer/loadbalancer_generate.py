"""Makes cases: a cloud.conf, a Service, nodes and a cloud, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import loadbalancer_cloud
import loadbalancer_words as words
from loadbalancer_ids import identified
from loadbalancer_oracle import Case

Json = dict[str, Any]

CLUSTERS = ("kubernetes", "kubernetes", "prod", "a_b", "c" * 200, "")
_GLOBAL = (
    "[Global]\nauth-url = https://keystone.example.org/v3\nusername = u\npassword = p\ntenant-name = t\n"
    "domain-name = d\nregion = RegionOne\n"
)


def cases(seed: int, count: int) -> list[Case]:
    """Cases with nothing in the cloud but networks, with IDs for names.

    Args:
        seed: What they depend on.
        count: How many.
    """
    return [identified(case(random.Random(f"{seed}-{number}"))) for number in range(count)]  # noqa: S311 - nothing secret


def case(chance: random.Random) -> Case:
    """One case, with names; most of them differ from the ordinary in a few things only."""
    found = nodes(chance)
    external = chance.choice(
        (("net-ext", "net-ext2"), ("net-ext", "net-ext2"), ("net-ext2", "net-ext"), ("net-ext",), ())
        if chance.random() < 0.4 else (("net-ext", "net-ext2"),)
    )  # fmt: skip
    return Case(
        config(chance),
        service(chance),
        tuple(found),
        chance.choice(CLUSTERS) if chance.random() < 0.3 else "kubernetes",
        chance.choice(words.OCTAVIA) if chance.random() < 0.4 else "2.27",
        loadbalancer_cloud.cloud(found, external),
        ("key-manager",) if chance.random() < 0.03 else (),
    )


def config(chance: random.Random) -> str:
    """A cloud.conf that says where to log in, and this and that about load balancers."""
    lines = ["[LoadBalancer]", "use-octavia = true"]
    said = dict(some(chance, words.CONFIG, chance.choice((0.1, 0.1, 0.15, 0.3))))
    if chance.random() < 0.2:
        said |= {key: chance.choice(values) for key, values in words.MONITORS.items()}
    for key, value in said.items():
        lines.append(f"{key} = {quoted(value)}")
    if chance.random() < 0.05:
        key = chance.choice(list(words.CONFIG_SELDOM))
        lines.append(f"{key} = {quoted(chance.choice(words.CONFIG_SELDOM[key]))}")
        if chance.random() < 0.1:
            lines.append("enabled = false")
    for name in ("dmz", "inner"):
        if chance.random() < 0.7:
            lines.append(f'[LoadBalancerClass "{name}"]')
            lines += [f"{key} = {quoted(value)}" for key, value in some(chance, words.CLASS, 0.35)]
    if chance.random() < 0.5:
        lines.append('[LoadBalancerClass "empty"]')
    return _GLOBAL + "\n".join(lines) + "\n"


def quoted(value: str) -> str:
    """A value that gcfg reads back as it is."""
    return f'"{value}"' if any(mark in value for mark in ' ;#"=!~&[') else value


def some(chance: random.Random, choices: Mapping[str, Sequence[str]], share: float) -> Iterator[tuple[str, str]]:
    """A share of the names, each with one of its values."""
    for name, values in choices.items():
        if chance.random() < share:
            yield name, chance.choice(values)


def service(chance: random.Random) -> Json:
    """A Service of type LoadBalancer, as Kubernetes would hold it."""
    metadata: Json = {"name": "web", "namespace": "shop", "uid": "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"}
    if chance.random() < 0.1:
        metadata["name"] = chance.choice(("w" * 63, "a-b", "x"))
        metadata["namespace"] = chance.choice(("n" * 63, "default"))
    annotations = dict(some(chance, words.ANNOTATIONS, chance.choice((0, 0.04, 0.08, 0.2))))
    if chance.random() < 0.03:
        annotations |= chance.choice(words.AT_ODDS)
    if annotations:
        metadata["annotations"] = annotations
    spec: Json = {"type": "LoadBalancer", "sessionAffinity": "None", "ports": ports(chance)}
    if chance.random() < 0.1:
        spec["sessionAffinity"] = "ClientIP"
        spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": 10800}}
    spec["externalTrafficPolicy"] = "Local" if chance.random() < 0.45 else "Cluster"
    if spec["externalTrafficPolicy"] == "Local" and chance.random() < 0.9:
        spec["healthCheckNodePort"] = 31999
    if chance.random() < 0.35:
        spec["ipFamilies"] = list(chance.choice((("IPv4",), ("IPv6",), ("IPv4", "IPv6"), ("IPv6", "IPv4"))))
        spec["ipFamilyPolicy"] = "SingleStack" if len(spec["ipFamilies"]) == 1 else "PreferDualStack"
    if chance.random() < 0.12:
        spec["loadBalancerIP"] = chance.choice(
            ("203.0.113.50", "203.0.113.51", "203.0.113.77", "10.0.0.77", "2001:db8::77")
        )
    if chance.random() < 0.15:
        count = chance.randrange(1, 3)
        spec["loadBalancerSourceRanges"] = [chance.choice(words.RANGE) for _ in range(count)]
    if all(not port.get("nodePort") for port in spec["ports"]):
        spec["allocateLoadBalancerNodePorts"] = False
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def ports(chance: random.Random) -> list[Json]:
    """The ports of a Service."""
    count = chance.choice((1, 1, 1, 2, 2, 3)) if chance.random() < 0.97 else 12
    protocols = chance.choice((("TCP",), ("TCP",), ("TCP", "UDP"), ("UDP",), ("SCTP",), ("TCP", "UDP", "SCTP")))
    without = chance.random() < 0.05
    found: list[Json] = []
    taken: set[tuple[str, int]] = set()
    while len(found) < count:
        number = len(found)
        protocol, port = chance.choice(protocols), chance.choice((80, 443, 53, 8080, 8000 + number))
        if (protocol, port) in taken:
            continue
        taken.add((protocol, port))
        found.append({"name": f"p{number}", "protocol": protocol, "port": port, "targetPort": port})
        if not without:
            found[-1]["nodePort"] = 30000 + number
    return found


def nodes(chance: random.Random) -> list[Json]:
    """Nodes; ordinary ones mostly."""
    count = chance.choice((1, 2, 2, 3)) if chance.random() < 0.97 else chance.choice((0, 5))
    ordinary = chance.choice((0, 1, 1, 1)) if chance.random() < 0.8 else None
    return [node(chance, number, ordinary) for number in range(count)]


def node(chance: random.Random, number: int, ordinary: int | None) -> Json:
    """One node.

    Args:
        chance: What it depends on.
        number: Its number.
        ordinary: The number of the kind of its addresses; None for any.
    """
    name = f"node-{number}"
    inner, inner6 = f"10.0.0.{11 + number}", f"2001:db8::{11 + number}"
    kinds: tuple[list[tuple[str, str]], ...] = (
        [("InternalIP", inner)],
        [("InternalIP", inner), ("InternalIP", inner6)],
        [("InternalIP", inner6), ("InternalIP", inner)],
        [("InternalIP", inner6)],
        [("Hostname", name), ("ExternalIP", f"203.0.113.{20 + number}")],
        [("ExternalIP", f"203.0.113.{20 + number}"), ("InternalIP", inner)],
        [("Hostname", name), ("InternalIP", inner), ("ExternalIP", f"203.0.113.{20 + number}")],
        [("Hostname", name)],
        [],
    )
    addresses = chance.choice(kinds) if ordinary is None else kinds[ordinary]
    labels = {"role": chance.choice(("worker", "worker", "control")), "zone": chance.choice(("a", "b"))}
    where = f"openstack:///server-{name}"
    if chance.random() < 0.03:
        where = chance.choice(("", "openstack://RegionOne/server-" + name, "server-" + name, "aws:///x/server-" + name))
    return {
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": labels if chance.random() < 0.9 else {}},
        "spec": {"providerID": where},
        "status": {"addresses": [{"type": kind, "address": address} for kind, address in addresses]},
    }  # fmt: skip
