"""PROXY protocol on a UDP or SCTP port."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules._support.pools import datagrams, has_tls, listed, proxied
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the ports of a Service with the annotation."""
    if not service.handled or not service.behaviours["other-than-tcp"]:
        return
    override = proxied(service)
    others = datagrams(service)
    if override is None or not others or service.driver.protocols is not None or has_tls(service):
        return
    yield Problem(
        override.span,
        f"Octavia rejects the whole load balancer: a {others[0].partition('/')[2]} listener does not support a {override.pool} pool",
        f"The annotation applies to every port, including {listed(others)}. Octavia returns 400 for every attempt.",
        "Split the Service: the TCP ports with the annotation, the others in a Service without it.",
    )
