"""A UDP or SCTP monitor of an HTTP pool."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules._support.pools import datagrams, listed, made_http, refuses_monitor
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
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
        f"Octavia rejects the whole load balancer: the pool of {listed(others)} is {override.pool}, without {kind} monitors",
        f"{override.name} makes every pool {override.pool}. Without monitors Octavia accepts it, and listens on TCP there.",
        'Split the Service, or set the annotation loadbalancer.openstack.org/enable-health-monitor: "false".',
    )
