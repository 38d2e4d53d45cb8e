"""A session affinity timeout that the load balancer ignores."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.kubernetes_service import DEFAULT_AFFINITY_SECONDS
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Scalar

_PATH = ("spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds")


def check(service: ServiceView) -> Problems:
    """Look at the timeout where there is session affinity."""
    if not service.is_taken_for_ours or service.service.affinity != "ClientIP":
        return
    node = service.pair_at(*_PATH)[1]
    if not isinstance(node, Scalar) or service.manifest.has_mark(node):
        return
    if integer(node.value) not in (None, DEFAULT_AFFINITY_SECONDS):
        yield Problem(
            service.span_of(*_PATH),
            "the load balancer ignores timeoutSeconds: its session persistence has no timeout",
            "The CCM asks Octavia for SOURCE_IP persistence, which does not end; kube-proxy alone uses the timeout.",
            "Remove it, unless kube-proxy's timeout is what is meant.",
        )
