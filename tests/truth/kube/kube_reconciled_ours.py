"""Compares what the real CCM has made of Services in Octavia with what ccmcheck predicts for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from cloud_ours import Predicted, error_differences, left, outcome_differences, predicted, service_differences
from cloud_play import Step
from loadbalancer_ids import readable
from loadbalancer_ours import Names

from ccmcheck.predict.records import Prediction

_OF_ITSELF = ("listeners", "name", "tags", "vip_port_id")
"""Fields of a load balancer that are compared elsewhere, or that Octavia fills in."""
_OF_CHANGES = {
    f"Normal {field}"
    for field in (
        "Type",
        "LoadBalancerSourceRanges",
        "LoadbalancerIP",
        "ExternalTrafficPolicy",
        "ExternalIP",
        "HealthCheckNodePort",
        "IPFamilies",
    )
}
"""Events by which the service controller of old releases says which field has changed, before there is any sync."""
_UPDATED = "Normal UpdatedLoadBalancer"


def differences(step: Step, release: str) -> list[str]:
    """What differs after a step, a line each: the final state, which may take the CCM two syncs."""
    found = predicted(step, release)
    lines = list(outcome_differences(found.prediction, step.answer)) or list(_differences(step, found, release))
    return [readable(line) for line in lines]


def _differences(step: Step, found: Predicted, release: str) -> Iterator[str]:
    names = Names(step.case)
    yield from error_differences(names, step, found.prediction)
    yield from _events(found.prediction, step)
    yield from service_differences(names, step, found.prediction)
    if step.answer.outcome == "ok":
        yield from left(step, release, found)
        yield from _created(names, step, found.prediction)


def _events(prediction: Prediction, step: Step) -> Iterator[str]:
    """Each event that is predicted, and no other; a second sync repeats some."""
    ours = {f"{one.kind} {one.reason}" for one in prediction.events}
    if _UPDATED in " ".join(step.answer.events):
        return  # nodes have changed: the service controller has its own events for that
    real = {" ".join(one.split(" ")[1:3]) for one in step.answer.events}
    if step.act != "create":
        real -= _OF_CHANGES
    if ours != real:
        yield f"events: predicted {sorted(ours)}, real {sorted(real)}"
    messages = {" ".join(one.split(" ")[3:]) for one in step.answer.events}
    for one in prediction.events:
        if one.by_ccm and "…" not in one.message and one.message not in messages:
            yield f"event {one.reason}: predicted {one.message!r}, real {sorted(messages)}"


def _created(names: Names, step: Step, prediction: Prediction) -> Iterator[str]:
    """The fields with which a load balancer is created, in what Octavia has in the end."""
    before = {one["id"] for one in step.case.cloud["loadbalancers"]}
    real = [one for one in (step.answer.cloud or {})["loadbalancers"] if one["id"] not in before]
    ours = [
        cast("dict[str, Any]", one.body["loadbalancer"])
        for one in prediction.sent
        if one.method == "POST" and one.path.endswith("/lbaas/loadbalancers") and one.body
    ]
    if len(real) != len(ours):
        yield f"load balancers: predicted {len(ours)} new, real {len(real)}"
    for mine, theirs in zip(ours, real, strict=False):
        for field in mine.keys() - set(_OF_ITSELF):
            yield from names.compare(mine[field], theirs.get(field), f"load balancer's {field}")
