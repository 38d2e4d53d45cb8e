"""An invalid health check node port or NodePort.

What it does: finds `healthCheckNodePort` without `externalTrafficPolicy: Local`, equal to a NodePort of the Service, or outside the
default range of NodePorts; and NodePorts outside that range. In a running cluster, the API server has judged them already.

Why: the API server rejects the Service. Where the cluster's own range is wider, security groups that open the default range
block the check, and every node is marked as down.

What the CCM does: it configures the health monitor of a Local Service to check this port on every node.

Releases: all

Fix: by hand: remove it, so that Kubernetes allocates a free port.

Source: Kubernetes kube-apiserver --service-node-port-range, pkg/registry/core/service/storage, 1.36, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-hcnp-range",
    "An invalid health check node port or NodePort",
    Severity.WARNING,
    per_release=False,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: {}
  ports:
  - port: 80
    nodePort: 30080
"""

BAD = (
    Case(_SERVICE.format(10256), at=(7, 24)),
    Case(_SERVICE.format(30080), at=(7, 24), severity=Severity.ERROR),
    Case(_SERVICE.format(31000).replace("Local", "Cluster"), at=(7, 24), severity=Severity.ERROR),
    Case(_SERVICE.format(31000).replace("30080", "8080"), at=(10, 15)),
    Case(
        _SERVICE.format(31000).replace("  externalTrafficPolicy: Local\n", ""),
        at=(6, 24),
        severity=Severity.ERROR,
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE.format(31000)),
    Case(_SERVICE.replace("  healthCheckNodePort: {}\n", "")),
    Case(_SERVICE.format(31000).replace("Local", "${POLICY}"), template=True),
    Case(_SERVICE.format("${PORT}"), template=True, shown=False),
    Case(_SERVICE.format(0), shown=False),
    Case(_SERVICE.format(8080).replace("LoadBalancer", "ClusterIP"), shown=False),
    Case(_SERVICE.format(10256), run_context=RunContext(live=LiveCluster()), shown=False),
)

_ABOUT = ("check port", "port range")


def check(service: ServiceView) -> Iterator[Problem]:
    """Report the faults of the Service about these ports."""
    if service.service.type != "LoadBalancer" or not service.is_settled or service.is_accepted:
        return
    for fault in service.service.faults:
        if fault.about not in _ABOUT:
            continue
        out_of_range = fault.about == "port range"
        yield Problem(
            service.span_of(*fault.path),
            fault.text,
            "The API server rejects it, unless its own range is wider."
            if out_of_range
            else "The API server rejects it.",
            fault.help or "Remove it: Kubernetes allocates a free port.",
            severity=None if out_of_range else Severity.ERROR,
        )
