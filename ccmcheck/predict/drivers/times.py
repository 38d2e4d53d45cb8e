"""How long until a member that no longer answers is out of rotation, and until it is back."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class HealthCheck(NamedTuple):
    """A health check as it is configured; times in seconds.

    Attributes:
        pool: The pool's protocol.
        kind: The monitor's type.
        delay: Between two checks.
        timeout: That a check waits.
        rise: Successes in a row that bring a member back.
        fall: Failures in a row that take a member out.
        connect: The listener's timeout_member_connect.
    """

    pool: str
    kind: str
    delay: int
    timeout: int
    rise: int
    fall: int
    connect: float = 5.0


class Seconds(NamedTuple):
    """From the earliest to the latest, in seconds."""

    least: float
    most: float

    def __str__(self) -> str:
        least, most = _short(self.least), _short(self.most)
        return f"{most} s" if least == most else f"{least}–{most} s"


class Times(NamedTuple):
    """One pool's times, from the failure on.

    Attributes:
        refused: Until a member is out that answers badly, or refuses the connection; None for never.
        silent: Until a member is out that does not answer at all; None for never.
        back: Until a member that answers again is back.
        how: What checks, in words.
        evidence: Where that is from.
        known: False where nothing is known of the driver.
    """

    refused: Seconds | None
    silent: Seconds | None
    back: Seconds | None
    how: str
    evidence: str
    known: bool = True


def unknown_times(_check: HealthCheck) -> Times:
    """The times of a driver that no public source says anything about."""
    return Times(None, None, None, "nothing is known of this provider's checks", "", known=False)


def _short(seconds: float) -> str:
    return f"{seconds:g}" if seconds < 1_000_000 else f"{seconds:.0f}"
