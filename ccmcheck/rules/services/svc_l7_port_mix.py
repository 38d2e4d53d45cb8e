"""An annotation for one protocol on a Service with ports of another.

What it does: finds `proxy-protocol`, `x-forwarded-for` or `default-tls-container-ref` with provider ovn, which supports TCP, UDP
and SCTP only; and `x-forwarded-for` on a Service with ports for TLS, SSH, UDP or SCTP.

Why: the annotation applies to every port of the Service. X-Forwarded-For makes each of them HTTP: the load balancer sends a TLS or SSH
client an HTTP error, and listens on TCP instead of UDP.

What the CCM does: it creates HTTP listeners and pools for all ports. ovn rejects them, and PROXY pools, with 501: the Service
gets no load balancer.

Releases: 1.14 and newer

Fix: none; split the Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go buildListenerCreateOpt, #2854; openstack/octavia 19.0.0 and
ovn-octavia-provider 11.0.0, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.pools import FORWARDED, datagrams, listed, made_http, proxied, refuses_monitor
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.drivers import Driver
    from ccmcheck.objects.service_view import ServiceView
    from ccmcheck.rules._support.pools import ProtocolOverride

META = Meta(
    "svc-l7-port-mix",
    "An annotation for one protocol on a Service with ports of another",
    Severity.WARNING,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/x-forwarded-for: "true"
spec:
  type: LoadBalancer
  ports:
    - {name: http, port: 80}
    - {name: https, port: 443}
"""
_OVN = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
_UDP = _SERVICE.replace("{name: https, port: 443}", "{name: quic, port: 443, protocol: UDP}")
_TLS = _SERVICE.replace(
    'x-forwarded-for: "true"',
    "default-tls-container-ref: https://barbican/v1/containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11",
)

BAD = (
    Case(_SERVICE, at=(5, 49)),
    Case(_SERVICE.replace("x-forwarded-for", "proxy-protocol"), at=(5, 48), conf=_OVN, severity=Severity.ERROR),
    Case(_UDP, at=(5, 49), conf="[LoadBalancer]\ncreate-monitor = false\n", shown=False),
    Case(_SERVICE, at=(5, 49), conf=_OVN, severity=Severity.ERROR, shown=False),
    Case(_TLS, at=(5, 59), conf=_OVN, severity=Severity.ERROR, shown=False),
    Case(_SERVICE.replace("{name: https, port: 443}", "{name: git, port: 22}"), at=(5, 49), shown=False),
)
GOOD = (
    Case(_SERVICE.replace("{name: https, port: 443}", "{name: alt, port: 8080}")),
    Case(_SERVICE.replace("x-forwarded-for", "proxy-protocol")),
    Case(_SERVICE.replace('"true"', '"false"'), conf=_OVN),
    Case(_TLS.replace("{name: http, port: 80}\n    - ", "")),
    Case(_UDP, conf="[LoadBalancer]\ncreate-monitor = true\n", shown=False),
    Case(_SERVICE.replace("x-forwarded-for", "proxy-protocol"), conf=_OVN.replace("ovn", "${P}"), shown=False),
)

_SECURE_PORTS = {443: "TLS", 6443: "TLS", 8443: "TLS", 22: "SSH", 2222: "SSH"}
_SECURE_WORDS = {"https": "TLS", "tls": "TLS", "ssl": "TLS", "ssh": "SSH", "sftp": "SSH"}


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at what changes the protocol, then at the driver and the ports."""
    if not service.handled:
        return
    override = proxied(service) or made_http(service)
    if override is None:
        return
    if service.driver.protocols is not None:
        if override.annotated and override.refused_by(service.driver):
            yield _refused(override, service.driver)
        return
    if not override.name.endswith(f"{FORWARDED}`"):
        return
    others = datagrams(service)
    if others and not refuses_monitor(service) and service.behaviours["other-than-tcp"]:
        yield Problem(
            override.span,
            f"makes every port HTTP, so {listed(others)} listens on TCP",
            "UDP and SCTP clients get no answer; where the same number is a TCP port too, Octavia rejects both.",
            "Split the Service: the HTTP ports with the annotation, the others in a Service without it.",
        )
        return
    secure = _secure(service)
    if secure and not others:
        kinds = " and ".join(dict.fromkeys(kind for _, kind in secure))
        yield Problem(
            override.span,
            f"makes every port HTTP, including {listed([port for port, _ in secure])}, where clients use {kinds}",
            "The load balancer expects an HTTP request instead of their handshake, and returns an error.",
            "Split the Service; for TLS use proxy-protocol, which passes it through, or terminate it at the load balancer "
            "with default-tls-container-ref.",
        )


def _refused(override: ProtocolOverride, driver: Driver) -> Problem:
    return Problem(
        override.span,
        f"{driver.title} does not support {override.refused_by(driver)}: it rejects the whole load balancer",
        "It only forwards TCP, UDP and SCTP; it returns 501 for every attempt.",
        "Remove the annotation: with externalTrafficPolicy Local the pods see the client's address without it."
        if override.listener != "TERMINATED_HTTPS"
        else "Remove the annotation, and terminate TLS in the cluster.",
        severity=Severity.ERROR,
    )


def _secure(service: ServiceView) -> list[tuple[str, str]]:
    """The ports on which clients use TLS or SSH, by their numbers and names."""
    found = []
    for port in service.service.ports:
        words = port.name.lower().replace("_", "-").split("-")
        kind = next((_SECURE_WORDS[word] for word in words if word in _SECURE_WORDS), "")
        kind = kind or _SECURE_PORTS.get(port.port, "")
        if kind and port.protocol == "TCP":
            found.append((str(port.port), kind))
    return found
