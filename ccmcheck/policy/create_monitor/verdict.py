"""What cloud.conf should say about create-monitor: one value for all Services, and annotations for the exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Release
from ccmcheck.policy.create_monitor.matrix import first_row
from ccmcheck.policy.create_monitor.records import Advice, MatrixQuestion, MatrixRow, Via


class ConfigVerdict(NamedTuple):
    """What cloud.conf should say.

    Attributes:
        value: ``create-monitor``; None where rows contradict each other or nothing is known.
        rows: The rows that say so.
        why: Why, one sentence.
    """

    value: bool | None
    rows: tuple[MatrixRow, ...] = ()
    why: str = ""

    @property
    def for_any(self) -> MatrixRow | None:
        """The row that asks for monitors whatever the Services are; None where only some Services would need them."""
        return next((row for row in self.rows if row.advice is Advice.ON and row.when.policy != "Local"), None)


@cache
def for_config(release: Release, driver: str | None, serial: bool | None) -> ConfigVerdict:
    """Judge a config by the TCP Services that any cluster may get, of either policy.

    Args:
        release: The CCM's.
        driver: As in `MatrixQuestion`; None where the cloud decides.
        serial: provider-requires-serial-api-calls.

    Returns:
        ``True`` where a row asks for monitors in cloud.conf and none forbids them there, ``False`` where one forbids
        them or all leave it open.
    """
    asked = [
        first_row(MatrixQuestion(release, driver, policy=policy, protocols=("TCP",), serial=serial))
        for policy in ("Cluster", "Local")
    ]
    rows = [row for row in asked if row is not None and row.via is Via.CONFIG]
    off = tuple(row for row in rows if row.advice is Advice.OFF)
    on = tuple(row for row in rows if row.advice is Advice.ON)
    if off and on and off[0].when.policy is not None:
        return ConfigVerdict(None, (*on, *off))
    if off:
        return ConfigVerdict(False, off)
    if on:
        return ConfigVerdict(True, on)
    return ConfigVerdict(False if rows else None, tuple(rows))


def for_services(rows: Sequence[MatrixRow], *, now: bool | None, timed: bool) -> ConfigVerdict:
    """The one value that serves all Services of a cluster.

    ``true`` where any row asks for it in cloud.conf, because an annotation switches it off again for single Services;
    where no row asks for it, the value is still written down, so that the choice can be reviewed.

    Args:
        rows: The row of each Service.
        now: ``create-monitor`` as it is; None where it is known after rendering only.
        timed: Whether all three timers are set, which releases up to 1.17 need.
    """

    def those(*advice: Advice) -> tuple[MatrixRow, ...]:
        return tuple(dict.fromkeys(row for row in rows if row.advice in advice))

    over, on, open_ = those(Advice.ON_FOR_LOCAL), those(Advice.ON), those(Advice.EITHER)
    timers, off = those(Advice.ON_WITH_TIMERS), those(Advice.OFF)
    if over:
        return ConfigVerdict(
            False, over, "the quota does not suffice for all ports, so only Local Services get monitors"
        )
    if on:
        exceptions = ", and the others say no for themselves" if off else ""
        return ConfigVerdict(True, (*on, *off), f"at least one Service needs monitors{exceptions}")
    if timers:
        why = "all three timers are set" if timed else "a timer is missing, and with true the CCM would not start"
        return ConfigVerdict(timed, timers, why)
    if open_:
        return ConfigVerdict(now, (*open_, *off), "either value works; written down it can be reviewed")
    if off:
        return ConfigVerdict(False, off, "no Service can have monitors; written down it can be reviewed")
    if rows:
        return ConfigVerdict(None, tuple(dict.fromkeys(rows)), "the CCM handles none of these Services")
    return ConfigVerdict(None, (), "too little is known")


def for_service(row: MatrixRow | None, policy: str) -> bool | None:
    """Whether one Service should have monitors; None where either value works, or nothing is known.

    Args:
        row: Its row.
        policy: Its externalTrafficPolicy.
    """
    if row is None:
        return None
    if row.advice is Advice.ON_FOR_LOCAL:
        return policy == "Local"
    return {Advice.ON: True, Advice.OFF: False}.get(row.advice)
