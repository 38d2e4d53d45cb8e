"""What the values of annotations count, and what Octavia takes of them.

Sources: cloud-provider-openstack docs/openstack-cloud-controller-manager/expose-applications-using-loadbalancer-type-
service.md and pkg/openstack/loadbalancer.go; openstack/octavia octavia/common/constants.py and octavia/api/v2 (measured).
"""

from __future__ import annotations

from ccmcheck.catalog.data.octavia import MYSQL_INT, RETRIES, TIMEOUT_LIMIT

_MILLISECOND, _SECOND = 1_000_000, 1_000_000_000

UNITS: dict[str, int] = {
    "timeout-client-data": _MILLISECOND,
    "timeout-member-connect": _MILLISECOND,
    "timeout-member-data": _MILLISECOND,
    "timeout-tcp-inspect": _MILLISECOND,
    "health-monitor-delay": _SECOND,
    "health-monitor-timeout": _SECOND,
}
"""The unit in nanoseconds, by the annotation's name without its prefix."""

SHORTEST: dict[str, int] = {
    "timeout-client-data": 1000,
    "timeout-member-connect": 1000,
    "timeout-member-data": 1000,
    "timeout-tcp-inspect": 100,
}
"""Milliseconds below which seconds were meant: a judgement, since idle connections are cut after that. Inspecting the
first bytes (off by default) may take less."""

RANGES: dict[str, tuple[int, int | None]] = {
    "timeout-client-data": (0, TIMEOUT_LIMIT),
    "timeout-member-connect": (0, TIMEOUT_LIMIT),
    "timeout-member-data": (0, TIMEOUT_LIMIT),
    "timeout-tcp-inspect": (0, TIMEOUT_LIMIT),
    "health-monitor-delay": (1, MYSQL_INT),
    "health-monitor-timeout": (0, MYSQL_INT),
    "health-monitor-max-retries": RETRIES,
    "health-monitor-max-retries-down": RETRIES,
    "connection-limit": (-1, None),
}
"""What works of an integer: Octavia refuses the rest, but for a delay of 0, which it takes and HAProxy does not."""
