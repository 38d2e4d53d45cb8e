"""What corrects a difference between a load balancer and its Service, by release."""

from __future__ import annotations

from ccmcheck.catalog import Release
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.octavia_repairs import ALWAYS, NEVER, REPAIRS

__all__ = ["NODE_CHANGE", "NOTHING", "REPAIRS", "SYNC", "repaired_by"]


SYNC, NODE_CHANGE, NOTHING = "sync", "node change", "nothing"
"""The three classes; what a node change corrects, the next sync corrects as well."""


def repaired_by(difference: str, release: Release) -> str:
    """Which of the three classes a difference is in.

    Args:
        difference: Its name in ``ccmcheck.catalog.data.octavia_repairs.REPAIRS``.
        release: The CCM's release.

    Raises:
        KeyError: There is none of this name.
    """
    repair = REPAIRS[difference]
    if not _holds(repair.sync, release):
        return NOTHING
    return NODE_CHANGE if _holds(repair.node_change, release) else SYNC


def _holds(behaviour: str, release: Release) -> bool:
    return behaviour == ALWAYS or (behaviour != NEVER and behaves(behaviour, release))
