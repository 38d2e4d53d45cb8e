"""A UDP or SCTP monitor of an HTTP pool.

What it does: finds Services with a UDP or SCTP port, `x-forwarded-for` or a TLS reference, and health monitors on.

Why: Octavia accepts such a Service without monitors and rejects it with them: enabling monitors for the whole cluster
breaks it.

What the CCM does: it creates HTTP pools for all ports, and requests a UDP-CONNECT or SCTP monitor for the port's own protocol. An
HTTP pool does not support such a monitor; Octavia rejects the whole load balancer with 400.

Releases: 1.18 and newer

Fix: none; split the Service, or set the annotation `enable-health-monitor: "false"`.

Source: openstack/octavia 19.0.0, run; cloud-provider-openstack pkg/openstack/loadbalancer.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.pools import datagrams, listed, made_http, refuses_monitor
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-l7-monitor-udp",
    "A UDP or SCTP monitor of an HTTP pool",
    Severity.ERROR,
    kinds=("Service",),
    needs=("the cloud.conf",),
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
    - {name: quic, port: 443, protocol: UDP}
"""
_CONF = "[LoadBalancer]\ncreate-monitor = true\n"
_PLAIN = _SERVICE.replace('  annotations:\n    loadbalancer.openstack.org/x-forwarded-for: "true"\n', "")
_REF = "default-tls-container-ref = https://barbican/v1/containers/1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11\n"

BAD = (
    Case(_SERVICE, at=(5, 49), conf=_CONF),
    Case(_PLAIN, at=(6, 3), conf=_CONF + _REF),
    Case(
        _SERVICE.replace("spec:", '    loadbalancer.openstack.org/enable-health-monitor: "true"\nspec:'),
        at=(5, 49),
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE, conf="[LoadBalancer]\ncreate-monitor = false\n"),
    Case(_SERVICE.replace("UDP", "TCP"), conf=_CONF),
    Case(_SERVICE),
    Case(_PLAIN, conf=_CONF),
    Case(_SERVICE, conf=_CONF + "lb-provider = ovn\n", shown=False),
    Case(_SERVICE.replace("  ports:", "  externalTrafficPolicy: Local\n  ports:"), conf=_CONF, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look for monitors, then for what makes the ports HTTP."""
    if not service.is_ours or not service.behaviours["other-than-tcp"] or not refuses_monitor(service):
        return
    others = datagrams(service)
    override = made_http(service)
    if override is None:
        return
    protocol = others[0].partition("/")[2]
    kind = "UDP-CONNECT" if protocol == "UDP" else protocol
    yield Problem(
        override.span,
        f"Octavia rejects the whole load balancer: with {override.name} the pool of {listed(others)} is {override.pool}, which "
        f"does not support a {kind} monitor",
        "Without monitors it accepts the Service, and listens on TCP there.",
        'Split the Service, or set the annotation loadbalancer.openstack.org/enable-health-monitor: "false".',
    )
