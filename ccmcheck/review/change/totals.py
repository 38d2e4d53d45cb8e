"""The counts of a review's summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccmcheck.policy.create_monitor.timers import AMPHORAE
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.review.change import records
from ccmcheck.review.change.health import RANK


def count(
    configs: Iterable[records.ConfigChange], services: Sequence[records.ServiceChange], clouds: Sequence[CloudState]
) -> records.ReviewTotals:
    """Count everything.

    Args:
        configs: The cloud.confs.
        services: The Services.
        clouds: The clouds after the change, one for each cloud.conf; what is typed is the same for all.
    """
    cloud = clouds[0]
    nodes = {cloud_state.node_count for cloud_state in clouds}
    fates: dict[records.Fate, int] = {}
    for service in services:
        fates[service.fate] = fates.get(service.fate, 0) + 1
    return records.ReviewTotals(
        services=len(services),
        stops=sum(_falls_to(service, records.Health.DOWN) for service in services),
        stuck=sum(_falls_to(service, records.Health.STUCK) for service in services),
        impaired=sum(_falls_to(service, records.Health.IMPAIRED) for service in services),
        starts=sum(_starts(service) for service in services),
        broken=sum(stays_broken(service) for service in services),
        works=sum(service.health_before is service.health_after is records.Health.WORKS for service in services),
        fates=fates,
        monitors=records.Monitors(
            *(sum(column) for column in zip(*(service.monitors for service in services), strict=True))
        )
        if services
        else records.Monitors(),
        quota=cloud.facts.monitor_quota,
        used=cloud.monitors_used,
        rate_before=_rates(service.rate_before for service in services),
        rate_after=_rates(service.rate_after for service in services),
        peak_before=max((service.rate_before.total or 0.0 for service in services), default=0.0),
        peak_after=max((service.rate_after.total or 0.0 for service in services), default=0.0),
        amphorae=AMPHORAE.get(cloud.facts.topology),
        only_ovn=bool(services) and all(_is_ovn(service) for service in services),
        detection_before=_slowest(service.detection_before for service in services),
        detection_after=_slowest(service.detection_after for service in services),
        rules_added=sum(len(service.rules_added) for service in services),
        rules_removed=sum(len(service.rules_removed) for service in services),
        nodes=nodes.pop() if len(nodes) == 1 else None,
        restarts=sum(config.restart for config in configs),
        sent=sum(change.to_octavia[0] for change in services),
        made=sum(change.to_octavia[1] for change in services),
    )


def _falls_to(service: records.ServiceChange, worse: records.Health) -> bool:
    before, after = service.health_before, service.health_after
    if service.change is records.ManifestChange.REMOVED or after is not worse:
        return False
    if service.change is records.ManifestChange.ADDED:
        return False
    return before in RANK and RANK[after] < RANK[before]


def _starts(service: records.ServiceChange) -> bool:
    return (
        service.change is not records.ManifestChange.ADDED
        and service.health_after is records.Health.WORKS
        and service.health_before in RANK
        and service.health_before is not records.Health.WORKS
    )


def stays_broken(service: records.ServiceChange) -> bool:
    """Whether a Service is broken before and after, perhaps less than before.

    Args:
        service: The Service.
    """
    before, after = service.health_before, service.health_after
    broken = (records.Health.DOWN, records.Health.IMPAIRED, records.Health.STUCK)
    return before in broken and after in broken and RANK[after] >= RANK[before]


def _rates(rates: Iterable[records.Rate]) -> records.Rate:
    total: float | None = 0.0
    per_node: float | None = 0.0
    for rate in rates:
        total = None if total is None or rate.total is None else total + rate.total
        per_node = None if per_node is None or rate.per_node is None else per_node + rate.per_node
    return records.Rate(_rounded(total), _rounded(per_node))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _slowest(detections: Iterable[records.Detection]) -> records.Detection:
    known = [detection for detection in detections if detection.known]
    if not known:
        return records.Detection()
    return records.Detection(_most(one.refused for one in known), _most(one.silent for one in known), True)


def _most(values: Iterable[float | None]) -> float | None:
    listed = list(values)
    return None if None in listed else max(value for value in listed if value is not None)


def _is_ovn(service: records.ServiceChange) -> bool:
    prediction = service.after or service.before
    return prediction is not None and driver_of(prediction.provider).has_amphorae is False
