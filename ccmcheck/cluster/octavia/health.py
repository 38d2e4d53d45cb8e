"""What Octavia says of a load balancer's health, as far as it is a problem; Local Services leave nodes in ERROR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.octavia.reader import Inventory


def health(inventory: Inventory, balancer: Document, policy: str) -> Iterator[str]:
    """Describe what does not work, in words.

    Args:
        inventory: What the project has.
        balancer: The load balancer.
        policy: ``externalTrafficPolicy`` of the Service.
    """
    status = text(balancer.get("provisioning_status"))
    if status == "ERROR":
        yield "its provisioning status is ERROR: Octavia changes nothing in it, and every sync ends with an error"
    for listener in inventory.listeners_of(balancer):
        pool = inventory.pools.get(text(listener.get("default_pool_id")))
        members = inventory.members.get(text(pool.get("id")), ()) if pool is not None else ()
        down = [one for one in members if text(one.get("operating_status")) == "ERROR"]
        if not down:
            continue
        port = listener.get("protocol_port")
        if len(down) == len(members):
            yield f"all {len(members)} members of port {port} are down by its health monitor"
        elif policy != "Local":  # nodes without a pod are down on purpose
            yield f"{len(down)} of {len(members)} members of port {port} are down by its health monitor"
