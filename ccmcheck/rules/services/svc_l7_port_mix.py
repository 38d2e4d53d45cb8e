"""An annotation for one protocol on a Service with ports of another."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules._support import pools
from ccmcheck.rules.views.drivers import Driver
from ccmcheck.rules.views.service_view import ServiceView

_SECURE_PORTS = {443: "TLS", 6443: "TLS", 8443: "TLS", 22: "SSH", 2222: "SSH"}
_SECURE_WORDS = {"https": "TLS", "tls": "TLS", "ssl": "TLS", "ssh": "SSH", "sftp": "SSH"}


def check(service: ServiceView) -> Problems:
    """Look at what changes the protocol, then at the driver and the ports."""
    if not service.handled:
        return
    override = pools.proxied(service) or pools.made_http(service)
    if override is None:
        return
    if service.driver.protocols is not None:
        if override.annotated and override.refused_by(service.driver):
            yield _refused(override, service.driver)
        return
    if not override.name.endswith(f"{pools.FORWARDED}`"):
        return
    others = pools.datagrams(service)
    if others and not pools.refuses_monitor(service) and service.behaviours["other-than-tcp"]:
        yield Problem(
            override.span,
            f"makes every port HTTP, so {pools.listed(others)} listens on TCP",
            "UDP and SCTP clients get no answer; where the same number is a TCP port too, Octavia rejects both.",
            "Split the Service: the HTTP ports with the annotation, the others in a Service without it.",
        )
        return
    secure = _secure(service)
    if secure and not others:
        kinds = " and ".join(dict.fromkeys(kind for _, kind in secure))
        yield Problem(
            override.span,
            f"makes every port HTTP, including {pools.listed([port for port, _ in secure])}, where clients use {kinds}",
            "The load balancer expects an HTTP request instead of their handshake, and returns an error.",
            "Split the Service; for TLS use proxy-protocol, which passes it through, or terminate it at the load balancer "
            "with default-tls-container-ref.",
        )


def _refused(override: pools.ProtocolOverride, driver: Driver) -> Problem:
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
