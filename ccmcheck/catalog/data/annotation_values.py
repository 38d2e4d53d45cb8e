"""What the values of annotations count, and what Octavia takes of them.

Sources: cloud-provider-openstack docs/openstack-cloud-controller-manager/expose-applications-using-loadbalancer-type-
service.md and pkg/openstack/loadbalancer.go; openstack/octavia octavia/common/constants.py and octavia/api/v2 (measured).
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.catalog.data.octavia import MYSQL_INT, RETRIES, TIMEOUT_LIMIT

_ROWS = read_table(__file__, "annotation_units.tsv")
UNITS: dict[str, int] = {name: {"ms": 1_000_000, "s": 1_000_000_000}[unit] for name, unit, _ in _ROWS}
"""The unit in nanoseconds, by the annotation's name without its prefix."""

SHORTEST: dict[str, int] = {name: int(limit) for name, unit, limit in _ROWS if unit == "ms"}
"""Milliseconds below which seconds were meant."""

LONGEST: dict[str, int] = {name: int(limit) for name, unit, limit in _ROWS if unit == "s"}
"""Seconds from which milliseconds were meant."""

RANGES: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(SHORTEST, (0, TIMEOUT_LIMIT)),
    "health-monitor-delay": (1, MYSQL_INT),
    "health-monitor-timeout": (0, MYSQL_INT),
    "health-monitor-max-retries": RETRIES,
    "health-monitor-max-retries-down": RETRIES,
    "connection-limit": (-1, None),
}
"""What works of an integer: Octavia refuses the rest, but for a delay of 0, which it takes and HAProxy does not."""
