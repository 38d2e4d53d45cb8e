"""Configurations and Services for the comparison of policies with rules: each annotation and field, right and wrong."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

PREFIX = "loadbalancer.openstack.org/"
REFERENCE = "https://barbican.example.org/v1/containers/0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"
UUID = "9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90"

Object = dict[str, Any]


class Configuration(NamedTuple):
    """What the policies are made for.

    Attributes:
        name: Of its namespace.
        release: The CCM's.
        conf: The cloud.conf.
    """

    name: str
    release: str
    conf: str


CONFIGURATIONS = (
    Configuration("plain", "v1.36.0", "[LoadBalancer]\n"),
    Configuration("monitors", "v1.36.0", "[LoadBalancer]\ncreate-monitor = true\nmonitor-delay = 2s\n"),
    Configuration(
        "ovn", "v1.31.2", "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n"
    ),
    Configuration("ovn-plain", "v1.36.0", "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"),
    Configuration("old", "v1.22.2", '[LoadBalancer]\n[LoadBalancerClass "gold"]\nfloating-network-id = x\n'),
    Configuration(
        "class",
        "v1.28.3",
        f'[LoadBalancer]\ncreate-monitor = true\n[LoadBalancerClass "o\'gold"]\nsubnet-id = {UUID}\n',
    ),
    Configuration("tls", "v1.33.1", f"[LoadBalancer]\ndefault-tls-container-ref = {REFERENCE}\n"),
    Configuration("off", "v1.36.0", "[LoadBalancer]\nenabled = false\n"),
)

_NUMBERS = (
    "", "0", "1", "2", "3", "5", "007", "+10", "-1", "-5", "99", "999", "1000", "50000", "2147483647", "2147483648", "5s", "1.5", " 5",
    "5\n", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0x10", "1_000",
    "0" * 40 + "7", "9" * 19, "9" * 30, "٥", "true",
)  # fmt: skip
_BOOLS = ("true", "false", "True", "yes", "", " true", "1")
VALUES: dict[str, tuple[str, ...]] = {
    "enable-health-monitor": _BOOLS,
    "keep-floatingip": _BOOLS,
    "x-forwarded-for": (*_BOOLS, "true", "true", "true"),
    "proxy-protocol": ("true", "false", "v1", "v2", "v3", "", "True", "true", "true"),
    "health-monitor-delay": _NUMBERS,
    "health-monitor-timeout": _NUMBERS,
    "health-monitor-max-retries": (*_NUMBERS, "10", "11"),
    "health-monitor-max-retries-down": (*_NUMBERS, "10", "11"),
    "timeout-client-data": (*_NUMBERS, "2073600000", "2073600001"),
    "timeout-member-connect": _NUMBERS,
    "timeout-member-data": _NUMBERS,
    "timeout-tcp-inspect": _NUMBERS,
    "connection-limit": _NUMBERS,
    "floating-network-id": (
        UUID,
        "public",
        "",
        UUID.upper(),
        UUID.replace("-", ""),
        f"{{{UUID}}}",
        f"{UUID}\n",
        "é" * 40,
    ),
    "network-id": (UUID, "net"),
    "subnet-id": (UUID, "sub", ""),
    "member-subnet-id": (UUID, "sub"),
    "port-id": (UUID, "port"),
    "flavor-id": (UUID, "large", ""),
    "availability-zone": ("az-1", ""),
    "lb-method": ("ROUND_ROBIN", "SOURCE_IP", "SOURCE_IP_PORT", "LEAST_CONNECTIONS", "round_robin", "", "x"),
    "hostname": ("web.example.org", "web_1", "192.0.2.1", "", "WEB", "a." * 20, "-a", "a-", "a..b", "web.1a", "a\nb"),
    "class": ("gold", "o'gold", "silver", "", "a\\b", "ünïcode"),
    "default-tls-container-ref": (
        REFERENCE,
        "cert",
        REFERENCE.replace("containers", "secrets"),
        REFERENCE + "x",
        "",
        "a\nb",
    ),
    "create-monitor": ("true",),
    "load-balancer-id": (UUID,),
    "load-balancer-address": ("192.0.2.7",),
    "enable-healthmonitor": ("true",),
    "nonsense": ("x",),
    "node-selector": ("env=prod",),
}
"""By the annotation's name without its prefix."""
OTHERS: dict[str, tuple[str, ...]] = {
    "service.beta.kubernetes.io/openstack-internal-load-balancer": _BOOLS,
    "service.beta.kubernetes.io/load-balancer-source-ranges": ("192.0.2.0/24", "0.0.0.0/0", "10.0.0.0/8, 192.0.2.0/24"),
    "metallb.universe.tf/address-pool": ("pool",),
    "example.org/own": ("x",),
}
_PORTS = ((80, "TCP"), (443, "TCP"), (53, "UDP"), (53, "TCP"), (3868, "SCTP"), (8080, "TCP"))


def services(seed: int, number: int) -> list[Object]:
    """Services: each annotation with each value alone, then several of them with ports and policies at random."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    known = {**{PREFIX + name: values for name, values in VALUES.items()}, **OTHERS}
    found = [_service({name: value}, {}) for name, values in known.items() for value in dict.fromkeys(values)]
    names = list(known)
    while len(found) < number:
        chosen = chance.sample(names, chance.choice((0, 1, 1, 2, 2, 3, 5)))
        spec: Object = {}
        ports = chance.sample(_PORTS, chance.choice((1, 1, 2, 3)))
        spec["ports"] = [
            {"name": f"p{index}", "port": port, "protocol": protocol} for index, (port, protocol) in enumerate(ports)
        ]
        if chance.random() < 0.5:
            spec["externalTrafficPolicy"] = chance.choice(("Local", "Local", "Cluster"))
        if chance.random() < 0.1:
            spec["allocateLoadBalancerNodePorts"] = False
            if chance.random() < 0.5:
                spec["ports"][0]["nodePort"] = 30000 + chance.randrange(2000)
        if chance.random() < 0.15:
            spec["loadBalancerSourceRanges"] = chance.choice((["192.0.2.0/24"], ["0.0.0.0/0"], ["10.0.0.0/8", "::/0"]))
        if chance.random() < 0.2:
            spec["sessionAffinity"] = "ClientIP"
        if chance.random() < 0.2:
            spec["ports"][0]["name"] = chance.choice(("http", "HTTP-x".lower(), "https"))
        if chance.random() < 0.05:
            spec["loadBalancerClass"] = "example.org/other"
        if chance.random() < 0.05:
            spec["type"] = chance.choice(("NodePort", "ClusterIP"))
            spec = {"type": spec["type"], "ports": [{**port, "nodePort": 0} for port in spec["ports"]]}
        found.append(_service({name: chance.choice(known[name]) for name in chosen}, spec))
    return found


def _service(annotations: dict[str, str], spec: Object) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "annotations": annotations},
        "spec": {
            "type": "LoadBalancer",
            "selector": {"app": "web"},
            "ports": [{"port": 80, "protocol": "TCP"}],
            **spec,
        },
    }
