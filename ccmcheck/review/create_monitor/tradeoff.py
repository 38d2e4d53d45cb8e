"""What each set of timers brings and costs on this cluster: how soon a node is out, and how many probes that takes.

The sets are those of `ccmcheck.policy.create_monitor.timers`, and the cluster's own. Nothing is worked out here that
`predict` does not know: times are those of `ccmcheck.predict.drivers`, probes `ccmcheck.predict.verdicts.load`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data import octavia
from ccmcheck.policy.create_monitor.timers import PROFILES
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import Driver, HealthCheck, Seconds, Times
from ccmcheck.predict.records import PortPlan, Prediction
from ccmcheck.predict.verdicts.load import per_node

Timing = tuple[int, int, int, int]
"""Delay and timeout in seconds, successes, failures."""

_CONNECT = float(octavia.MEMBER_CONNECT_SECONDS)
_BLIND = "UDP-CONNECT"
_WOULD_BE = {"UDP": _BLIND, "SCTP": "SCTP"}


class CheckedPool(NamedTuple):
    """One pool whose members are checked, or would be.

    Attributes:
        protocol: The pool's protocol.
        kind: The monitor's type.
        nodes: How many members it has; None when unknown.
    """

    protocol: str
    kind: str
    nodes: int | None


class TimersSet(NamedTuple):
    """One set of timers.

    Attributes:
        name: What it is called, by its profile and by whose it is.
        own: Whether the cluster has it, before or after.
        use: What it is for.
        timing: The timers.
        node: Probes a second that one node gets.
        total: Probes a second in all; None when the nodes are not counted.
        refused: Until a node is out that refuses the connection, or answers badly.
        silent: Until a node is out that does not answer at all; None for never.
        back: Until a node that answers again is back.
    """

    name: str
    own: bool
    use: str
    timing: Timing
    node: float
    total: float | None
    refused: Seconds | None
    silent: Seconds | None
    back: Seconds | None


class Tradeoff(NamedTuple):
    """All sets for one cluster.

    Attributes:
        sets: The sets, from the one with most probes.
        pools: How many pools are checked.
        nodes: How many nodes there are; None when unknown, or when pools differ.
        driver: The driver.
        amphorae: How many amphorae check each; 0 when unknown, and for OVN, which has none.
        kind: The type of monitor that the times are those of.
        others: Types of monitors whose times differ, with the pools' protocol where the type is the same.
        how: What checks, in words.
        evidence: Where the times are from.
        pool: The protocol of the pools that the times are those of.
    """

    sets: tuple[TimersSet, ...]
    pools: int
    nodes: int | None
    driver: Driver
    amphorae: int
    kind: str
    others: tuple[str, ...]
    how: str
    evidence: str
    pool: str

    @property
    def is_counted(self) -> bool:
        """Whether the probes in all are known, not only those that a node gets."""
        return all(timers_set.total is not None for timers_set in self.sets)


def tradeoff(predictions: Sequence[Prediction], amphorae: int | None, own: Mapping[str, Timing]) -> Tradeoff | None:
    """Work out what each set of timers would do to these Services.

    Args:
        predictions: The Services' predictions.
        amphorae: How many amphorae a load balancer has; None when unknown: then the probes are those of one.
        own: The cluster's own timers, by what they are called.

    Returns:
        None where there is nothing to check, or nothing is known of how it is checked.
    """
    pools = list(_pools(predictions))
    if not pools:
        return None
    driver = driver_of(next((prediction.provider for prediction in predictions if prediction.plans), ""))
    ranked = [kind for kind, _ in Counter((pool.protocol, pool.kind) for pool in pools).most_common()]
    leading = next((kind for kind in ranked if kind[1] != _BLIND), ranked[0])
    amphorae = (amphorae or 0) if driver.has_amphorae else 0
    named = _named(own)
    sets = [_set(timing, named[timing], pools, leading, driver, amphorae or 1) for timing in named]
    known = [timers_set for timers_set in sets if timers_set is not None]
    if not known:
        return None
    times = driver.times(HealthCheck(*leading, *known[0].timing, _CONNECT))
    counts = {pool.nodes for pool in pools}
    return Tradeoff(
        tuple(sorted(known, key=lambda one: (-one.node, one.name))),
        len(pools),
        counts.pop() if len(counts) == 1 else None,
        driver,
        amphorae,
        leading[1],
        tuple(
            dict.fromkeys(
                kind if kind != leading[1] else f"{kind} on {pool} pools"
                for pool, kind in ranked
                if _differs(driver, (pool, kind), times)
            )
        ),
        times.how,
        times.evidence,
        leading[0],
    )


def _differs(driver: Driver, pool: tuple[str, str], times: Times) -> bool:
    other = driver.times(HealthCheck(*pool, 5, 3, 1, 3, _CONNECT))
    return (other.how, other.silent is None) != (times.how, times.silent is None)


def own_timing(predictions: Iterable[Prediction]) -> Timing | None:
    """The timers that most pools are checked with; None without monitors."""
    counted = Counter(
        timing for prediction in predictions for plan in prediction.plans if (timing := _timing(plan)) is not None
    )
    return counted.most_common(1)[0][0] if counted else None


def _timing(plan: PortPlan) -> Timing | None:
    monitor = plan.monitor
    if monitor is None:
        return None
    delay, timeout, rise = (monitor.get(name) for name in ("delay", "timeout", "max_retries"))
    fall = monitor.get("max_retries_down") or octavia.DEFAULT_RETRIES_DOWN
    if isinstance(delay, int) and isinstance(timeout, int) and isinstance(rise, int) and isinstance(fall, int):
        return delay, timeout, rise, fall
    return None


def _pools(predictions: Sequence[Prediction]) -> Iterable[CheckedPool]:
    """The pools that are checked; where none is, all of them, as they would be."""
    monitored = any(plan.monitor is not None for prediction in predictions for plan in prediction.plans)
    for prediction in predictions:
        for plan in prediction.plans:
            if plan.monitor is not None or not monitored:
                yield CheckedPool(plan.pool, plan.monitor_type or _WOULD_BE.get(plan.pool, "TCP"), prediction.nodes)


def _named(own: Mapping[str, Timing]) -> dict[Timing, tuple[str, bool, str]]:
    """Every set once, with all its names, whether it is the cluster's, and what it is for."""
    named: dict[Timing, tuple[str, bool, str]] = {
        (timers.delay, timers.timeout, timers.retries, timers.down): (timers.name, False, timers.use)
        for timers in PROFILES
    }
    for name, timing in own.items():
        before = named.get(timing)
        if before is None:
            named[timing] = (name, True, "the cluster’s own")
        elif before[1]:
            named[timing] = (f"{before[0]}, {name}", True, before[2])
        else:
            named[timing] = (f"{before[0]} = {name}", True, before[2])
    return named


def _set(
    timing: Timing,
    names: tuple[str, bool, str],
    pools: Sequence[CheckedPool],
    leading: tuple[str, str],
    driver: Driver,
    amphorae: int,
) -> TimersSet | None:
    if timing[0] <= 0:
        return None
    times = driver.times(HealthCheck(*leading, *timing, _CONNECT))
    node = per_node(driver, [pool.kind for pool in pools], timing[0], timing[1])
    if node is None or not times.known:
        return None
    total = 0.0
    counted = all(pool.nodes is not None for pool in pools)
    for pool in pools:
        total += (per_node(driver, [pool.kind], timing[0], timing[1]) or 0) * (pool.nodes or 0)
    return TimersSet(
        *names, timing, node * amphorae, total * amphorae if counted else None, times.refused, times.silent, times.back
    )
