"""The numbers of a cluster for the page on create-monitor: as it is, and with what is recommended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import octavia
from ccmcheck.document.blocks import listed
from ccmcheck.policy.create_monitor.timers import AMPHORAE, PROFILES, per_second
from ccmcheck.predict.advice.timing import now as own_timers
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts import detection, redispatch
from ccmcheck.predict.verdicts.load import per_node
from ccmcheck.predict.verdicts.traffic import HTTP_LISTENERS
from ccmcheck.review.create_monitor.records import Figure, TimersPoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ccmcheck.policy.create_monitor.timers import Timers
    from ccmcheck.predict.advice.deciding import Decided, Decision
    from ccmcheck.predict.records import Answer, Prediction

_MOST_GROUPS = 3
_MOST_SHOWN = 3
"""Services whose share is written out; the others are counted."""

_NEVER = float("inf")
_FOREVER = "only once its Node object is deleted"
_BEFORE_127 = "until the service controller notices"
"""What the service controller does itself up to 1.26."""


def figures(decision: Decision) -> Iterator[Figure]:
    """Count, add up, and take the worst of all Services.

    Args:
        decision: What was decided.
    """
    services = [service for service in decision.services if service.now.plans or service.then.plans]
    if not services:
        return
    before, after = _live(service.now for service in services), _live(service.then for service in services)
    yield _monitors(before, after)
    if decision.cloud.facts.monitor_quota is not None:
        yield _quota(decision, before, after)
    yield _probes(decision, before, after)
    yield _dead_node(before, after)
    local = [service for service in services if service.service.policy == "Local"]
    if local:
        yield from _local(local)


def _live(predictions: Iterable[Prediction]) -> list[Prediction]:
    """Those whose load balancer is there: one that Octavia refuses has no nodes and sends no probes."""
    return [one for one in predictions if one.outcome in (Outcome.ACCEPTED, Outcome.UNKNOWN)]


def count(predictions: Sequence[Prediction]) -> int:
    """How many monitors there are, of load balancers that Octavia takes."""
    return sum(
        plan.monitor is not None
        for prediction in predictions
        if prediction.outcome is Outcome.ACCEPTED
        for plan in prediction.plans
    )


def _monitors(before: list[Prediction], after: list[Prediction]) -> Figure:
    numbers = (count(before), count(after))
    now, then = numbers
    return Figure("monitors", "health monitors", str(now), str(then), None, {"now": now, "then": then})


def _quota(decision: Decision, before: list[Prediction], after: list[Prediction]) -> Figure:
    limit, used = decision.cloud.facts.monitor_quota, decision.cloud.monitors_used
    numbers: dict[str, object] = {
        "quota": limit,
        "used": used,
        "now": used + count(before),
        "then": used + count(after),
    }
    if limit is None or limit < 0:
        return Figure("quota", "of the project's quota", "no limit", "no limit", numbers=numbers)
    over = used + sum(len(one.plans) for one in after)
    numbers["all"] = over
    fits = used + count(after) <= limit
    return Figure(
        "quota",
        "of the project's quota",
        f"{numbers['now']} of {limit}",
        f"{numbers['then']} of {limit}" + ("" if over <= limit else f" ({over} for all ports)"),
        None if fits else False,
        numbers,
    )


def _probes(decision: Decision, before: list[Prediction], after: list[Prediction]) -> Figure:
    rates = [_rate(one) for one in (before, after)]
    is_open = (
        decision.cloud.facts.topology not in AMPHORAE and detection.driver_of(decision.config.lb_provider) == "amphora"
    )
    pairs = [None if rate is None else 2 * rate for rate in rates] if is_open else [None, None]
    return Figure(
        "probes",
        "probes a second, all load balancers",
        _spoken(rates[0], pairs[0]),
        _spoken(rates[1], pairs[1]),
        None,
        {"now": rates[0], "then": rates[1], "single": is_open, "now_pair": pairs[0], "then_pair": pairs[1]},
    )


def _spoken(rate: float | None, pair: float | None) -> str:
    if rate is None:
        return "not known"
    return f"{per_second(rate)} (single) or {per_second(pair)} (active-standby)" if pair else per_second(rate)


def _rate(predictions: list[Prediction]) -> float | None:
    total = 0.0
    for prediction in predictions:
        if all(plan.monitor is None for plan in prediction.plans):
            continue
        answer = prediction.answer("probes")
        numbers = answer.numbers if answer is not None else {}
        rate = numbers.get("total")
        rate = numbers.get("per_amphora") if rate is None else rate
        if not isinstance(rate, int | float):
            return None
        total += rate
    return round(total, 4)


def _dead_node(before: list[Prediction], after: list[Prediction]) -> Figure:
    (now, first), (then, second) = (_slowest(_answers(one, "dead-node", _out)) for one in (before, after))
    return Figure("dead-node", "a dead node is out", now, then, _shorter(first, second), _seconds(first, second))


def _seconds(now: float | None, then: float | None) -> dict[str, object]:
    """For programs, to which JSON has no infinity: never and not known are both None."""
    return {name: None if value == _NEVER else value for name, value in (("now", now), ("then", then))}


class _Span(NamedTuple):
    """How long something takes for one Service.

    Attributes:
        service: The Service.
        text: In words.
        seconds: At most; infinite for never, None for not known.
    """

    service: str
    text: str
    seconds: float | None


def _answers(
    predictions: Iterable[Prediction], name: str, out: Callable[[Answer], tuple[str, float | None]]
) -> Iterator[_Span]:
    for prediction in predictions:
        answer = prediction.answer(name)
        if answer is not None:
            yield _Span(prediction.service, *out(answer))


def _slowest(spans: Iterable[_Span]) -> tuple[str, float | None]:
    """In words, the slowest Services first and each named where they differ, and the seconds of the slowest."""
    by_text: dict[tuple[str, float | None], list[str]] = {}
    for span in spans:
        by_text.setdefault((span.text, span.seconds), []).append(span.service)
    if not by_text:
        return "not known", None
    ranked = sorted(by_text, key=lambda key: (1.0 if key[1] is None else -key[1], key[0] != _FOREVER))
    known = [seconds for _, seconds in ranked if seconds is not None]
    worst = max(known, default=None)
    if len(ranked) == 1:
        return ranked[0][0], worst
    shown = [f"{text} ({listed(tuple(by_text[text, seconds]), _MOST_SHOWN)})" for text, seconds in ranked]
    more = len(shown) - _MOST_GROUPS
    return "; ".join(shown[:_MOST_GROUPS]) + (f"; and {more} other times" if more > 0 else ""), worst


def _out(answer: Answer) -> tuple[str, float | None]:
    refused, silent = answer.numbers.get("refused"), answer.numbers.get("silent")
    if isinstance(refused, list):
        first = f"after {refused[1]:g} s (refused)"
        if isinstance(silent, list):
            return f"{first} or {silent[1]:g} s (silent) at most", float(silent[1])
        return f"{first} at most, never where it is silent", _NEVER
    if answer.good is False:
        return _FOREVER, _NEVER
    return (_BEFORE_127, None) if answer.numbers.get("service_controller") else (answer.text, None)


def _shorter(now: float | None, then: float | None) -> bool | None:
    return None if now is None or then is None or now == then else then < now


def _local(services: list[Decided]) -> Iterator[Figure]:
    before, after = _live(service.now for service in services), _live(service.then for service in services)
    (share, now, shares), (other, then, others) = _wrong_node(before), _wrong_node(after)
    yield Figure(
        "wrong-node",
        "first connections of Local Services to nodes without a pod",
        now,
        then,
        _shorter(share, other),
        {
            "now": share,
            "then": other,
            "services": {name: {"now": shares.get(name), "then": others.get(name)} for name in {**shares, **others}},
        },
    )
    (now, first), (then, second) = _podless(before), _podless(after)
    label = "a node whose last pod goes is out"
    yield Figure("podless-node", label, now, then, _shorter(first, second), _seconds(first, second))


class _Wrong(NamedTuple):
    """First connections of one Local Service to nodes without a pod.

    Attributes:
        service: The Service.
        share: Their share; None where it is not known.
        text: The same in words, with what becomes of them.
    """

    service: str
    share: float | None
    text: str


def _wrong_node(predictions: list[Prediction]) -> tuple[float | None, str, dict[str, float | None]]:
    """The largest share that keeps going to nodes without a pod, every Service in words, and each one's share."""
    services = [wrong for one in predictions if (wrong := _wrong(one)) is not None]
    known = [wrong for wrong in services if wrong.share is not None]
    if not services:
        return None, "not known", {}
    worst = max((wrong.share for wrong in known if wrong.share is not None), default=None)
    if worst == 0 and len(known) == len(services):
        text = "none after the first checks" if any(wrong.text for wrong in services) else "none"
    else:
        shown = sorted((wrong for wrong in services if wrong.share != 0), key=lambda wrong: -(wrong.share or 0))
        text = "; ".join(f"{wrong.service}: {wrong.text}" for wrong in shown[:_MOST_SHOWN])
        if len(shown) > _MOST_SHOWN:
            text += f"; and {len(shown) - _MOST_SHOWN} more Services"
        elif len(shown) < len(services):
            text += "; of the others none"
    return worst, text, {wrong.service: wrong.share for wrong in services}


