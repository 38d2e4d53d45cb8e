"""The numbers of a cluster for the page on create-monitor: as it is, and with what is recommended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor.timers import AMPHORAE, per_second
from ccmcheck.predict.advice.deciding import Decision
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.records import Answer, Outcome, Prediction
from ccmcheck.review.create_monitor.records import Figure

_NEVER = float("inf")


_FOREVER = "when its Node is deleted"


class _Lasting(NamedTuple):
    """How long something takes.

    Attributes:
        text: In a few words.
        seconds: At most; infinite for never, None for not known.
    """

    text: str = "not known"
    seconds: float | None = None


def figures(decision: Decision) -> Iterator[Figure]:
    """Count, add up, and take the worst of all Services.

    Args:
        decision: What was decided.
    """
    services = [service for service in decision.services if service.now.plans or service.then.plans]
    if not services:
        return
    # one that Octavia refuses has no nodes and sends no probes
    sides = [
        [one for one in side if one.outcome in (Outcome.ACCEPTED, Outcome.UNKNOWN)]
        for side in ([service.now for service in services], [service.then for service in services])
    ]
    now, then = map(count, sides)
    yield Figure("monitors", "health monitors", str(now), str(then), None, {"now": now, "then": then})
    if decision.cloud.facts.monitor_quota is not None:
        yield _quota(decision, sides[1], now, then)
    yield _probes(decision, sides)
    yield _times("dead-node", "a dead node is out", sides, _out)
    local = [[one for one in side if one.policy == "Local"] for side in sides]
    if any(service.service.policy == "Local" for service in services):
        yield _wrong_node(local)
        yield _times("podless-node", "a node whose last pod goes is out", local, _podless)


def count(predictions: Sequence[Prediction]) -> int:
    """How many monitors there are, of load balancers that Octavia takes."""
    accepted = [one for one in predictions if one.outcome is Outcome.ACCEPTED]
    return sum(plan.monitor is not None for prediction in accepted for plan in prediction.plans)


def _quota(decision: Decision, after: list[Prediction], now: int, then: int) -> Figure:
    limit, used = decision.cloud.facts.monitor_quota or 0, decision.cloud.monitors_used
    label = "of the project's quota"
    numbers: dict[str, object] = {"quota": limit, "used": used, "now": used + now, "then": used + then}
    if limit < 0:
        return Figure("quota", label, "no limit", "no limit", numbers=numbers)
    numbers["all"] = every = used + sum(len(one.plans) for one in after)
    also = "" if every <= limit else f" ({every} for all ports)"
    better = None if used + then <= limit else False
    return Figure("quota", label, f"{used + now} of {limit}", f"{used + then} of {limit}{also}", better, numbers)


def _probes(decision: Decision, sides: list[list[Prediction]]) -> Figure:
    is_open = (
        decision.cloud.facts.topology not in AMPHORAE and driver_of(decision.config.lb_provider).has_amphorae is True
    )
    rates = [_rate(side) for side in sides]
    pairs = [2 * rate if is_open and rate is not None else None for rate in rates]
    texts = [
        "not known"
        if rate is None
        else f"{per_second(rate)} (single) or {per_second(pair)} (active-standby)"
        if pair
        else per_second(rate)
        for rate, pair in zip(rates, pairs, strict=True)
    ]
    numbers: dict[str, object] = {
        "now": rates[0],
        "then": rates[1],
        "single": is_open,
        "now_pair": pairs[0],
        "then_pair": pairs[1],
    }
    return Figure("probes", "probes a second, all load balancers", texts[0], texts[1], None, numbers)


def _rate(predictions: list[Prediction]) -> float | None:
    total = 0.0
    for prediction in predictions:
        if all(plan.monitor is None for plan in prediction.plans):
            continue
        answer = prediction.answer("probes")
        numbers = answer.numbers if answer is not None else {}
        rate = numbers.get("per_amphora") if numbers.get("total") is None else numbers["total"]
        if not isinstance(rate, int | float):
            return None
        total += rate
    return round(total, 4)


def _times(
    name: str, label: str, sides: list[list[Prediction]], lasting: Callable[[Prediction], _Lasting | None]
) -> Figure:
    """How long something takes, for most of the Services or the slowest."""
    now, then = (_slowest(found for one in side if (found := lasting(one)) is not None) for side in sides)
    known = now.seconds is not None and then.seconds is not None and now.seconds != then.seconds
    better = then.seconds < now.seconds if known and then.seconds is not None and now.seconds is not None else None
    # JSON has no infinity: never and not known are both null
    seconds = [None if one.seconds == _NEVER else one.seconds for one in (now, then)]
    return Figure(name, label, now.text, then.text, better, {"now": seconds[0], "then": seconds[1]})


def _slowest(spans: Iterable[_Lasting]) -> _Lasting:
    counted = Counter(spans)
    if len(counted) < 2:
        return next(iter(counted), _Lasting())
    worst = max(counted, key=lambda span: (-1.0 if span.seconds is None else span.seconds, span.text == _FOREVER))
    common, of_them = counted.most_common(1)[0]
    common = worst if counted[worst] == of_them else common
    if common is not worst:
        return _Lasting(f"{common.text} for {of_them} of {counted.total()} Services", worst.seconds)
    best = min(counted, key=lambda span: _NEVER if span.seconds is None else span.seconds)
    also = f"{best.text}, " if worst.text == _FOREVER and best is not worst else ""
    return _Lasting(f"{also}{worst.text} at worst", worst.seconds)


def _out(prediction: Prediction) -> _Lasting | None:
    answer = prediction.answer("dead-node")
    if answer is None:
        return None
    refused, silent = answer.numbers.get("refused"), answer.numbers.get("silent")
    if isinstance(refused, list) and isinstance(silent, list):
        return _Lasting(f"in {refused[1]:g} s (refused) or {silent[1]:g} s (silent)", float(silent[1]))
    if isinstance(refused, list):
        return _Lasting(f"in {refused[1]:g} s (refused), never if silent", _NEVER)
    if answer.good is False:
        return _Lasting(_FOREVER, _NEVER)
    # up to 1.26 the service controller takes it out itself
    return _Lasting("until the service controller notices" if answer.numbers.get("service_controller") else answer.text)


def _podless(prediction: Prediction) -> _Lasting | None:
    answer = prediction.answer("podless-node")
    out = answer.numbers.get("out") if answer is not None else None
    if isinstance(out, list):
        return _Lasting(f"after {out[1]:g} s at most", float(out[1]))
    if answer is not None and answer.good is not False:
        return _Lasting()
    if answer is not None or (prediction.plans and all(plan.monitor is None for plan in prediction.plans)):
        return _Lasting("never, while the node is there", _NEVER)
    return None


def _wrong_node(sides: list[list[Prediction]]) -> Figure:
    """First connections of Local Services to nodes without a pod: the largest share, and that of each Service."""
    shares = [
        {one.service: _share(answer) for one in side if (answer := one.answer("traffic-local")) is not None}
        for side in sides
    ]
    worst = [max((share for share in side.values() if share is not None), default=None) for side in shares]
    texts = [
        "not known" if share is None else f"{round(100 * share)} %" if share or None in side.values() else "none"
        for side, share in zip(shares, worst, strict=True)
    ]
    now, then = worst
    numbers: dict[str, object] = {
        "now": now,
        "then": then,
        "services": {
            name: {"now": shares[0].get(name), "then": shares[1].get(name)} for name in {**shares[0], **shares[1]}
        },
    }
    label = "first connections of Local Services to nodes without a pod"
    return Figure(
        "wrong-node", label, texts[0], texts[1], None if now is None or then in (None, now) else then < now, numbers
    )


def _share(answer: Answer) -> float | None:
    """The share that keeps going to nodes without a pod; None where it is not known."""
    share = answer.numbers.get("share")
    return 0.0 if answer.good is True else float(share) if isinstance(share, int | float) else None
