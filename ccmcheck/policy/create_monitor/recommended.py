"""The values that ccmcheck recommends for [LoadBalancer]: from the matrix and the timers, and what ovn requires."""

from __future__ import annotations

from ccmcheck.catalog import Release, octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.policy.create_monitor.timers import BALANCED
from ccmcheck.policy.create_monitor.verdict import for_config

BALANCER = "LoadBalancer"


def recommended(release: Release, provider: str, *, serial: bool | None, monitor: bool | None = None) -> dict[str, str]:
    """The keys that should not be left to a default, and those that ovn requires.

    Args:
        release: The CCM's.
        provider: lb-provider; empty when unknown.
        serial: provider-requires-serial-api-calls; None when unknown.
        monitor: create-monitor where it is already decided; None to recommend it.

    Returns:
        Values by key; without a key for which nothing is recommended.
    """
    driver = octavia.family(provider) if provider else None
    if monitor is None:
        monitor = for_config(release, driver, serial).value is True
    values: dict[str, str] = {}
    if driver == "ovn":
        values["lb-method"] = "SOURCE_IP_PORT"
        if not behaves("managed-groups-shut-ovn-clients-out", release) and not behaves(
            "managed-groups-emptied-by-node-changes", release
        ):
            values["manage-security-groups"] = "true"
    if behaves("load-balancers-need-a-key", release):
        values["use-octavia"] = "true"  # off by default there, and what it would use instead is gone
    values["create-monitor"] = "true" if monitor else "false"
    return values | (BALANCED.keys if monitor else {})
