"""The verdicts on one Service: each an answer with its mechanism and its evidence.

Sources: OpenStack Octavia and HAProxy measured as `ccmcheck.predict.drivers` says; kube-proxy's behaviour is
that of the Kubernetes documentation; KEP-1860 and KEP-3458.

Which clients get where they should: those that are to stay at a pod, and those of the Service's second IP family.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.records import Answer, Outcome, Prediction
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.verdicts import load, paths, rollout, traffic
from ccmcheck.predict.verdicts.context import READ, VerdictContext

_AFFINITY = "kubernetes.io/docs/reference/networking/virtual-ips, session affinity"


def affinity(context: VerdictContext) -> Iterator[Answer]:
    """Whether a client stays at one pod, where the Service asks for that."""
    if context.service.affinity != "ClientIP":
        return
    if context.driver.keeps_address is None:
        yield Answer("affinity", None, "whether a client stays at one pod is up to the provider")
    elif context.driver.keeps_address:
        yield Answer("affinity", True, "each client stays at one pod", "kube-proxy sees its address", _AFFINITY)
    else:
        many = f"so that at most {context.members} pods are used" if context.members else "not client by client"
        yield Answer(
            "affinity",
            False,
            f"each node sends all clients to one pod, {many}",
            "kube-proxy sees the amphora's address alone, and pins it to a pod for three hours by default",
            _AFFINITY,
        )


def families(context: VerdictContext) -> Iterator[Answer]:
    """Whether clients of both IP families get in, where the Service has both."""
    service = context.service
    if not context.behaviours["ip-families"] or not (service.dual or len(service.families) > 1):
        return
    first = service.families[0] if service.families else "the cluster's first IP family"
    yield Answer(
        "families",
        False if service.dual else None,
        f"only {first} gets a load balancer",
        "the CCM makes one, for the first of ipFamilies",
        READ,
    )


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
    yield from affinity(context)
    yield from families(context)
    yield traffic.dead_node(context)
    if prediction.policy == "Local" and context.monitored:
        yield traffic.podless_node(context)
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
