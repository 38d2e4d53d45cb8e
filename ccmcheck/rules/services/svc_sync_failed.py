"""The CCM does not get done with a Service.

What it does: finds Services of a running cluster whose last event is that of a failed sync, although they have an address;
and those that are being deleted for longer than five minutes.

Why: the load balancer stays as it was: new ports, nodes and annotations are not there, and nobody sees it, because clients
still get answers. A Service that cannot be deleted keeps its namespace from being deleted.

What the CCM does: it tries again, with growing pauses of up to five minutes, and writes an event each time. A Service has a
finalizer until its load balancer is deleted.

Releases: all

Fix: none; it depends on the reason.

Source: k8s.io/cloud-provider controllers/service/controller.go; kube-apiserver --event-ttl
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster, LiveEvent, LiveService
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-sync-failed",
    "The CCM does not get done with a Service",
    Severity.ERROR,
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
_EVENT = LiveEvent("SyncLoadBalancerFailed", "Error syncing load balancer: quota", 12, "2026-11-02T09:30:00Z")

BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(failing=_EVENT))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(going="2026-11-02T08:00:00Z", failing=_EVENT))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_FINE._replace(going="2026-11-02T08:00:00Z")), shown=False),
)
GOOD = (
    Case(_SERVICE, run_context=_run(_FINE)),
    Case(_SERVICE),
    Case(_SERVICE, run_context=_run(_FINE._replace(failing=_EVENT, is_pending=True)), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the last event, and at how long the deletion takes."""
    live = service.live
    if live is None or live.is_pending or not (live.going or live.failing):
        return
    event = live.failing
    said = ""
    if event is not None:
        often = f", {event.times} times" if event.times > 1 else ""
        last = f", the last time at {event.time}" if event.time else ""
        said = f"Event {event.reason}{often}{last}: {event.message}"
        said = said if said.endswith((".", "…")) else f"{said}."
    if live.going:
        yield Problem(
            service.span_of("metadata", "name"),
            f"is being deleted since {live.going}, and its load balancer is not gone",
            f"{said} Its finalizer waits for the CCM.".strip(),
            "Correct what the event or the CCM's log names. Without the finalizer the load balancer would stay and cost.",
        )
    else:
        yield Problem(
            service.span_of("metadata", "name"),
            "the last sync failed, so that its load balancer is not as it should be",
            said,
            "Correct what the message names; the CCM tries again by itself.",
        )
