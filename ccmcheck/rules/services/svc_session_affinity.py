"""A session affinity timeout that the load balancer ignores.

What it does: finds `sessionAffinity: ClientIP` with a `timeoutSeconds`.

Why: the load balancer has its own sessions, with another lifetime. Only kube-proxy on the nodes uses the timeout.

What the CCM does: it requests `SOURCE_IP` persistence when it creates a pool, without a timeout. A later change of
`sessionAffinity` does not affect existing pools.

Releases: 1.14 and newer

Fix: by hand.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go buildPoolCreateOpt
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.kubernetes_service import DEFAULT_AFFINITY_SECONDS
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-session-affinity",
    "A session affinity timeout that the load balancer ignores",
    Severity.INFO,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  sessionAffinity: ClientIP
  sessionAffinityConfig:
    clientIP:
      timeoutSeconds: {}
  ports:
  - port: 80
"""

BAD = (
    Case(_SERVICE.format(300), at=(9, 23)),
    Case(_SERVICE.format(60), at=(9, 23), release="1.20"),
)
GOOD = (
    Case(_SERVICE.format(10800)),
    Case(_SERVICE.format(300).replace("sessionAffinity: ClientIP", "sessionAffinity: None")),
    Case(_SERVICE.format("${SECONDS}"), template=True),
    Case(_SERVICE.format("null"), shown=False),
    Case(_SERVICE.format(300) + "  loadBalancerClass: io.cilium/x\n", shown=False),
)

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
