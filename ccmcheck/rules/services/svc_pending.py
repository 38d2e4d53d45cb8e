"""A Service that gets no address.

What it does: finds Services of type LoadBalancer of a running cluster that have no address five minutes after they were
created, and says what their events, the CCM's log and the prediction say about it.

Why: nothing reaches the Service, and the reason is in an event that is deleted after an hour.

What the CCM does: it tries again, with growing pauses of up to five minutes, and writes an event each time.

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
    "svc-pending",
    "A Service that gets no address",
    Severity.ERROR,
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
  ports:
    - port: 80
"""
_EVENT = LiveEvent(
    "SyncLoadBalancerFailed",
    "Error syncing load balancer: POST /v2.0/lbaas/loadbalancers was answered 403: Quota has been met",
    12,
    "2026-11-02T09:30:00Z",
)


def _run(service: LiveService) -> RunContext:
    return RunContext(live=LiveCluster(services={"shop/web": service}))


_PENDING = LiveService(created="2026-11-02T08:00:00Z", is_pending=True)

BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run(_PENDING._replace(events=(_EVENT,)))),
    Case(_SERVICE, at=(3, 9), run_context=_run(_PENDING), conf="[LoadBalancer]\nenabled = false\n", shown=False),
    Case(_SERVICE, at=(3, 9), run_context=_run(_PENDING._replace(log="E1102 x", unread=("events",))), shown=False),
)
GOOD = (
    Case(_SERVICE, run_context=_run(LiveService((("192.0.2.7", "", "VIP"),)))),
    Case(_SERVICE),
    Case(_SERVICE, run_context=_run(LiveService(created="2026-11-02T08:00:00Z")), shown=False),
)

_HANDED_OVER = ("accepted", "unknown")


def check(service: ServiceView) -> Iterator[Problem]:
    """Put together what is known of a Service without an address."""
    live = service.live
    if live is None or not live.is_pending:
        return
    yield Problem(
        service.span_of("metadata", "name"),
        f"has no address since it was created at {live.created}",
        " ".join(_chain(service, live)),
        _help(live),
    )


def _chain(service: ServiceView, live: LiveService) -> Iterator[str]:
    """From what happened to what explains it."""
    for event in live.events:
        often = f", {event.times} times" if event.times > 1 else ""
        last = f", the last time at {event.time}" if event.time else ""
        yield f"Event {event.reason}{often}{last}: {_sentence(event.message)}"
    if live.log:
        yield f"The CCM's log: {_sentence(live.log)}"
    reason = _reason(service)
    if reason:
        yield f"The configuration explains it: {_sentence(reason)}"
    elif not live.events and not live.log:
        unread = " and ".join(live.unread)
        yield f"{unread[0].upper()}{unread[1:]} could not be read." if unread else "No event about it is left."


def _reason(service: ServiceView) -> str:
    """What the prediction says of it; empty where it should have an address, or nothing is known."""
    options = service.options
    if options is not None and (options.unsupported or not options.use_octavia):
        return options.unsupported or "the CCM makes no load balancers with this cloud.conf"
    prediction = service.prediction
    if prediction is None or prediction.outcome.value in _HANDED_OVER:
        return ""
    return prediction.why or prediction.error


def _help(live: LiveService) -> str:
    if live.events or live.log:
        return "Correct what the message names; the CCM tries again by itself."
    return "An event comes with the next try: change an annotation of the Service, and look at its events."


def _sentence(text: str) -> str:
    return text if text.endswith((".", "…")) else f"{text}."
