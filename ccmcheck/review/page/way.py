"""The way of a connection as a diagram: client, address, load balancer with its monitors, nodes."""

from __future__ import annotations

from ccmcheck.base.suggest import first_of
from ccmcheck.predict.forms.connection import checks, port
from ccmcheck.predict.records import EXTERNAL_NETWORK, Outcome, PortPlan, Prediction
from ccmcheck.report.document import blocks as b

_MOST_PORTS = 5
_MOST_KINDS = 3
_LONGEST = 300
"""Characters of one text."""

_MISSING = {
    Outcome.REFUSED: "OpenStack refuses the load balancer",
    Outcome.FAILS: "the load balancer ends in ERROR",
    Outcome.ERROR: "the CCM requests no load balancer",
    Outcome.NOTHING: "the CCM requests nothing",
}
CHANGED = "What differs has a thick outline."


def diagram(prediction: Prediction, title: str, *, other: Prediction | None = None) -> b.Diagram:
    """The diagram of one Service.

    Args:
        prediction: The prediction.
        title: What the diagram is called.
        other: What it was before; what differs from it is marked.
    """
    entry = b.DiagramStage(
        *_address(prediction), is_changed=other is not None and _address(other) != _address(prediction)
    )
    if prediction.outcome is Outcome.ACCEPTED and prediction.plans:
        return b.Diagram(title, (_client(), entry, _balancer(prediction, other), _nodes(prediction, other)))
    missing = b.DiagramStage(
        _MISSING.get(prediction.outcome, "not known"), note=_cut(prediction.why or prediction.error)
    )
    return b.Diagram(title, (_client(), entry, missing), is_broken=True)


def _client() -> b.DiagramStage:
    return b.DiagramStage("client")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _address(prediction: Prediction) -> tuple[str, str]:
    floating = prediction.floating
    if floating.wanted:
        is_known = floating.network not in ("", EXTERNAL_NETWORK)
        network = f"from {floating.network}" if is_known else "from the external network"
        return "floating IP", _cut(floating.address or network)
    address = next((entry.ip for entry in prediction.published if entry.ip), "")
    return "VIP", address if address and " " not in address else "in the load balancer's subnet"


def _balancer(prediction: Prediction, other: Prediction | None) -> b.DiagramStage:
    provider = prediction.provider or "the default provider"
    before = (other.provider or "the default provider") if other is not None and other.plans else provider
    known = None if other is None else {(plan.port, plan.protocol): plan for plan in other.plans}
    rows = [_port(plan, known) for plan in prediction.plans[:_MOST_PORTS]]
    more = len(prediction.plans) - len(rows)
    if more > 0:
        rows.append((b.Box((f"and {more} more ports",)),))
    lines = _monitors(prediction)
    is_changed = other is not None and other.outcome is Outcome.ACCEPTED and _monitors(other) != lines
    rows.append((b.Box(tuple(lines), is_missing=len(lines) == 1, is_changed=is_changed),))
    aside = provider if before == provider else f"{provider} (was {before})"
    return b.DiagramStage("load balancer", _cut(aside), tuple(rows))


def _port(plan: PortPlan, before: dict[tuple[int, str], PortPlan] | None) -> tuple[b.Box, ...]:
    old = None if before is None else before.get((plan.port, plan.protocol))
    is_new = before is not None and old is None
    listener, pool = f"{plan.listener}/{port(plan)}", f"{plan.pool} {plan.method}"
    return (
        b.Box(
            (f"listener {_cut(listener)}",), is_changed=is_new or (old is not None and old.listener != plan.listener)
        ),
        b.Box(
            (f"pool {_cut(pool)}",),
            is_changed=is_new or (old is not None and (old.pool, old.method) != (plan.pool, plan.method)),
        ),
    )


def _monitors(prediction: Prediction) -> list[str]:
    """The monitors in lines; a single line where there is none."""
    seen = checks(prediction)
    if not seen:
        return ["no monitor: nothing checks the nodes"]
    count = sum(seen.values())
    kinds = [_cut(text if number == count else f"{number} × {text}") for text, number in seen.items()]
    more = [f"and {len(kinds) - _MOST_KINDS} more kinds"] if len(kinds) > _MOST_KINDS else []
    timers = next(plan.monitor for plan in prediction.plans if plan.monitor is not None)
    down = timers.get("max_retries_down")
    return [
        f"{count} monitor{'' if count == 1 else 's'}",
        *kinds[:_MOST_KINDS],
        *more,
        f"every {timers.get('delay')} s, timeout {timers.get('timeout')} s",
        f"out after {down if down is not None else 'Octavia’s 3'} failures, back after {timers.get('max_retries')}",
    ]


def _nodes(prediction: Prediction, other: Prediction | None) -> b.DiagramStage:
    count = prediction.nodes
    title = "nodes, not counted" if count is None else f"{count} node{'' if count == 1 else 's'}"
    ports = tuple(f":{plan.node_port}" for plan in prediction.plans if plan.node_port)
    is_changed = other is not None and other.outcome is Outcome.ACCEPTED and other.nodes != count
    empty, note = _without_pod(prediction)
    dots = None if count is None else (count, empty)
    return b.DiagramStage(title, first_of(ports, 12) or "no NodePort", dots=dots, note=note, is_changed=is_changed)


def _without_pod(prediction: Prediction) -> tuple[int, str]:
    """How many nodes have no pod, where that matters and is known, and what becomes of them."""
    answer = prediction.answer("traffic-local") if prediction.policy == "Local" else None
    without = answer.numbers.get("without") if answer is not None else None
    if answer is None or not isinstance(without, int) or not without:
        return 0, ""
    return without, f"{without} without a pod: {'taken out' if answer.good else 'connections go there, too'}"