def _wrong(prediction: Prediction) -> _Wrong | None:
    answer = prediction.answer("traffic-local")
    if answer is None:
        return None
    name, numbers = prediction.service, answer.numbers
    if answer.good is True:
        return _Wrong(name, 0.0, "once the checks have taken them out" if "seconds" in numbers else "")
    share = numbers.get("share")
    if isinstance(share, int | float):
        text = f"{round(100 * share)} %"
        first = numbers.get("first_connections")
        if isinstance(first, dict):
            is_http = any(plan.listener in HTTP_LISTENERS for plan in prediction.plans)
            text += f" ({redispatch.from_dict(first).describe(http=is_http)})"
        elif octavia.family(prediction.provider) == "ovn":
            text += " (each is lost)"
        return _Wrong(name, float(share), text)
    if answer.good is False:
        missing = "--replicas" if prediction.nodes is not None else "--nodes and --replicas"
        return _Wrong(name, None, f"some, and how many depends on {missing}")
    return _Wrong(name, None, "not known")


def _podless(predictions: list[Prediction]) -> tuple[str, float | None]:
    never = "never, while the node is there"
    spans: list[_Span] = []
    for prediction in predictions:
        answer = prediction.answer("podless-node")
        out = answer.numbers.get("out") if answer is not None else None
        if isinstance(out, list):
            spans.append(_Span(prediction.service, f"after {out[1]:g} s at most", float(out[1])))
        elif answer is not None:
            is_never = answer.good is False
            spans.append(_Span(prediction.service, never if is_never else "not known", _NEVER if is_never else None))
        elif prediction.plans and all(plan.monitor is None for plan in prediction.plans):
            spans.append(_Span(prediction.service, never, _NEVER))
    return _slowest(spans)


