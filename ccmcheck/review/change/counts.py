"""What is counted of health monitors: how many there are, how often they probe, how fast they notice."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class Monitors(NamedTuple):
    """The health monitors of one Service's load balancer.

    Attributes:
        before: How many there are before.
        after: How many there are after.
        made: How many are created.
        deleted: How many are deleted.
        changed: How many are changed in place.
    """

    before: int = 0
    after: int = 0
    made: int = 0
    deleted: int = 0
    changed: int = 0


class Rate(NamedTuple):
    """Probes a second.

    Attributes:
        total: In all, by one amphora of each load balancer (or by all chassis of OVN); None where it is not known.
        per_node: On each node, likewise.
    """

    total: float | None = 0.0
    per_node: float | None = 0.0


class Detection(NamedTuple):
    """How long a dead node may stay in rotation, in seconds.

    Attributes:
        refused: At most, for a host that refuses connections; None for ever.
        silent: At most, for a host that is silent; None for ever.
        known: False where there is no load balancer, or nothing is known.
    """

    refused: float | None = None
    silent: float | None = None
    known: bool = False
