"""How a Service's traffic fares before and after a change, and what becomes of its load balancer."""

from __future__ import annotations

from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Pool
from ccmcheck.predict.records import OPEN, Outcome, Prediction
from ccmcheck.review.change.records import Fate, Health, ServiceChange
from ccmcheck.review.change.steady_state import Reconciled, SteadyState

RANK = {Health.WORKS: 4, Health.IMPAIRED: 3, Health.STUCK: 2, Health.DOWN: 1, Health.ABSENT: 0}
"""From the best to the worst; what is unknown has no rank."""


def health_before(settled: SteadyState) -> Health:
    """How it fares before the change.

    Args:
        settled: What is there.
    """
    return _health(settled.kept, exists=settled.exists)


def health_after(followed: Reconciled, before: SteadyState | None) -> Health:
    """How it fares after the change.

    Args:
        followed: What the CCM does.
        before: What was there; None where the Service is new.
    """
    if followed.broken:
        return Health.DOWN
    found = _health(followed.found, exists=before is not None and before.exists and not followed.orphan)
    if found is Health.STUCK and before is not None and health_before(before) is Health.DOWN:
        return Health.DOWN  # it goes on as it is: not working
    return found


def _health(prediction: Prediction, *, exists: bool) -> Health:
    if prediction.outcome is Outcome.UNKNOWN:
        return Health.UNKNOWN
    if prediction.outcome is not Outcome.ACCEPTED or (exists and prediction.refusals):
        return Health.STUCK if exists else Health.DOWN
    answer = prediction.answer(f"traffic-{prediction.policy.lower()}")
    if answer is not None and OPEN in answer.numbers:
        return Health.UNKNOWN
    if answer is None or answer.good is not False:
        return Health.WORKS
    # a share of connections is lost; without a share nothing gets through
    return Health.IMPAIRED if answer.numbers else Health.DOWN


def why(prediction: Prediction, health: Health) -> str:
    """Why it fares so, in a line.

    Args:
        prediction: What the CCM does.
        health: How it fares.
    """
    if prediction.refusals and health in (Health.DOWN, Health.STUCK):
        first = prediction.refusals[0]
        who = f"{first.by} refuses it with {first.status}: " if first.status >= 400 else ""
        return who + first.why + (f" ({first.field})" if first.field else "")
    if prediction.outcome is not Outcome.ACCEPTED:
        return prediction.why or prediction.error
    answer = prediction.answer(f"traffic-{prediction.policy.lower()}")
    return answer.text if answer is not None else ""


def fate_of(before: SteadyState | None, followed: Reconciled | None, left: CloudState | None = None) -> Fate:
    """What becomes of the load balancer.

    Args:
        before: What is there; None where the Service is new.
        followed: What the CCM does; None where the Service is gone.
        left: What is there after a Service is gone; None where it stays.
    """
    exists = before is not None and before.exists
    if before is not None and before.made.outcome is Outcome.UNKNOWN:
        return Fate.UNKNOWN
    if followed is None:
        if exists and left is not None and left.balancer is not None:
            return Fate.LEFT
        return Fate.DELETED if exists else Fate.NONE
    found = followed.found
    if found.outcome is Outcome.UNKNOWN:
        return Fate.UNKNOWN
    if not exists or followed.orphan:
        if found.outcome is not Outcome.ACCEPTED:
            return Fate.NONE
        return Fate.CREATED if any(sent.path.endswith("/loadbalancers") for sent in found.requests) else Fate.JOINED
    if found.outcome is not Outcome.ACCEPTED or found.refusals:
        return Fate.STUCK
    if not followed.requests:
        return Fate.UNTOUCHED
    if remade(before.cloud.balancer if before is not None else None, followed.cloud.balancer):
        return Fate.RECREATED
    return Fate.RECONCILED


def remade(before: Balancer | None, after: Balancer | None) -> int:
    """How many ports keep their number while their listener or pool is another one.

    Args:
        before: The load balancer before.
        after: The same after.
    """
    old = {_layer(one.protocol, one.port): one for one in (before.listeners if before is not None else ())}
    count = 0
    for one in after.listeners if after is not None else ():
        known = old.get(_layer(one.protocol, one.port))
        if known is not None and (known.id != one.id or _id(known.pool) != _id(one.pool)):
            count += 1
    return count


def remade_words(service: ServiceChange) -> str:
    """What is recreated, in words, with its verb.

    Args:
        service: A Service whose load balancer is recreated in part.
    """
    whole = any(sent.method == "DELETE" and "/listeners/" in sent.path for sent in service.requests)
    fact = service.fact("protocols")
    changed = f" ({fact.before} → {fact.after})" if fact is not None and fact.changes else ""
    return f"its {'listeners and ' if whole else ''}pools{changed} are"


def _layer(protocol: str, port: int) -> tuple[str, int]:
    """HTTP and TERMINATED_HTTPS are TCP underneath."""
    return (protocol if protocol in ("UDP", "SCTP") else "TCP", port)


def _id(pool: Pool | None) -> str:
    return "" if pool is None else pool.id
