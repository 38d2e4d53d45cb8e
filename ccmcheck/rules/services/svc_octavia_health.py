"""A load balancer that does not work."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Report what Octavia says."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    if balancer is not None and balancer.lost:
        yield Problem(
            service.span_of("metadata", "name"),
            f"load balancer {balancer.id}: {balancer.lost}",
            "Clients of that address are cut off. The next sync publishes the address that the load balancer has then.",
            f"Give it back: `{balancer.attach}`."
            if balancer.attach
            else "Tell the clients, or their DNS, the new address.",
        )
    for words in balancer.health if balancer is not None else ():
        yield Problem(
            service.span_of("metadata", "name"),
            f"load balancer {balancer.id if balancer is not None else ''}: {words}",
            "The CCM does not look at the health of load balancers, and the Service keeps its address.",
            f"`openstack loadbalancer status show {balancer.id if balancer is not None else ''}` shows each pool and member.",
        )
