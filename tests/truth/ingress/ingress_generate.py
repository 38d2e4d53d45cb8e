"""Generated values for the charts of ingress controllers: what people write there for a Service of type LoadBalancer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

PREFIX = "loadbalancer.openstack.org/"


def values(random: Random, chart: str) -> dict[str, Any]:
    """Values for one chart."""
    return {
        "ingress-nginx": _nginx,
        "traefik": _traefik,
        "kubernetes-ingress": _haproxytech,
        "haproxy-ingress": _haproxy_ingress,
        "gateway": _istio,
        "cilium": _cilium,
    }[chart](random)


def _annotations(random: Random) -> dict[str, Any]:
    return {
        PREFIX + name: value
        for name, value in (
            ("proxy-protocol", random.choice(("true", "v2"))),
            ("enable-health-monitor", "false"),
            ("timeout-client-data", "50000"),
        )
        if random.random() < 0.5
    }


def _common(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {"annotations": _annotations(random)} if random.random() < 0.8 else {}
    if random.random() < 0.5:
        found["externalTrafficPolicy"] = random.choice(("Local", "Cluster", ""))
    if random.random() < 0.3:
        found["loadBalancerSourceRanges"] = random.choice((["192.0.2.0/24"], []))
    if random.random() < 0.3:
        found["loadBalancerIP"] = random.choice(("192.0.2.1", ""))
    if random.random() < 0.4:
        found["type"] = random.choice(("LoadBalancer", "NodePort", "ClusterIP"))
    return found


def _nginx(random: Random) -> dict[str, Any]:
    service = _common(random)
    for switch in ("enableHttp", "enableHttps"):
        if random.random() < 0.2:
            service[switch] = random.choice((True, False))
    if random.random() < 0.3:
        service["ports"] = {"http": 8080, "https": 8443}
    if random.random() < 0.3:
        service["annotations"] = {**service.get("annotations", {}), PREFIX + "keep-floatingip": True}
    if random.random() < 0.3:
        internal = _common(random)
        internal.pop("type", None)
        service["internal"] = {"enabled": random.random() < 0.8, **internal}
    if random.random() < 0.1:
        service["external"] = {"enabled": False}
    found: dict[str, Any] = {"controller": {"service": service}}
    if random.random() < 0.2:
        found["tcp"] = {"2222": "default/ssh:22"}
    if random.random() < 0.2:
        found["fullnameOverride"] = "front"
    return found


def _traefik(random: Random) -> dict[str, Any]:
    common = _common(random)
    annotations = common.pop("annotations", None)
    service: dict[str, Any] = {"spec": common} if common else {}
    if annotations is not None:
        service["annotations"] = annotations
    if random.random() < 0.2:
        service["annotationsTCP"] = {PREFIX + "proxy-protocol": "false", PREFIX + "class": "tcp"}
    for field in ("externalTrafficPolicy", "loadBalancerIP"):  # an empty text is written as it is, which is refused
        if common.get(field) == "":
            del common[field]
    found: dict[str, Any] = {"service": service}
    if random.random() < 0.3:
        found["ports"] = {"web": {"exposedPort": 8080}}
    elif random.random() < 0.2:
        found["ports"] = {"web": {"expose": {"default": False}}}
    return found


def _haproxytech(random: Random) -> dict[str, Any]:
    service = _common(random)
    if random.random() < 0.4:
        service["enablePorts"] = {random.choice(("http", "https", "quic", "stat", "admin")): False}
    if random.random() < 0.2:
        service["tcpPorts"] = [{"name": "ssh", "port": 2222, "targetPort": 22}]
    return {"controller": {"service": service}}


def _haproxy_ingress(random: Random) -> dict[str, Any]:
    service = _common(random)
    if random.random() < 0.3:
        service["httpPorts"] = [{"port": 8080, "targetPort": "http"}]
    return {"controller": {"service": service}}


def _istio(random: Random) -> dict[str, Any]:
    service = _common(random)
    if random.random() < 0.3:
        service["ports"] = [{"name": "https", "port": 8443, "protocol": "TCP", "targetPort": 443}]
    return {"service": service}


def _cilium(random: Random) -> dict[str, Any]:
    service = _common(random)
    return {"ingressController": {"enabled": random.random() < 0.8, "service": service}}
