"""What cloud.conf should say about create-monitor where no Service is known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.policy.matrix import first_row
from ccmcheck.policy.records import Advice, Question, Row, Via
from ccmcheck.records import NamedTuple

if TYPE_CHECKING:
    from ccmcheck.catalog import Release


class Verdict(NamedTuple):
    """What cloud.conf should say where no Service is known.

    Attributes:
        value: ``create-monitor``; None where rows contradict each other or nothing is known.
        rows: The rows that say so.
    """

    value: bool | None
    rows: tuple[Row, ...] = ()

    @property
    def for_any(self) -> Row | None:
        """The row that asks for monitors whatever the Services are; None where only some Services would need them."""
        return next((row for row in self.rows if row.advice is Advice.ON and row.when.policy != "Local"), None)


@cache
def for_config(release: Release, driver: str | None, serial: bool | None) -> Verdict:
    """Judge a config by the TCP Services that any cluster may get, of either policy.

    Args:
        release: The CCM's.
        driver: As in `Question`; None where the cloud decides.
        serial: provider-requires-serial-api-calls.

    Returns:
        ``True`` where a row asks for monitors in cloud.conf and none forbids them there, ``False`` where one forbids
        them or all leave it open.
    """
    asked = [
        first_row(Question(release, driver, policy=policy, protocol="TCP", serial=serial))
        for policy in ("Cluster", "Local")
    ]
    rows = [row for row in asked if row is not None and row.via is Via.CONFIG]
    off = tuple(row for row in rows if row.advice is Advice.OFF)
    on = tuple(row for row in rows if row.advice is Advice.ON)
    if off and on and off[0].when.policy is not None:
        return Verdict(None, (*on, *off))
    if off:
        return Verdict(False, off)
    if on:
        return Verdict(True, on)
    return Verdict(False if rows else None, tuple(rows))
