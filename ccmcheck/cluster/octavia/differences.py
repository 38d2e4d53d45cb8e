"""A load balancer beside the one that the CCM would make: each difference by its name in the table of repairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from ccmcheck.cluster.access.documents import text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, balancer_spec, cloud_state, predictions
from ccmcheck.cluster.octavia.reader import OctaviaInventory

_TIMEOUTS = ("timeout_client_data", "timeout_member_connect", "timeout_member_data", "timeout_tcp_inspect")
_MOST_NAMES = 3
_FORWARDED = "X-Forwarded-For"


class Difference(NamedTuple):
    """One difference.

    Attributes:
        kind: Its name in `ccmcheck.catalog.data.octavia_repairs.REPAIRS`.
        part: Where it is: ``listener TCP 80``; empty for the load balancer itself.
        live: What Octavia has, in words.
        wanted: What the CCM would make, in words.
        port: The port of the Service; 0 for the load balancer itself.
    """

    kind: str
    part: str
    live: str
    wanted: str
    port: int = 0


class Expected(NamedTuple):
    """What the CCM would make.

    Attributes:
        balancer: The load balancer; its IDs are placeholders.
        owner: Whether it is the Service's own; otherwise only the Service's listeners count.
        name: The Service's tag.
        serial: provider-requires-serial-api-calls, which leaves the monitor port of members alone.
        sends_timeouts: Whether the listeners' timeouts are sent.
        sends_cidrs: Whether the listeners' allowed CIDRs are sent.
        sends_tags: Whether tags are sent.
        doubtful: Addresses of nodes that may or may not be members: nodes that are not ready or not initialized.
    """

    balancer: cloud_state.Balancer
    owner: bool
    name: str
    serial: bool
    sends_timeouts: bool
    sends_cidrs: bool
    sends_tags: bool
    doubtful: frozenset[str] = frozenset()


def differences(live: cloud_state.Balancer, expected: Expected, unread: AbstractSet[str]) -> Iterator[Difference]:
    """Compare the parts that the CCM makes.

    Args:
        live: The load balancer as it is.
        expected: What the CCM would make.
        unread: IDs of pools whose members could not be read.
    """
    wanted = expected.balancer
    if expected.sends_tags and expected.name not in live.tags:
        yield Difference("tags", "", "none", expected.name)
    if expected.owner:
        yield from _own(live, wanted)
    there = {(listener.protocol, listener.port): listener for listener in live.listeners}
    for listener in wanted.listeners:
        found_listener = there.pop((listener.protocol, listener.port), None)
        part = f"listener {listener.protocol} {listener.port}"
        if found_listener is None:
            yield Difference("listener", part, "none", "one", listener.port)
            continue
        yield from _listener(found_listener, listener, expected)
        yield from _pools(found_listener.pool, listener, expected, unread)
    for left in there.values():
        if (expected.owner and not left.tags) or expected.name in left.tags:
            yield Difference("listener-extra", f"listener {left.protocol} {left.port}", "one", "none")


def _own(live: cloud_state.Balancer, wanted: cloud_state.Balancer) -> Iterator[Difference]:
    if wanted.provider and live.provider and not _same_provider(live, wanted):
        yield Difference("provider", "", live.provider, wanted.provider)
    if wanted.subnet and live.subnet and wanted.subnet != live.subnet:
        yield Difference("vip-subnet", "", live.subnet, wanted.subnet)


def _same_provider(live: cloud_state.Balancer, wanted: cloud_state.Balancer) -> bool:
    return live.provider == wanted.provider or (live.driver.is_known and live.driver == wanted.driver)


def _listener(live: cloud_state.Listener, wanted: cloud_state.Listener, expected: Expected) -> Iterator[Difference]:
    part, port = f"listener {wanted.protocol} {wanted.port}", wanted.port
    if live.connection_limit != wanted.connection_limit:
        yield Difference("connection-limit", part, str(live.connection_limit), str(wanted.connection_limit), port)
    has, wants = (dict(listener.insert_headers).get(_FORWARDED) == "true" for listener in (live, wanted))
    if has != wants:
        yield Difference("x-forwarded-for", part, "on" if has else "off", "on" if wants else "off", port)
    if live.default_tls_container_ref != wanted.default_tls_container_ref:
        yield Difference(
            "tls", part, live.default_tls_container_ref or "none", wanted.default_tls_container_ref or "none", port
        )
    for field in _TIMEOUTS if expected.sends_timeouts else ():
        before, after = getattr(live, field), getattr(wanted, field)
        if before != after:
            yield Difference("timeout", part, f"{field} {before} ms", f"{field} {after} ms", port)
    if expected.sends_cidrs and set(live.allowed_cidrs) != set(wanted.allowed_cidrs):
        yield Difference(
            "allowed-cidrs", part, _some(live.allowed_cidrs) or "any", _some(wanted.allowed_cidrs) or "any", port
        )


def _pools(
    live: cloud_state.Pool | None, listener: cloud_state.Listener, expected: Expected, unread: AbstractSet[str]
) -> Iterator[Difference]:
    wanted, port = listener.pool, listener.port
    if wanted is None:
        return
    part = f"pool of port {port}"
    if live is None:
        yield Difference("pool", part, "none", "one", port)
        return
    if live.protocol != wanted.protocol:
        yield Difference("pool-protocol", part, live.protocol, wanted.protocol, port)
    if live.method != wanted.method:
        yield Difference("algorithm", part, live.method, wanted.method, port)
    if live.persistence != wanted.persistence:
        yield Difference("persistence", part, live.persistence or "none", wanted.persistence or "none", port)
    if live.id not in unread:
        yield from _members(live, wanted, port, expected)
    yield from _monitor(live.monitor, wanted.monitor, port)


def _members(live: cloud_state.Pool, wanted: cloud_state.Pool, port: int, expected: Expected) -> Iterator[Difference]:
    part = f"pool of port {port}"
    there = {(member.address, member.port): member for member in live.members}
    due = {
        (member.address, member.port): member for member in wanted.members if member.address not in expected.doubtful
    }
    missing = [f"{address}:{number}" for address, number in due.keys() - there.keys()]
    extra = [
        f"{address}:{number}"
        for address, number in there.keys() - due.keys()
        if address not in expected.doubtful or number not in {one.port for one in wanted.members}
    ]
    if missing or extra:
        words = [f"{_some(sorted(missing))} missing"] if missing else []
        words += [f"{_some(sorted(extra))} besides"] if extra else []
        yield Difference("members", part, " and ".join(words), f"{len(due)} members", port)
    both = due.keys() & there.keys()
    moved = sorted({there[key].monitor_port for key in both} - {due[key].monitor_port for key in both})
    if moved and not expected.serial:
        asked = sorted({due[key].monitor_port for key in both})
        yield Difference("monitor-port", part, _ports(moved), _ports(asked), port)
    subnets = {there[key].subnet for key in both if due[key].subnet} - {due[key].subnet for key in both}
    if subnets and not any(due[key].subnet.startswith("{") for key in both):
        known = sorted({due[key].subnet for key in both})
        yield Difference("member-subnet", part, _some(sorted(subnets)) or "none", _some(known), port)


def _monitor(live: cloud_state.Monitor | None, wanted: cloud_state.Monitor | None, port: int) -> Iterator[Difference]:
    part = f"pool of port {port}"
    if live is None or wanted is None:
        if live is not wanted:
            kind = "monitor" if live is None else "monitor-extra"
            yield Difference(kind, part, live.type if live else "none", wanted.type if wanted else "none", port)
        return
    if live.type != wanted.type:
        yield Difference("monitor-type", part, live.type, wanted.type, port)
    for kind, before, after, unit in (
        ("monitor-delay", live.delay, wanted.delay, " s"),
        ("monitor-timeout", live.timeout, wanted.timeout, " s"),
        ("monitor-retries", live.max_retries, wanted.max_retries, ""),
        ("monitor-retries-down", live.max_retries_down, wanted.max_retries_down, ""),
    ):
        if before != after and after:  # a 0 is not sent
            yield Difference(kind, part, f"{before}{unit}", f"{after}{unit}", port)


def _ports(ports: list[int]) -> str:
    return ", ".join("the NodePort" if not port else str(port) for port in ports)


def _some(names: object) -> str:
    """The first few names of several."""
    listed = list(names) if isinstance(names, (list, tuple)) else []
    more = f" and {len(listed) - _MOST_NAMES} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(map(str, listed[:_MOST_NAMES])) + more


_PATH = ("url_path", "http_method", "expected_codes")


def raw_differences(
    inventory: OctaviaInventory,
    balancer: Document,
    spec: balancer_spec.LoadBalancerSpec,
    plans: Iterable[predictions.PortPlan],
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


def _pool(inventory: OctaviaInventory, pool: Document, plan: predictions.PortPlan) -> Iterator[Difference]:
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
