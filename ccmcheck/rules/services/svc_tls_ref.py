"""An invalid TLS reference, or TLS termination on ports without TLS.

What it does: finds `default-tls-container-ref`, as an annotation or in cloud.conf, that is not a reference to a container or secret of
Barbican, and Services with ports that do not use TLS.

Why: with an invalid reference there is no load balancer. With a valid one the load balancer terminates TLS on every port of the
Service: plain HTTP on port 80 gets an error, and UDP gets no listener.

What the CCM does: it uses the last part of the reference as the ID, and since v1.28.2 the part before as the
kind, `containers` or `secrets`; older releases support containers only. Every listener becomes TERMINATED_HTTPS.

Releases: 1.21 and newer

Fix: none; write `https://BARBICAN/v1/containers/UUID`, or split the Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go checkService and buildListenerCreateOpt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import spelling
from ccmcheck.rules._support.pools import (
    TLS,
    datagrams,
    listed,
    made_http,
    refuses_monitor,
)
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView
    from ccmcheck.rules._support.pools import ProtocolOverride

META = Meta(
    "svc-tls-ref",
    "An invalid TLS reference, or TLS termination on ports without TLS",
    Severity.WARNING,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/default-tls-container-ref: https://barbican/v1/containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
spec:
  type: LoadBalancer
  ports:
    - {name: https, port: 443}
    - {name: http, port: 80}
"""
_ALONE = _SERVICE.replace("    - {name: http, port: 80}\n", "")
_PLAIN = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  ports:
    - {name: http, port: 80}
"""
_CONF = "[LoadBalancer]\ndefault-tls-container-ref = https://b/v1/containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11\n"

BAD = (
    Case(_SERVICE, at=(5, 59)),
    Case(_ALONE.replace("containers/", "container/"), at=(5, 59), severity=Severity.ERROR),
    Case(_ALONE.replace("containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", "containers/shop"), at=(5, 59)),
    Case(_ALONE.replace("containers", "secrets"), at=(5, 59), release="1.25", shown=False, severity=Severity.ERROR),
    Case(_PLAIN, at=(6, 3), conf=_CONF, shown=False),
    Case(_SERVICE.replace("port: 80", "port: 53, protocol: UDP"), at=(5, 59), shown=False),
)
GOOD = (
    Case(_ALONE),
    Case(_ALONE.replace("containers", "secrets")),
    Case(_SERVICE, release="1.20"),
    Case(_PLAIN),
    Case(
        _ALONE.replace("https://barbican/v1/containers/1c0d", "file:///tls/1c0d"),
        conf="[LoadBalancer]\ncontainer-store = external\n",
    ),
    Case(_ALONE.replace("https://barbican/v1/containers/1c0d8b6e", "${REF}"), template=True),
    Case(
        _SERVICE.replace("port: 80", "port: 53, protocol: UDP"),
        conf="[LoadBalancer]\ncreate-monitor = yes\n",
        shown=False,
    ),
    Case(_SERVICE, conf="[LoadBalancer]\nlb-provider = ovn\n", shown=False),
    Case(_SERVICE.replace("https://barbican/v1/containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11", "<ref>"), shown=False),
)

PLAIN_PORTS = frozenset({80, 8080})


def check(service: ServiceView) -> Iterator[Problem]:
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
        f"{override.name} terminates TLS on every port, including {ports}, {why}",
        "Every listener of the Service becomes TERMINATED_HTTPS.",
        "Split the Service: the TLS ports with the annotation, the others in a Service without it."
        if override.annotated
        else "Remove it from cloud.conf, and set the annotation on Services where every port is TLS.",
    )
