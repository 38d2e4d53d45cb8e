"""A load balancer that differs from its Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Span
from ccmcheck.carriers.live import LiveDifference
from ccmcheck.catalog.data.octavia_repairs import REPAIRS
from ccmcheck.catalog.octavia_repairs import NODE_CHANGE, SYNC
from ccmcheck.rules.views.service_view import ServiceView

_WHEN = (
    "Somebody changed Octavia by hand, or a setting after the last sync: the CCM syncs only when the Service changes or "
    "the CCM restarts."
)
_MONITORS = ("monitor", "monitor-extra")


def check(service: ServiceView) -> Problems:
    """Report each difference with what corrects it."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    if balancer is None:
        return
    for difference in balancer.differences:
        where = f"{difference.part}, " if difference.part else ""
        title = REPAIRS[difference.kind].title
        yield Problem(
            _place(service, difference.port),
            f"{where}{title}: {difference.live} in Octavia; the CCM would make {difference.wanted}",
            _detail(difference, balancer.monitor_source if difference.kind in _MONITORS else ""),
            _help(service, difference),
        )


def _place(service: ServiceView, port: int) -> Span:
    for index, one in enumerate(service.service.ports):
        if port and one.port == port:
            return service.span_of("spec", "ports", index, "port")
    return service.span_of("metadata", "name")


def _detail(difference: LiveDifference, source: str) -> str:
    because = f"Health monitors: {source}. " if source else ""
    return f"{because}{_repair(difference)}"


def _repair(difference: LiveDifference) -> str:
    if difference.blocked:
        return f"The next sync cannot correct this: {difference.blocked}."
    if difference.repaired_by == NODE_CHANGE:
        return f"The next sync corrects it, and the next change of the nodes. {_WHEN}"
    if difference.repaired_by == SYNC:
        return f"The next sync corrects it; a change of the nodes does not. {_WHEN}"
    return (
        REPAIRS[difference.kind].aside
        or "No sync corrects it: the CCM sends it when it creates the load balancer, or not at all."
    )


def _help(service: ServiceView, difference: LiveDifference) -> str:
    if difference.repaired_by in (SYNC, NODE_CHANGE):
        return f"Trigger a sync: ccmcheck cluster resync {service.service.title}"
    otherwise = REPAIRS[difference.kind].otherwise
    return f"{otherwise[:1].upper()}{otherwise[1:]}." if otherwise else ""
