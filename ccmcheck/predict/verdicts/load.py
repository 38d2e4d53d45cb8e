"""What monitors cost: probes, and the quota."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.policy.create_monitor.timers import AMPHORAE, per_second
from ccmcheck.predict.drivers.record import Driver
from ccmcheck.predict.records import Answer
from ccmcheck.predict.verdicts.answers import answer
from ccmcheck.predict.verdicts.context import VerdictContext


def probes(context: VerdictContext) -> Answer:
    """How many probes there are a second."""
    delay, timeout = context.timers[0], context.timers[1]
    if delay <= 0:
        return answer("probes no delay")
    rate = per_node(context.driver, (plan.monitor_type for plan in context.prediction.plans), delay, timeout)
    if rate is None:
        return answer("probes unknown")
    if context.driver.has_amphorae is False:
        total = None if context.members is None else rate * context.members
        text = f"{per_second(rate)} probes/s per node" + ("" if total is None else f", {per_second(total)} in all")
        numbers: dict[str, object] = {"per_node": round(rate, 4), "total": None if total is None else round(total, 4)}
        return answer("probes of chassis", numbers, rate=text)
    amphora = None if context.members is None else rate * context.members
    count = AMPHORAE.get(context.cloud.facts.topology)
    if count is not None:
        total = None if amphora is None else amphora * count
        text = f"{per_second(rate * count)} probes/s per node" + (
            "" if total is None else f", {per_second(total)} in all"
        )
        if count > 1 and amphora is not None:
            text += f", {per_second(amphora)} per amphora"
    else:
        total = None
        text = f"{per_second(rate)} probes/s per node (single) or {per_second(2 * rate)} (active-standby)"
        if amphora is not None:
            text = f"{per_second(amphora)} probes/s (single) or {per_second(2 * amphora)} (active-standby)"
            text += f", {per_second(rate)} or {per_second(2 * rate)} per node"
    numbers = {
        "per_node": round(rate * (count or 1), 4),
        "per_amphora": None if amphora is None else round(amphora, 4),
        "total": None if total is None else round(total, 4),
    }
    return answer("probes of amphorae", numbers, rate=text)


def per_node(driver: Driver, kinds: Iterable[str], delay: int, timeout: int) -> float | None:
    """The probes a second that a node gets from one amphora, or on OVN from its own chassis; None where not known."""
    if driver.has_amphorae is False:
        return sum((1 / (delay + timeout) if kind == "UDP-CONNECT" else 1 / delay for kind in kinds), 0.0)
    return len(tuple(kinds)) / delay if driver.has_amphorae else None


def quota(context: VerdictContext) -> Answer:
    """Whether the project's quota allows the monitors."""
    needed = len(context.prediction.plans) if context.monitored else 0
    limit = context.cloud.facts.monitor_quota
    used = context.cloud.monitors_used
    if not needed:
        return answer("quota no monitor", {"monitors": 0})
    numbers = {"monitors": needed, "used": used, "quota": limit}
    text = f"{needed} monitor{'' if needed == 1 else 's'}, one per port"
    if limit is None:
        return answer("quota unknown", numbers, monitors=text)
    if limit < 0:
        return answer("quota unlimited", numbers, monitors=text)
    used += needed
    return answer("quota fits" if used <= limit else "quota refuses", numbers, monitors=text, used=used, limit=limit)
