"""A load balancer that another cluster may have made."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at who wrote the ID."""
    live = service.live
    annotation = service.annotation("load-balancer-id")
    if live is None or annotation is None or not service.handled or not live.balancer or live.sharing:
        return
    if _is_known_by_octavia(service):
        return
    renames = "renames it and owns it" if service.behaviours["renames"] else "uses it"
    yield Problem(
        annotation.span,
        f"was written by {live.manager}, not by this cluster's CCM",
        "No other Service of this cluster has this load balancer. If a Service of another cluster has it, this CCM "
        f"{renames}: both clusters replace its members, and deleting either Service deletes it.",
        "Remove the annotation, unless the load balancer was made for this Service.",
    )


def _is_known_by_octavia(service: ServiceView) -> bool:
    """Whether `svc-octavia-other-cluster` reports the load balancer, with what Octavia has of it."""
    cluster = service.run_context.live
    balancer = cluster.balancers.get(service.manifest.subject) if cluster is not None else None
    return balancer is not None and bool(balancer.adoption)
