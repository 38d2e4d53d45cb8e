"""A load balancer that belongs to another cluster, too."""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules.views.service_view import ServiceView

_WORDS = {row[0]: row[1:] for row in read_table(__file__, "other_clusters.tsv")}
"""What is said of a load balancer, and what to do, by how it came to two clusters."""


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
