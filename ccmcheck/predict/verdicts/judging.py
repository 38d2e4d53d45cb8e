"""The verdicts on one Service: each an answer with its mechanism and its evidence.

Sources: OpenStack Octavia and HAProxy measured as `ccmcheck.predict.drivers` says; kube-proxy's behaviour is
that of the Kubernetes documentation; KEP-1860 and KEP-3458.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.records import Answer, Outcome, Prediction
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.verdicts import clients, downtime, load, paths, rollout, traffic
from ccmcheck.predict.verdicts.context import VerdictContext


def judge(calls: Calls, prediction: Prediction) -> Iterator[Answer]:
    """Give all verdicts.

    Yields:
        The answers, in the order in which they matter.
    """
    context = VerdictContext(calls, prediction)
    yield _accepted(prediction)
    if not prediction.plans:
        return
    if prediction.policy == "Local":
        yield traffic.local(context, chosen=True)
        yield traffic.cluster(context, chosen=False)
    else:
        yield traffic.cluster(context, chosen=True)
        yield traffic.local(context, chosen=False)
    yield traffic.client_address(context)
    yield from clients.affinity(context)
    yield from clients.families(context)
    yield downtime.dead_node(context)
    if prediction.policy == "Local" and context.monitored:
        yield downtime.podless_node(context)
    if context.monitored and (answer := rollout.rollout(context)) is not None:
        yield answer
    if context.monitored:
        yield load.probes(context)
    yield load.quota(context)
    yield paths.security_group(context)
    yield paths.hairpin(context)


_WHOLE = "one refused field refuses the whole load balancer"
_GROUP = "the load balancer is there, and the Service's status stays without its address"


def _accepted(prediction: Prediction) -> Answer:
    if prediction.outcome is Outcome.ACCEPTED:
        text = "Octavia takes " + ("the request" if len(prediction.requests) < 3 else "the requests")
        return Answer("accepted", True, text, evidence="octavia 19.0.0, run")
    if prediction.outcome is Outcome.REFUSED:
        first = prediction.refusals[0]
        more = f", and {len(prediction.refusals) - 1} more" if len(prediction.refusals) > 1 else ""
        return Answer(
            "accepted",
            False,
            f"{first.by} refuses it with {first.status}: {first.said}{more}",
            f"{_WHOLE if first.by == 'Octavia' else _GROUP}; the CCM tries again and again",
            first.evidence,
            {"status": first.status, "field": first.field},
        )
    if prediction.outcome is Outcome.FAILS:
        first = prediction.refusals[0]
        return Answer(
            "accepted",
            False,
            f"Octavia takes it, and the load balancer ends in ERROR: {first.said}",
            "the CCM deletes it and starts over" if _deletes(prediction) else "it stays in ERROR",
            first.evidence,
            {"field": first.field},
        )
    return Answer("accepted", None, prediction.why)


def _deletes(prediction: Prediction) -> bool:
    return any(event.reason == "SyncLoadBalancerFailed" and "deleted" in event.message for event in prediction.events)
