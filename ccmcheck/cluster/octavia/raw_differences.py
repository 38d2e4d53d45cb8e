"""Differences in what the CCM never sends again: what no record of the prediction holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import text
from ccmcheck.cluster.octavia.differences import Difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.core import balancer_spec, predictions
    from ccmcheck.cluster.octavia.reader import Inventory

_PATH = ("url_path", "http_method", "expected_codes")


def raw_differences(
    inventory: Inventory,
    balancer: Document,
    spec: balancer_spec.LoadBalancerSpec,
    plans: Iterable[predictions.Plan],
    *,
    owner: bool,
) -> Iterator[Difference]:
    """Compare what is only set when something is made, or by hand.

    Args:
        inventory: What the project has.
        balancer: The load balancer.
        spec: The load balancer spec.
        plans: What each port of the Service becomes.
        owner: Whether the load balancer is the Service's own.
    """
    if owner:
        yield from _made_once(balancer, spec)
    listeners = {(text(one.get("protocol")), one.get("protocol_port")): one for one in inventory.listeners_of(balancer)}
    for plan in plans:
        listener = listeners.get((plan.listener, plan.port))
        if listener is None:
            continue
        yield from _disabled(listener, f"listener {plan.listener} {plan.port}", plan.port)
        pool = inventory.pools.get(text(listener.get("default_pool_id")))
        if pool is not None:
            yield from _pool(inventory, pool, plan)


def _made_once(balancer: Document, spec: balancer_spec.LoadBalancerSpec) -> Iterator[Difference]:
    for kind, field, wanted in (
        ("flavor", "flavor_id", spec.flavor),
        ("availability-zone", "availability_zone", spec.zone),
        ("vip-network", "vip_network_id", "" if spec.vip_subnet else spec.vip_network),
    ):
        live = text(balancer.get(field))
        if wanted and live != wanted:
            yield Difference(kind, "", live or "none", wanted)
    yield from _disabled(balancer, "", 0)


def _pool(inventory: Inventory, pool: Document, plan: predictions.Plan) -> Iterator[Difference]:
    part = f"pool of port {plan.port}"
    yield from _disabled(pool, part, plan.port)
    members = inventory.members.get(text(pool.get("id")), ())
    off = [text(member.get("address")) for member in members if member.get("admin_state_up") is False]
    if off:
        yield Difference(
            "member-admin-state", part, f"{len(off)} of {len(members)} members disabled", "enabled", plan.port
        )
    weighted = sorted({one["weight"] for one in members if isinstance(one.get("weight"), int) and one["weight"] != 1})
    if weighted:
        live = f"{', '.join(map(str, weighted))} for some of {len(members)} members"
        yield Difference("weight", part, live, "1", plan.port)
    if any(member.get("backup") is True for member in members):
        yield Difference("backup", part, "on for some members", "off", plan.port)
    monitor = inventory.monitors.get(text(pool.get("healthmonitor_id")))
    if monitor is None or plan.monitor is None:
        return
    yield from _disabled(monitor, f"health monitor of port {plan.port}", plan.port)
    has = [text(monitor.get(field)) for field in _PATH]
    wants = [str(plan.monitor.get(field, "")) for field in _PATH]
    if text(monitor.get("type")) == plan.monitor_type and all(wants) and has != wants:
        yield Difference("monitor-path", part, " ".join(has), " ".join(wants), plan.port)


def _disabled(found: Document, part: str, port: int) -> Iterator[Difference]:
    if found.get("admin_state_up") is False:
        yield Difference("admin-state", part, "disabled", "enabled", port)
