"""Manifests of Services, most of them with something wrong: each mutation alone, then several at random."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

BASE: Json = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "namespace": "shop", "annotations": {}, "labels": {"app": "web"}},
    "spec": {
        "type": "LoadBalancer",
        "selector": {"app": "web"},
        "ports": [{"name": "http", "port": 80}, {"name": "dns", "port": 53, "protocol": "UDP"}],
    },
}

ODD: tuple[object, ...] = (
    None,
    True,
    0,
    1,
    -1,
    1.5,
    8.0,
    70000,
    "",
    "x",
    "80",
    "true",
    "None",
    [],
    ["x"],
    [1],
    {},
    {"a": "b"},
)
"""Put in the place of every field."""

WORDS: dict[str, tuple[object, ...]] = {
    "metadata.name": ("1web", "Web", "a_b", "a" * 64, "a-", "-a", "web.shop", "w"),
    "metadata.namespace": ("1shop", "Shop", "a" * 64, "a-b"),
    "metadata.generateName": ("web-", "1-"),
    "metadata.labels": (
        {"version": 1.0},
        {"a b": "c"},
        {"app": "a b"},
        {"app": ""},
        {"x/y/z": "1"},
        {"a": "x" * 64},
        {"on": True},
    ),
    "metadata.annotations": (
        {"a": True},
        {"a": 5},
        {"a": None},
        {"a b": "c"},
        {"A/b": "c"},
        {"a": "x" * 300000},
        {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, 192.0.2.0/24"},
        {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.1"},
        {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.1/8"},
        {"service.beta.kubernetes.io/load-balancer-source-ranges": " "},
    ),
    "spec.type": ("loadbalancer", "Loadbalancer", "LB", "LoadBalancer"),
    "spec.externalTrafficPolicy": ("local", "Local", "Cluster", "Global"),
    "spec.externalTrafficpolicy": ("Local",),
    "spec.loadBalancerSourceRange": (["10.0.0.0/8"],),
    "spec.sessionAffinity": ("clientip", "ClientIP", "None"),
    "spec.sessionAffinityConfig": (
        {"clientIP": {"timeoutSeconds": 10}},
        {"clientIP": {"timeoutSeconds": 0}},
        {"clientIP": {"timeoutSeconds": "10"}},
        {"clientIP": {}},
        {"clientIp": {"timeoutSeconds": 10}},
    ),
    "spec.healthCheckNodePort": (80, 30000, 32767, 32768, 31000, "31000", 0),
    "spec.loadBalancerSourceRanges": (
        ["10.0.0.0/8"],
        ["10.0.0.1"],
        ["10.0.0.1/8"],
        [" 10.0.0.0/8 "],
        ["::/0"],
        ["fe80::1/64"],
        ["::ffff:10.0.0.0/104"],
        ["010.0.0.0/8"],
        ["10.0.0.0/33"],
        ["10.0.0.0/08"],
        ["0.0.0.0/0", "x"],
        [""],
        ["10.0.0.0/8,10.1.0.0/16"],
    ),
    "spec.loadBalancerIP": ("192.0.2.1", "foo", "192.0.2.1/32"),
    "spec.loadBalancerClass": ("example.com/x", "x", "", "a b", "X/y", "a/b/c"),
    "spec.clusterIP": ("None", "10.96.0.10", "10.96.0", "", "fd00:10:96::5"),
    "spec.externalIPs": (
        ["192.0.2.1"],
        ["127.0.0.1"],
        ["0.0.0.0"],  # noqa: S104 - nothing binds here
        ["169.254.1.1"],
        ["224.0.0.1"],
        ["x"],
        ["2001:db8::1"],
    ),
    "spec.ipFamilies": (["IPv4"], ["IPv4", "IPv6"], ["IPv4", "IPv4"], ["ipv4"], ["IPv6"], ["IPv4", "IPv6", "IPv4"]),
    "spec.ipFamilyPolicy": ("SingleStack", "PreferDualStack", "RequireDualStack", "Dual", "singlestack"),
    "spec.internalTrafficPolicy": ("Local", "local", "Cluster"),
    "spec.trafficDistribution": ("PreferClose", "preferclose", "PreferSameZone"),
    "spec.allocateLoadBalancerNodePorts": (False, True, "false"),
    "spec.publishNotReadyAddresses": (False, "true"),
    "spec.selector": ({"app": 1}, {"a b": "c"}, {"app": "x" * 64}),
    "spec.ports.0.port": ("80", 80.5, 0, 65535, 65536, 53),
    "spec.ports.0.name": ("HTTP", "http_1", "dns", "a" * 64, "h", "1", "-a"),
    "spec.ports.0.protocol": ("tcp", "UDP", "SCTP", "HTTP", ""),
    "spec.ports.0.targetPort": (
        8080,
        "http",
        "8080",
        "HTTP",
        "a_b",
        0,
        65536,
        "a" * 16,
        "a--b",
        "-a",
        "1a",
        1.5,
        True,
        "",
    ),
    "spec.ports.0.appProtocol": ("http", "kubernetes.io/h2c", "a b", "", "HTTP"),
    "spec.ports.0.nodePort": (30080, 80, 99999, "30080", 0, 32767),
    "spec.ports.0.hostPort": (80,),
    "spec.ports.1.nodePort": (30080,),
    "status": ({"loadBalancer": {}}, {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}),
    "specs": ({},),
}
"""Put in the places that they name."""

PAIRS: tuple[dict[str, object], ...] = (
    {"spec.externalTrafficPolicy": "Local", "spec.healthCheckNodePort": 31000},
    {"spec.externalTrafficPolicy": "Local", "spec.healthCheckNodePort": 30080, "spec.ports.0.nodePort": 30080},
    {"spec.externalTrafficPolicy": "Local", "spec.healthCheckNodePort": 80},
    {"spec.ports.0.nodePort": 30080, "spec.ports.1.nodePort": 30080},
    {"spec.ports.0.nodePort": 30080, "spec.ports.1.nodePort": 30080, "spec.ports.1.port": 80},
    {"spec.ports.0.nodePort": 30080, "spec.ports.1.nodePort": 30081, "spec.ports.1.port": 80},
    {"spec.ports.1.port": 80, "spec.ports.1.protocol": "TCP"},
    {"spec.ports.1.port": 80},
    {"spec.ipFamilies": ["IPv4", "IPv6"], "spec.ipFamilyPolicy": "PreferDualStack"},
    {"spec.ipFamilies": ["IPv4", "IPv6"], "spec.ipFamilyPolicy": "SingleStack"},
    {"spec.sessionAffinity": "ClientIP", "spec.sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 0}}},
    {"spec.sessionAffinity": "ClientIP", "spec.sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}}},
    {"spec.sessionAffinity": "ClientIP", "spec.sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}}},
    {"spec.sessionAffinity": "ClientIP", "spec.sessionAffinityConfig": {}},
    {"spec.clusterIP": "10.96.0.10", "spec.clusterIPs": ["10.96.0.10"]},
    {"spec.ports": [{"port": 80}]},
    {"spec.ports": [{"port": 80}, {"port": 81}]},
    {"spec.ports": [{"port": 80, "name": "a"}, {"port": 81}]},
    {"spec.ports": [{"targetPort": 80}]},
    {"spec.ports": [{"name": "a", "port": 80}, 443]},
)


def put(body: Json, path: str, value: object) -> Json:
    """A copy of a manifest with one field changed; the value ``...`` takes it out."""
    body = copy.deepcopy(body)
    at: Any = body
    *parents, last = path.split(".")
    for part in parents:
        nearer = at[int(part)] if isinstance(at, list) else at.get(part)
        if not isinstance(nearer, dict | list):
            return body
        at = nearer
        if isinstance(at, list) and not at:
            return body
    if isinstance(at, list):
        at[int(last)] = None if value is ... else value
    elif value is ...:
        at.pop(last, None)
    else:
        at[last] = value
    return body


def _places() -> Iterator[str]:
    fields = (
        "metadata spec metadata.name metadata.namespace metadata.labels metadata.annotations spec.type spec.ports "
        "spec.ports.0 spec.selector spec.ports.0.port spec.ports.0.name spec.ports.0.protocol spec.ports.0.targetPort "
        "spec.ports.0.nodePort spec.ports.0.appProtocol"
    )
    yield from fields.split()
    yield from (path for path in WORDS if path.startswith("spec.") and path.count(".") == 1)


def single() -> Iterator[Json]:
    """Each mutation alone, also of a Service of policy Local."""
    yield BASE
    for path in dict.fromkeys(_places()):
        for value in (*ODD, ...):
            yield put(BASE, path, value)
    for path, values in WORDS.items():
        for value in values:
            yield put(BASE, path, value)
    for pair in PAIRS:
        body = BASE
        for path, value in pair.items():
            body = put(body, path, value)
        yield body


def at_random(count: int, seed: int) -> Iterator[Json]:
    """Up to four mutations together.

    Args:
        count: How many.
        seed: What chance depends on.
    """
    chance = random.Random(seed)  # noqa: S311 - no secret depends on it
    for _ in range(count):
        body = BASE
        for _ in range(chance.randint(2, 4)):
            path = chance.choice(list(WORDS))
            body = put(body, path, chance.choice(WORDS[path]))
        yield body
