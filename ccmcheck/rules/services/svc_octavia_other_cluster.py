"""A load balancer that belongs to another cluster, too."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules.views.service_view import ServiceView

_OWN_NAME = "Give each cluster its own --cluster-name."
_COPIED = "Remove the annotation load-balancer-id, which came with a copied Service, so that it gets its own."
_WORDS = {
    "renamed next": ("belongs to cluster {}: the next sync renames it, and that cluster loses it", _COPIED),
    "shared": ("belongs to cluster {}, too", _COPIED),
    "was renamed": (
        "was made by cluster {}, and renamed since",
        "If that is another cluster and not an earlier name of this one, it has lost it: create its Service again there.",
    ),
    "same name": (
        "has members, and none of them is a node of this cluster: another cluster has the same name",
        _OWN_NAME,
    ),
}


def check(service: ServiceView) -> Problems:
    """Report how the load balancer came to two clusters."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    if balancer is None or balancer.adoption not in _WORDS:
        return
    label, help_ = _WORDS[balancer.adoption]
    yield Problem(
        service.span_of("metadata", "name"),
        f"load balancer {balancer.id} {label.format(balancer.other_cluster)}",
        f"Its name is {balancer.name}." if balancer.name else "",
        help_,
        severity=Severity.WARNING if balancer.adoption == "was renamed" else None,
    )
