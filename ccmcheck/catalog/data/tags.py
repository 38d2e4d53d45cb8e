"""Which tags there are.

Source: ``git tag`` of kubernetes/cloud-provider-openstack on the day `AS_OF`; every number up to the last one is there.
"""

from __future__ import annotations

AS_OF = "2026-07-15"

LAST_PATCH: dict[str, int] = {
    "1.12": 0,
    "1.13": 1,
    "1.14": 0,
    "1.15": 0,
    "1.16": 0,
    "1.17": 0,
    "1.18": 2,
    "1.19": 5,
    "1.20": 5,
    "1.21": 1,
    "1.22": 2,
    "1.23": 4,
    "1.24": 6,
    "1.25": 6,
    "1.26": 4,
    "1.27": 3,
    "1.28": 3,
    "1.29": 1,
    "1.30": 3,
    "1.31": 4,
    "1.32": 1,
    "1.33": 1,
    "1.34": 1,
    "1.35": 0,
    "1.36": 0,
}
"""The last patch of each branch; 1.9 to 1.11 have no tags of their own."""
