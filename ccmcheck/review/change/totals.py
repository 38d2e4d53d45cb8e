"""The counts of a review's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.policy.create_monitor.timers import AMPHORAE
from ccmcheck.review.change.counts import Detection, Monitors, Rate
from ccmcheck.review.change.health import RANK
from ccmcheck.review.change.records import Change, Fate, Health, Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.records import Request
    from ccmcheck.review.change.records import ConfigChange, ServiceChange


def count(configs: Iterable[ConfigChange], services: Sequence[ServiceChange], clouds: Sequence[CloudState]) -> Totals:
    """Count everything.

    Args:
        configs: The cloud.confs.
        services: The Services.
        clouds: The clouds after the change, one for each cloud.conf; what is typed is the same for all.
    """
    cloud = clouds[0]
    nodes = {one.node_count for one in clouds}
    fates: dict[Fate, int] = {}
    for one in services:
        fates[one.fate] = fates.get(one.fate, 0) + 1
    return Totals(
        services=len(services),
        stops=sum(_falls_to(one, Health.DOWN) for one in services),
        stuck=sum(_falls_to(one, Health.STUCK) for one in services),
        impaired=sum(_falls_to(one, Health.IMPAIRED) for one in services),
        starts=sum(_starts(one) for one in services),
        works=sum(one.health_before is one.health_after is Health.WORKS for one in services),
        fates=fates,
        monitors=Monitors(*(sum(column) for column in zip(*(one.monitors for one in services), strict=True)))
        if services
        else Monitors(),
        quota=cloud.facts.monitor_quota,
        used=cloud.monitors_used,
        rate_before=_rates(one.rate_before for one in services),
        rate_after=_rates(one.rate_after for one in services),
        peak_before=max((one.rate_before.total or 0.0 for one in services), default=0.0),
        peak_after=max((one.rate_after.total or 0.0 for one in services), default=0.0),
        amphorae=AMPHORAE.get(cloud.facts.topology),
        only_ovn=bool(services) and all(_is_ovn(one) for one in services),
        detection_before=_slowest(one.detection_before for one in services),
        detection_after=_slowest(one.detection_after for one in services),
        rules_added=sum(len(one.rules_added) for one in services),
        rules_removed=sum(len(one.rules_removed) for one in services),
        nodes=nodes.pop() if len(nodes) == 1 else None,
        restarts=sum(one.restart for one in configs),
        sent=sum(len(_octavia(one)) - _made(one) for one in services),
        made=sum(_made(one) for one in services),
    )


def _octavia(change: ServiceChange) -> list[Request]:
    return [request for request in change.requests if request.api == "octavia"]


def _made(change: ServiceChange) -> int:
    return sum(request.method == "POST" and request.path.endswith("/loadbalancers") for request in change.requests)


def _falls_to(one: ServiceChange, worse: Health) -> bool:
    before, after = one.health_before, one.health_after
    if one.change is Change.REMOVED or after is not worse:
        return False
    if one.change is Change.ADDED:
        return False
    return before in RANK and RANK[after] < RANK[before]


def _starts(one: ServiceChange) -> bool:
    return (
        one.change is not Change.ADDED
        and one.health_after is Health.WORKS
        and one.health_before in RANK
        and one.health_before is not Health.WORKS
    )


def _rates(rates: Iterable[Rate]) -> Rate:
    total: float | None = 0.0
    per_node: float | None = 0.0
    for one in rates:
        total = None if total is None or one.total is None else total + one.total
        per_node = None if per_node is None or one.per_node is None else per_node + one.per_node
    return Rate(_rounded(total), _rounded(per_node))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _slowest(found: Iterable[Detection]) -> Detection:
    known = [one for one in found if one.known]
    if not known:
        return Detection()
    return Detection(_most(one.refused for one in known), _most(one.silent for one in known), True)


def _most(values: Iterable[float | None]) -> float | None:
    listed = list(values)
    return None if None in listed else max(value for value in listed if value is not None)


def _is_ovn(one: ServiceChange) -> bool:
    found = one.after or one.before
    return found is not None and octavia.family(found.provider or "amphora") == "ovn"
