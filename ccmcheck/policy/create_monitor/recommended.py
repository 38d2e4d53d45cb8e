"""What ccmcheck recommends for [LoadBalancer] where nobody has said anything: matrix, timers, what ovn needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.policy.create_monitor.timers import BALANCED
from ccmcheck.policy.create_monitor.verdict import for_config

if TYPE_CHECKING:
    from ccmcheck.catalog import Release

BALANCER = "LoadBalancer"


def recommended(release: Release, provider: str, *, serial: bool | None, monitor: bool | None = None) -> dict[str, str]:
    """The choices that nobody should leave to a default, and what ovn cannot do without.

    Args:
        release: The CCM's.
        provider: lb-provider; empty when unknown.
        serial: provider-requires-serial-api-calls; None when unknown.
        monitor: create-monitor where somebody has decided on it; None to recommend it.

    Returns:
        Values by key; a key is left out where nothing is to be said.
    """
    driver = octavia.family(provider) if provider else None
    if monitor is None:
        monitor = for_config(release, driver, serial).value is True
    found: dict[str, str] = {}
    if driver == "ovn":
        found["lb-method"] = "SOURCE_IP_PORT"
        if not behaves("managed-groups-shut-ovn-clients-out", release) and not behaves(
            "managed-groups-emptied-by-node-changes", release
        ):
            found["manage-security-groups"] = "true"
    if behaves("load-balancers-need-a-key", release):
        found["use-octavia"] = "true"  # off by default there, and what it would use instead is gone
    found["create-monitor"] = "true" if monitor else "false"
    return found | (BALANCED.keys if monitor else {})
