"""The numbers of a cluster for the page on create-monitor: as it is, and with what is recommended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import octavia
from ccmcheck.document.blocks import listed
from ccmcheck.policy.create_monitor.timers import AMPHORAE, per_second
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts import detection, redispatch
from ccmcheck.predict.verdicts.traffic import HTTP_LISTENERS
from ccmcheck.review.create_monitor.records import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    now, then = (_slowest(_dead_spans(one)) for one in (before, after))
    return _figure("dead-node", "a dead node is out", now, then)


def _figure(name: str, label: str, now: _Slowest, then: _Slowest) -> Figure:
    better = _shorter(now.seconds, then.seconds)
    numbers = _seconds(now.seconds, then.seconds)
    return Figure(name, label, now.text, then.text, better, numbers, (now.brief, then.brief))


def _seconds(now: float | None, then: float | None) -> dict[str, object]:
    """For programs, to which JSON has no infinity: never and not known are both None."""
    return {name: None if value == _NEVER else value for name, value in (("now", now), ("then", then))}


class _Slowest(NamedTuple):
    """How long something takes for all Services.

    Attributes:
        text: In words, the slowest Services first and each named where they differ.
        seconds: Of the slowest; infinite for never, None for not known.
        brief: That of the most Services in few words, the slowest of several.
    """

    text: str
    seconds: float | None
    brief: str


class _Span(NamedTuple):
    """How long something takes for some Services.

    Attributes:
        text: In words.
        seconds: At most; infinite for never, None for not known.
        brief: In fewer words.
    """

    text: str
    seconds: float | None
    brief: str


def _slowest(spans: Iterable[tuple[str, _Span]]) -> _Slowest:
    """The same for all Services, by the span of each."""
    named: dict[_Span, list[str]] = {}
    for service, span in spans:
        named.setdefault(span, []).append(service)
    if not named:
        return _Slowest("not known", None, "not known")
    ranked = sorted(named, key=lambda span: (1.0 if span.seconds is None else -span.seconds, span.text != _FOREVER))
    worst = max((span.seconds for span in ranked if span.seconds is not None), default=None)
    if len(ranked) == 1:
        return _Slowest(ranked[0].text, worst, ranked[0].brief)
    shown = [f"{span.text} ({listed(tuple(named[span]), _MOST_SHOWN)})" for span in ranked]
    more = len(shown) - _MOST_GROUPS
    text = "; ".join(shown[:_MOST_GROUPS]) + (f"; and {more} other times" if more > 0 else "")
    common = max(ranked, key=lambda span: len(named[span]))
    total = sum(map(len, named.values()))
    whose = "at worst" if common is ranked[0] else f"for {len(named[common])} of {total} Services"
    return _Slowest(text, worst, f"{common.brief} {whose}")


def _dead_spans(predictions: Iterable[Prediction]) -> Iterator[tuple[str, _Span]]:
    for prediction in predictions:
        answer = prediction.answer("dead-node")
        if answer is not None:
            yield prediction.service, _out(answer)


def _out(answer: Answer) -> _Span:
    refused, silent = answer.numbers.get("refused"), answer.numbers.get("silent")
    if isinstance(refused, list):
        first = f"after {refused[1]:g} s (refused)"
        soon = f"in {refused[1]:g} s (refused)"
        if isinstance(silent, list):
            or_silent = f"or {silent[1]:g} s (silent)"
            return _Span(f"{first} {or_silent} at most", float(silent[1]), f"{soon} {or_silent}")
        return _Span(f"{first} at most, never where it is silent", _NEVER, f"{soon}, never if silent")
    if answer.good is False:
        return _Span(_FOREVER, _NEVER, "when its Node is deleted")
    text = _BEFORE_127 if answer.numbers.get("service_controller") else answer.text
    return _Span(text, None, text)


def _shorter(now: float | None, then: float | None) -> bool | None:
    return None if now is None or then is None or now == then else then < now


def _local(services: list[Decided]) -> Iterator[Figure]:
    before, after = _live(service.now for service in services), _live(service.then for service in services)
    (share, now, shares, brief), (other, then, others, later) = _wrong_node(before), _wrong_node(after)
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
        (brief, later),
    )
    yield _figure(
        "podless-node", "a node whose last pod goes is out", _slowest(_podless(before)), _slowest(_podless(after))
    )


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


def _wrong_node(predictions: list[Prediction]) -> tuple[float | None, str, dict[str, float | None], str]:
    """The largest share that keeps going to nodes without a pod, every Service in words, each share, and the worst."""
    services = [wrong for one in predictions if (wrong := _wrong(one)) is not None]
    known = [wrong for wrong in services if wrong.share is not None]
    if not services:
        return None, "not known", {}, "not known"
    worst = max((wrong.share for wrong in known if wrong.share is not None), default=None)
    if worst == 0 and len(known) == len(services):
        text = brief = "none after the first checks" if any(wrong.text for wrong in services) else "none"
    else:
        shown = sorted((wrong for wrong in services if wrong.share != 0), key=lambda wrong: -(wrong.share or 0))
        text = "; ".join(f"{wrong.service}: {wrong.text}" for wrong in shown[:_MOST_SHOWN])
        brief = f"{shown[0].service}: {shown[0].text}"
        if len(shown) > _MOST_SHOWN:
            text += f"; and {len(shown) - _MOST_SHOWN} more Services"
        elif len(shown) < len(services):
            text += "; of the others none"
    return worst, text, {wrong.service: wrong.share for wrong in services}, brief


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


def _podless(predictions: list[Prediction]) -> Iterator[tuple[str, _Span]]:
    never = "never, while the node is there"
    for prediction in predictions:
        answer = prediction.answer("podless-node")
        out = answer.numbers.get("out") if answer is not None else None
        if isinstance(out, list):
            text = f"after {out[1]:g} s at most"
            yield prediction.service, _Span(text, float(out[1]), text)
        elif answer is not None and answer.good is not False:
            yield prediction.service, _Span("not known", None, "not known")
        elif answer is not None or (prediction.plans and all(plan.monitor is None for plan in prediction.plans)):
            yield prediction.service, _Span(never, _NEVER, never)
