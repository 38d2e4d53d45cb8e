"""The way of a connection in words: address, listeners, pools, nodes and health monitors of a prediction."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.records import PortPlan, Prediction

_MOST_PORTS = 12
"""Lines of ports in a drawing; the others are counted."""


def drawing(prediction: Prediction) -> Iterator[str]:
    """``client ─▶ floating IP ─▶ listener ─▶ pool ─▶ nodes``, a line for each port, and the monitors below.

    Args:
        prediction: The prediction; it has plans.

    Yields:
        Lines.
    """
    start = f"client ─▶ {_entry(prediction)} ─▶ "
    shown = prediction.plans[:_MOST_PORTS]
    provider = prediction.provider or "default provider's"
    listeners = [f"{provider} listener {plan.listener}/{port(plan)}" for plan in shown]
    pools = [f"pool {plan.pool}/{port(plan)}" for plan in shown]
    listener_width, pool_width = max(map(len, listeners)), max(map(len, pools))
    lead = " " * len(start)
    for index, (plan, listener, pool) in enumerate(zip(shown, listeners, pools, strict=True)):
        nodes = _nodes(prediction, plan)
        line = f"{lead if index else start}{listener:<{listener_width}} ─▶ {pool:<{pool_width}} ─▶ {nodes}"
        yield line.rstrip()
    if len(prediction.plans) > len(shown):
        yield f"{lead}… and {len(prediction.plans) - len(shown)} more ports"
    for line in _monitors(prediction):
        yield lead + line


def port(plan: PortPlan) -> str:
    """The Service's port; a question mark for one that is filled in later."""
    return str(plan.port or "?")


def monitor(plan: PortPlan) -> str:
    """What a port's monitor requests, in a word or two."""
    if plan.monitor is None:
        return "none"
    return " ".join(filter(None, (plan.monitor_type, plan.http_path, f":{plan.monitor_port}")))


def checks(prediction: Prediction) -> dict[str, int]:
    """What the monitors request, and how many monitors request it."""
    seen: dict[str, int] = {}
    for plan in prediction.plans:
        if plan.monitor is not None:
            check = f"{plan.monitor_type}{' ' + plan.http_path if plan.http_path else ''}"
            check += f" on port {plan.monitor_port}" if plan.http_path else " on the NodePort"
            seen[check] = seen.get(check, 0) + 1
    return seen


def _entry(prediction: Prediction) -> str:
    return f"floating IP {prediction.floating.address}".rstrip() if prediction.floating.wanted else "VIP"


def _nodes(prediction: Prediction, plan: PortPlan) -> str:
    if not plan.node_port:
        return "no node: the port has no NodePort"
    count = prediction.nodes
    return f"{'? nodes' if count is None else f'{count} node' + 's' * (count != 1)} :{plan.node_port}"


def _monitors(prediction: Prediction) -> Iterator[str]:
    """Each kind of monitor once, with its timers and what it requests."""
    seen = checks(prediction)
    if not seen:
        yield f"monitor: none ({prediction.monitor_source})"
        return
    timers = prediction.plans[0].monitor or {}
    down = timers.get("max_retries_down")
    timing = f"every {timers.get('delay')} s, timeout {timers.get('timeout')} s, {timers.get('max_retries')} up"
    timing += f", {down if down is not None else 'Octavia’s 3'} down"
    for check, count in seen.items():
        yield f"{count} monitor{'' if count == 1 else 's'}: {check}, {timing}"
