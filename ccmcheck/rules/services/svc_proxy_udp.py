"""PROXY protocol on a UDP or SCTP port.

What it does: finds Services with the annotation `proxy-protocol` and a UDP or SCTP port.

Why: Octavia rejects the whole load balancer, including the TCP ports, with or without monitors.

What the CCM does: it creates a PROXY pool for every port. A UDP or SCTP listener does not support such a pool, and Octavia
returns 400 for every attempt.

Releases: 1.17 and newer; before, the CCM supports TCP ports only

Fix: none; split the Service: the TCP ports with the annotation, the others without.

Source: openstack/octavia 19.0.0, run; cloud-provider-openstack pkg/openstack/loadbalancer.go buildPoolCreateOpt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.pools import datagrams, has_tls, listed, proxied
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-proxy-udp", "PROXY protocol on a UDP or SCTP port", Severity.ERROR, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: dns
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true"
spec:
  type: LoadBalancer
  ports:
    - {name: dns, port: 53, protocol: UDP}
    - {name: dns-tcp, port: 53, protocol: TCP}
"""

BAD = (
    Case(_SERVICE, at=(5, 48)),
    Case(_SERVICE.replace('"true"', "v2").replace("UDP", "SCTP"), at=(5, 48)),
)
GOOD = (
    Case(_SERVICE.replace("UDP", "TCP")),
    Case(_SERVICE.replace('"true"', '"false"')),
    Case(_SERVICE.replace('"true"', "v2"), release="1.30"),
    Case(_SERVICE, release="1.16"),
    Case(_SERVICE.replace("UDP", "${PROTOCOL}"), template=True),
    Case(_SERVICE, conf="[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n", shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the ports of a Service with the annotation."""
    if not service.handled or not service.behaviours["other-than-tcp"]:
        return
    override = proxied(service)
    others = datagrams(service)
    if override is None or not others or service.driver.protocols is not None or has_tls(service):
        return
    protocol = others[0].partition("/")[2]
    yield Problem(
        override.span,
        f"Octavia rejects the whole load balancer: a {protocol} listener does not support a {override.pool} pool",
        f"The annotation applies to every port, including {listed(others)}. Octavia returns 400 for every attempt.",
        "Split the Service: the TCP ports with the annotation, the others in a Service without it.",
    )
