"""Another controller acts on a Service of the CCM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.path_proximity import ClusterIndex, Itself, may_be_together
from ccmcheck.carriers.base import OtherController
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS, LoadBalancerController
from ccmcheck.catalog.service_annotations import owner_of
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look for controllers in the cluster's files that handle the Service, too."""
    found = service.run_context.controllers
    if not found or not service.handled or service.options is None or service.is_partial or not service.is_settled:
        return
    span = service.span_of("spec", "type")
    near = _in_cluster(found, service)
    is_far = not near
    cluster: Sequence[OtherController] = near or _firsts(
        Itself(may_be_together(service.run_context.pods, found, _may_run))
    )
    owners = {owner_of(name) for name in service.annotations} - {""}
    for number, row in enumerate(CONTROLLERS):
        if row.gives_ids or not _handles(row, service) or (service.is_meant_for_others and row.name not in owners):
            continue
        own = [one for one in cluster if one.row == number]
        parts = [one for one in own if not one.is_workload]
        workloads = [one for one in own if one.is_workload]
        if any(some and not any(one.is_open for one in some) for some in (parts, workloads)):
            continue
        running = [one for one in workloads if one.is_open] or parts
        if not running:
            continue
        is_sure = (running is not parts or bool(row.file_key)) and not is_far
        acts, but = ("may act", "It does where both are in one cluster.") if is_far else ("acts", _limit(row))
        where = "in this file" if running[0].path == service.manifest.path else f"in {running[0].path}"
        local = f" {row.local}" if row.local and service.service.policy == "Local" else ""
        yield Problem(
            span,
            f"{row.name} {acts} on this Service as well as the CCM: {running[0].subject} {where}",
            f"{row.effect}{local}{'' if is_sure else f' {but}'.rstrip()}",
            (f"{row.remedy}; or write" if row.remedy else "Write")
            + " `enabled = false` into [LoadBalancer], so that the CCM handles no Service.",
            severity=None if is_sure else Severity.INFO,
        )
        return


def _limit(row: LoadBalancerController) -> str:
    return f"Only `{row.limits[0]}`, which the files do not show, would change that." if row.limits else ""


def _handles(row: LoadBalancerController, service: ServiceView) -> bool:
    """Whether a controller handles a Service without a class."""
    if row.annotation and row.annotation not in service.annotations:
        return False
    return not row.needs_address or bool(service.service.address)


def _in_cluster(controllers: tuple[OtherController, ...], service: ServiceView) -> list[OtherController]:
    """The controllers in the cluster of the Service and its cloud.conf, in their order."""
    index = _index(Itself(controllers))
    found: dict[int, OtherController] = {}
    for conf in service.confs:
        found.update(index.of(conf.path, service.manifest.path))
    return [found[number] for number in sorted(found)]


def _may_run(one: OtherController) -> bool:
    return not one.is_template


@lru_cache(maxsize=4)
def _firsts(found: Itself[OtherController]) -> tuple[OtherController, ...]:
    """The first of those that are alike."""
    return tuple({_alike(one): one for one in reversed(found.records)}.values())


def _alike(one: OtherController) -> tuple[int, bool, bool]:
    return one.row, one.is_workload, one.is_open


@lru_cache(maxsize=4)
def _index(controllers: Itself[OtherController]) -> ClusterIndex[OtherController]:
    return ClusterIndex(((one, _words(CONTROLLERS[one.row])) for one in controllers.records), alike=_alike)


def _words(row: LoadBalancerController) -> Iterator[str]:
    yield row.name.lower().partition(" ")[0]
    for image in row.images:
        yield image.strip("/").partition("/")[0]
