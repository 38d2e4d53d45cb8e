"""What a load balancer that is there keeps, though a new one would be made with something else."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.inputs.cloud_state import CloudState, Listener, Pool
from ccmcheck.predict.records import Json, Prediction


def of_floating_ip(before: Prediction, after: Prediction, cloud: CloudState) -> Iterator[str]:
    """Compare where the floating IP comes from.

    Args:
        before: What the CCM made.
        after: What it would make anew.
        cloud: The cloud before.

    Yields:
        What stays, in words.
    """
    old, new = before.floating, after.floating
    if cloud.floating_ip is None or not (old.wanted and new.wanted):
        return
    for name, before_change, after_change in (
        ("floating network", old.network, new.network),
        ("floating subnet", _subnet(before), _subnet(after)),
        ("floating IP", old.address, new.address),
    ):
        if before_change != after_change:
            yield words(name, before_change, after_change)


def _subnet(prediction: Prediction) -> str:
    floating = prediction.floating
    if floating.subnet:
        return floating.subnet
    parts = [f"name {floating.subnet_name}" if floating.subnet_name else ""]
    parts.append(f"tags {floating.subnet_tags}" if floating.subnet_tags else "")
    return ", ".join(part for part in parts if part)


def of_parts(after: Prediction, cloud: CloudState) -> Iterator[str]:
    """Compare the listeners: places in their names, limits, timeouts, and their pools: persistence, algorithm, subnet.

    Args:
        after: What the CCM would make anew.
        cloud: The cloud as the CCM leaves it.

    Yields:
        What stays, in words; once for all pools.
    """
    wanted = {(str(one["protocol"]), one["protocol_port"]): (one, pool) for one, pool in _made(after)}
    there = cloud.balancer
    differences: dict[str, None] = {}
    places = {(plan.listener, plan.port): place for place, plan in enumerate(after.plans)}
    for listener in there.listeners if there is not None else ():
        place = places.get((listener.protocol, listener.port))
        named = listener.name.split("_", 2)
        if place is not None and len(named) == 3 and named[0] == "listener" and named[1] != str(place):
            about = f"listener's name for port {listener.port}"
            differences[words(about, f"listener_{named[1]}_…", f"listener_{place}_…")] = None
        made = wanted.get((listener.protocol, listener.port))
        if made is not None:
            differences.update(dict.fromkeys(_of_listener(listener, made[0])))
            differences.update(dict.fromkeys(_of_pool(listener.pool, made[1]) if listener.pool is not None else ()))
    yield from differences


def _made(after: Prediction) -> Iterator[tuple[Json, Json]]:
    """The listeners, each with its pool, of one request or of one request each."""
    listeners: list[Json] = []
    pools: dict[str, Json] = {}
    for request in after.requests:
        body = request.body or {}
        if request.path.endswith("/loadbalancers"):
            balancer = body.get("loadbalancer")
            whole = balancer.get("listeners") if isinstance(balancer, dict) else None
            for listener in whole if isinstance(whole, list) else ():
                yield listener, listener["default_pool"]
        elif request.path.endswith("/listeners") and isinstance(body.get("listener"), dict):
            listeners.append(body["listener"])  # type: ignore[arg-type]  # a mapping
        elif request.path.endswith("/pools") and isinstance(body.get("pool"), dict):
            pools[f"{{pool {len(pools)}}}"] = dict(body["pool"])  # type: ignore[call-overload]  # a mapping
        elif request.path.endswith("/members") and (pool := pools.get(request.path.split("/")[-2])) is not None:
            pool["members"] = body.get("members", [])
    yield from zip(listeners, pools.values(), strict=False)


_SETTINGS = ("connection_limit", "default_tls_container_ref", *(name for name in Listener._fields if "timeout" in name))
_DEFAULTS = Listener("", "", 0)
"""What Octavia gives a listener for which the CCM names nothing else."""


def _of_listener(listener: Listener, wanted: Json) -> Iterator[str]:
    for name in _SETTINGS:
        value, new = getattr(listener, name), wanted.get(name, getattr(_DEFAULTS, name))
        if value != new:
            yield words(name, str(value), str(new))


def _of_pool(pool: Pool, wanted: Json) -> Iterator[str]:
    persistence = wanted.get("session_persistence")
    asked = str(persistence.get("type", "")) if isinstance(persistence, dict) else ""
    if pool.persistence != asked:
        yield words("session persistence", pool.persistence, asked, none="none")
    method = str(wanted.get("lb_algorithm", ""))
    if pool.method != method:
        yield words("algorithm", pool.method, method)
    members = wanted.get("members")
    subnets = [str(member.get("subnet_id") or "") for member in members] if isinstance(members, list) else []
    old = next((member.subnet for member in pool.members if member.subnet), "")
    new = next((subnet for subnet in subnets if subnet), "")
    if old and new and old != new:
        yield words("members' subnet", old, new)


def words(name: str, before: str, after: str, *, none: str = "the default") -> str:
    """That one thing stays.

    Args:
        name: What it is.
        before: Its value.
        after: What a new one would have.
        none: What an empty value is called.
    """
    return f"keeps its {name} ({before or none}): {after or none} counts for new ones"
