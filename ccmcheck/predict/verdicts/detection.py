"""How long until a member that no longer answers is out of rotation, and until it is back.

Sources: HAProxy 2.6 on the configuration that Octavia renders, measured; keepalived check_misc.c and check_tcp.c v2.2.7
on the rendered configuration (not timed); ovn-controller pinctrl.c (not run). Times run from the failure.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import octavia

HAPROXY = "HAProxy 2.6 on Octavia's rendered configuration, measured"
KEEPALIVED = "keepalived v2.2.7 check_misc.c, check_tcp.c; rendered configuration measured, times not"
OVN = "ovn-org/ovn controller/pinctrl.c, read"
F5 = "sapcc/octavia-f5-provider-driver, read"


class Span(NamedTuple):
    """From the earliest to the latest, in seconds."""

    least: float
    most: float

    def __str__(self) -> str:
        least, most = _short(self.least), _short(self.most)
        return f"{most} s" if least == most else f"{least}–{most} s"


class Times(NamedTuple):
    """One pool's times.

    Attributes:
        refused: Until a member is out that answers badly, or refuses the connection; None for never.
        silent: Until a member is out that does not answer at all; None for never.
        back: Until a member that answers again is back.
        how: What checks, in words.
        evidence: Where that is from.
        known: False where nothing is known of the driver.
    """

    refused: Span | None
    silent: Span | None
    back: Span | None
    how: str
    evidence: str
    known: bool = True


def times(driver: str, pool: str, kind: str, timers: tuple[int, int, int, int], connect: float) -> Times:
    """Work out one pool's times.

    Args:
        driver: As `octavia.family` names it, or ``f5``.
        pool: The pool's protocol.
        kind: The monitor's type.
        timers: Delay and timeout in seconds, successes, failures.
        connect: The listener's timeout_member_connect in seconds.
    """
    delay, timeout, rise, fall = timers
    if driver == "ovn":
        back = Span((rise - 1) * delay, rise * delay)
        if kind == "UDP-CONNECT":
            refused = Span((fall - 1) * delay, fall * delay + timeout)
            return Times(refused, None, back, "ovn-controller on each chassis; silence counts as success", OVN)
        refused = Span((fall - 1) * delay, fall * delay)
        silent = Span((fall - 1) * (delay + timeout) + timeout, fall * (delay + timeout))
        return Times(refused, silent, back, "ovn-controller on each chassis", OVN)
    if driver == "f5":
        most = min(fall * delay + 1, 900)
        span = Span(min(fall * delay, most), most)
        return Times(span, span, Span(0, delay), "BIG-IP; monitor-timeout and monitor-max-retries are ignored", F5)
    if driver != "amphora":
        return Times(None, None, None, "nothing is known of this provider's checks", "", known=False)
    if pool in ("UDP", "SCTP"):
        delay = delay or 60
        refused, back = Span(fall * delay, (fall + 1) * delay), Span(0, delay)
        how = "keepalived; one success brings a member back"
        if kind == "UDP-CONNECT":
            return Times(refused, None, back, f"{how}, silence counts as success", KEEPALIVED)
        waiting = Span(fall * delay + (fall + 1) * timeout, (fall + 1) * (delay + timeout))
        return Times(refused, waiting, back, how, KEEPALIVED)
    wait = min(delay, connect)
    first = (fall - 1) * (delay + wait) + wait
    return Times(
        Span((fall - 1) * delay, fall * delay),
        Span(first, first + delay),
        Span((rise - 1) * delay, rise * delay),
        "HAProxy; monitor-timeout has no effect where a host is silent",
        HAPROXY,
    )


def driver_of(provider: str) -> str:
    """The driver behind a provider's name; Octavia's default, amphora, where none is asked for."""
    return "f5" if provider == "f5" else octavia.family(provider or "amphora")


def _short(seconds: float) -> str:
    return f"{seconds:g}" if seconds < 1_000_000 else f"{seconds:.0f}"
