"""A Service that nothing can answer.

What it does: finds Services of a running cluster none of whose pods is ready, whose selector matches no pod, or which have
an IP family that no node has.

Why: the load balancer is there and accepts connections, and every one of them is refused or closed. It looks like a fault of
the load balancer.

What the CCM does: it makes the load balancer and its members whether or not there is a pod. It leaves a node without an
address of the Service's family out of the pools.

Releases: all

Fix: none; correct the selector, or what keeps the pods from being ready.

Source: Kubernetes, EndpointSlices; cloud-provider-openstack pkg/openstack/loadbalancer.go (nodeAddressForLB)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster, LiveService
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-no-endpoints",
    "A Service that nothing can answer",
    Severity.WARNING,
    per_release=False,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  namespace: shop
  uid: 5e1f
spec:
  type: LoadBalancer
  selector:
    app: web
  ports:
    - port: 80
"""


def _run(service: LiveService) -> RunContext:
    return RunContext(live=LiveCluster(services={"shop/web": service}))


_FINE = LiveService((("192.0.2.7", "", "VIP"),), ready=2, endpoints=2)

BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(ready=0, endpoints=2))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(ready=0, endpoints=0))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(families=("IPv6",))), shown=False),
)
GOOD = (
    Case(_SERVICE, run_context=_run(_FINE)),
    Case(_SERVICE, run_context=_run(_FINE._replace(ready=None, endpoints=None))),
    Case(_SERVICE),
    Case(_SERVICE, run_context=_run(_FINE._replace(ready=0, endpoints=2, going="2026-11-02T08:00:00Z")), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the endpoints, and at the addresses of the nodes."""
    live = service.live
    if live is None or live.going or not service.is_ours:
        return
    name = service.span_of("metadata", "name")
    if live.families:
        yield Problem(
            name,
            f"has the IP family {' and '.join(live.families)}, and no node has an address of it",
            "The load balancer gets no member.",
            "Give the nodes such addresses, or write another `ipFamilies`.",
        )
    elif live.ready == 0 and live.endpoints:
        yield Problem(
            name,
            f"none of its {live.endpoints} pods is ready" if live.endpoints > 1 else "its pod is not ready",
            "Every node refuses its connections.",
            "`kubectl describe` of the pods says what their readiness waits for.",
        )
    elif live.ready == 0:
        yield Problem(
            name,
            "its selector matches no pod",
            "Every node refuses its connections.",
            "Compare the selector with the labels of the pods, or scale them up.",
        )
