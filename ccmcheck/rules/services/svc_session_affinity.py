"""A session affinity timeout that the load balancer ignores."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.catalog.data.kubernetes_service import DEFAULT_AFFINITY_SECONDS
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Scalar

_PATH = ("spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds")


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the timeout where there is session affinity."""
    if not service.is_taken_for_ours or service.service.affinity != "ClientIP":
        return
    node = service.pair_at(*_PATH)[1]
    if (
        not isinstance(node, Scalar)
        or service.manifest.has_mark(node)
        or integer(node.value) in (None, DEFAULT_AFFINITY_SECONDS)
    ):
        return
    yield Problem(
        service.span_of(*_PATH),
        "ignored by the load balancer, whose session persistence has no timeout",
        "The CCM requests SOURCE_IP persistence when it creates a pool; only kube-proxy uses the timeout.",
    )
