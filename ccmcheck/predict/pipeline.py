"""From one configuration and one Service to a prediction, with verdicts and findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.records import Event, Outcome, Prediction
from ccmcheck.predict.requests.reconcile import BEGINS, reconcile, sync_failed
from ccmcheck.predict.verdicts import acceptance, drivers
from ccmcheck.predict.verdicts.findings import advise, ends
from ccmcheck.predict.verdicts.judging import judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Refusal, Request
    from ccmcheck.predict.requests.calls import Calls


def predict(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict what the CCM does with a Service, and what becomes of it.

    Returns:
        The prediction. Nothing is raised, whatever the Service holds.
    """
    found, calls = reconcile(config, service, cloud)
    if calls is None:
        return found._replace(findings=(*found.findings, *ends(found)))
    found = _judged(found, calls)
    found = found._replace(answers=tuple(judge(calls, found)))
    return found._replace(findings=(*found.findings, *advise(calls, found)))


def _judged(found: Prediction, calls: Calls) -> Prediction:
    """Apply the answers of Octavia and its drivers to the requests, and add the events that follow."""
    cloud = calls.cloud
    config = calls.options._replace(lb_provider=cloud.provider(calls.options.lb_provider))
    refusals = tuple(acceptance.refusals(found.requests, config, cloud, _family(calls)))
    fatal = tuple(one for one in refusals if not _is_tolerated(found.requests[one.at]))
    found = _tolerate(
        found, calls, tuple(one for one in refusals if one not in fatal and (not fatal or one.at < fatal[0].at))
    )
    if fatal:
        outcome, error, message = Outcome.REFUSED, "", _answer(fatal[0], calls)
    elif found.outcome is Outcome.ERROR:
        return found
    else:
        fatal = tuple(drivers.failures(found.requests, config))
        if not fatal or (calls.behaviours["creates-in-one-call"] and cloud.balancer is not None):
            return found._replace(refusals=fatal)
        outcome, error = Outcome.FAILS, "loadbalancer {loadbalancer} has gone into ERROR state"
        if calls.behaviours["deletes-failed"]:
            error += ", please check Octavia for details. Load balancer was deleted and its creation will be retried"
        message = f"error creating loadbalancer {calls.spec.name}: {error}"
    return found._replace(
        outcome=outcome,
        why=fatal[0].why,
        error=error,
        events=(BEGINS, *(one for one in found.events if one.by_ccm), sync_failed(message)),
        refusals=fatal,
        published=(),
        written=_written(found, fatal[0].at, calls),
    )


def _is_tolerated(request: Request) -> bool:
    """Whether the CCM only logs a refusal: that of another algorithm for an existing pool (1.32)."""
    return request.method == "PUT" and request.path.startswith("/v2.0/lbaas/pools/") and "members" not in request.path


def _tolerate(found: Prediction, calls: Calls, refused: tuple[Refusal, ...]) -> Prediction:
    """The CCM goes on after these, with an event for each before its last."""
    if not refused:
        return found
    text = "Error updating LB method for LoadBalancer: … got {} instead: {}"
    noted = [Event("Warning", "LoadBalancerLbMethodUnknown", text.format(one.status, one.why)) for one in refused]
    for one in refused:
        calls.notes.ignore("lb-method", f"the existing pool keeps its algorithm: {one.why}")
    return found._replace(
        tolerated=refused,
        events=(*found.events[:-1], *noted, *found.events[-1:]),
        ignored=tuple(dict.fromkeys(calls.notes.ignored)),
    )


def _family(calls: Calls) -> int:
    """The VIP's IP family; 0 when unknown."""
    there = calls.cloud.balancer
    return ranges.family(there.address if there is not None else calls.cloud.vip) or calls.spec.family


def _written(found: Prediction, at: int, calls: Calls) -> Mapping[str, str]:
    """The annotations that the CCM writes even where a request is refused."""
    if not calls.behaviours["writes-id-at-once"] or found.requests[at].path.endswith("/loadbalancers"):
        return {}
    return {name: value for name, value in found.written.items() if name.endswith("-id")}


def _answer(refusal: Refusal, calls: Calls) -> str:
    name = calls.spec.name
    if calls.cloud.balancer is None and calls.behaviours["creates-in-one-call"] and not calls.options.serial:
        return f"error creating loadbalancer {name}: … got {refusal.status} instead: {refusal.why}"
    return f"… got {refusal.status} instead: {refusal.why}"