def points(decision: Decision, budget: float) -> tuple[tuple[TimersPoint, ...], str]:
    """Each set of timers for the Service with the most ports: detection time against probes, and that Service's name.

    Args:
        decision: What was decided.
        budget: Probes a second that one load balancer may send.
    """
    planned = [service for service in decision.services if service.then.plans or service.now.plans]
    if not planned or "lb-provider" in decision.config.open:
        return (), ""
    largest = max(planned, key=lambda one: len(one.service.ports))
    own = own_timers(decision.config)
    chosen = decision.choice.timers
    sets = list(PROFILES)
    if own.delay > 0 and not any(own[1:5] == one[1:5] for one in sets):
        sets.insert(0, own)
    keeps = decision.choice.keeps
    listed = tuple(
        _point(one, largest, decision, budget, chosen=own[1:5] == one[1:5] if keeps else one is chosen) for one in sets
    )
    return tuple(one for one in listed if one.refused is not None), largest.service.title


def _point(timers: Timers, decided: Decided, decision: Decision, budget: float, *, chosen: bool) -> TimersPoint:
    provider = decision.config.lb_provider
    driver = detection.driver_of(provider)
    plan = next(
        (plan for plan in decided.then.plans if plan.monitor is not None), (decided.then.plans or decided.now.plans)[0]
    )
    kind = plan.monitor_type or {"UDP": "UDP-CONNECT", "SCTP": "SCTP"}.get(plan.pool, "TCP")
    times = detection.times(driver, plan.pool, kind, (timers.delay, timers.timeout, timers.retries, timers.down), 5)
    nodes = decided.then.nodes
    amphorae = AMPHORAE.get(decision.cloud.facts.topology, 2) if driver == "amphora" else 1
    node = per_node(driver, [kind] * len(decided.service.ports), timers.delay, timers.timeout)
    rate = None if nodes is None or node is None else node * nodes * amphorae
    return TimersPoint(
        timers.name,
        str(timers),
        None if times.refused is None else times.refused.most,
        None if times.silent is None else times.silent.most,
        None if rate is None else round(rate, 4),
        None if rate is None else rate <= budget,
        chosen,
    )
