"""An invalid TLS reference, or TLS termination on ports without TLS."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules._support import spelling
from ccmcheck.rules._support.pools import TLS, ProtocolOverride, datagrams, listed, made_http, refuses_monitor
from ccmcheck.rules.views.service_view import ServiceView

PLAIN_PORTS = frozenset({80, 8080})


def check(service: ServiceView) -> Problems:
    """Look at the reference, then at the ports."""
    if not service.is_ours or service.driver.protocols is not None:
        return
    reference = service.annotation(TLS)
    if reference is not None and spelling.placeholder(reference.text or ""):
        return
    wrong = service.wrong_tls_reference
    if reference is not None and wrong is not None:
        yield Problem(
            reference.span,
            wrong.why,
            "The CCM fails, and the Service gets no load balancer.",
            "Write `https://BARBICAN/v1/containers/UUID`, as `openstack secret container list` shows it.",
            # an ID that is no UUID may stand for one
            severity=Severity.ERROR if wrong.is_certain else None,
        )
        return
    override = made_http(service)
    if override is None or override.listener != "TERMINATED_HTTPS":
        return
    others = datagrams(service)
    if others and not refuses_monitor(service):
        yield _all_ports(override, listed(others), "which then listens on TCP, so its clients get no answer")
    elif not others:
        plain = [
            f"{port.port}" for port in service.service.ports if port.port in PLAIN_PORTS or port.name.lower() == "http"
        ]
        if plain:
            yield _all_ports(override, listed(plain), "where clients use plain HTTP and get an error")


def _all_ports(override: ProtocolOverride, ports: str, why: str) -> Problem:
    return Problem(
        override.span,
        f"{'' if override.annotated else f'{override.name} '}terminates TLS on every port, including {ports}, {why}",
        "The CCM makes every listener of the Service TERMINATED_HTTPS.",
        "Split the Service: the TLS ports with the annotation, the others in a Service without it."
        if override.annotated
        else "Remove it from cloud.conf, and set the annotation on Services where every port is TLS.",
    )
