"""Timers for health monitors: named sets of them by size of cluster, and the limits that judge them.

The bounds of the profiles and the limits are judgement, not measurement; what the timers do is measured, see
`ccmcheck.catalog.octavia.silent_seconds`.
"""

from __future__ import annotations

from ccmcheck.records import NamedTuple


class Timers(NamedTuple):
    """One set of timers.

    Attributes:
        name: Its name.
        delay: Seconds between two checks.
        timeout: Seconds a check waits, below ``delay``.
        retries: Successes in a row that bring a member back.
        down: Failures in a row that take a member out.
        use: What it is for.
    """

    name: str
    delay: int
    timeout: int
    retries: int
    down: int
    use: str

    @property
    def keys(self) -> dict[str, str]:
        """The timers as keys of [LoadBalancer] with their values."""
        return {
            "monitor-delay": f"{self.delay}s",
            "monitor-timeout": f"{self.timeout}s",
            "monitor-max-retries": str(self.retries),
            "monitor-max-retries-down": str(self.down),
        }


UPSTREAM = Timers("upstream", 5, 3, 1, 3, "the CCM's own defaults; up to 50 nodes on amphora")
LOCAL_FAST = Timers("local-fast", 3, 2, 1, 2, "externalTrafficPolicy Local with up to 20 nodes on amphora")
BALANCED = Timers("balanced", 10, 5, 2, 3, "50 to 200 nodes, or ovn")
LARGE = Timers("large", 15, 10, 2, 3, "more than 200 nodes, or too many probes")

PROFILES: tuple[Timers, ...] = (UPSTREAM, LOCAL_FAST, BALANCED, LARGE)
BY_SIZE: tuple[Timers, ...] = (UPSTREAM, BALANCED, LARGE)
"""From the smallest cluster to the largest."""

SLOW_SECONDS = 60
"""A Local Service whose moved pod goes unnoticed for longer than this is worth a word; judgement."""

PROBES_PER_SECOND = 100
"""Probes a second that one load balancer may send; judgement."""

AMPHORAE = {"SINGLE": 1, "ACTIVE_STANDBY": 2}
"""How many amphorae probe, by Octavia's loadbalancer_topology; both of a pair do."""


def smallest_within_budget(nodes: int) -> Timers | None:
    """The fastest timers whose probes one port of a single amphora can send to so many nodes; None where none are."""
    return next((timers for timers in BY_SIZE if nodes / timers.delay <= PROBES_PER_SECOND), None)
