"""What a load balancer that is there keeps, though a new one would be made with something else."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.inputs.cloud_state import CloudState, Pool
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
    """Compare the listeners' places in their names, and the pools: session persistence, algorithm, members' subnet.

    Args:
        after: What the CCM would make anew.
        cloud: The cloud as the CCM leaves it.

    Yields:
        What stays, in words; once for all pools.
    """
    pools = dict(_pools(after))
    there = cloud.balancer
    differences: dict[str, None] = {}
    places = {(plan.listener, plan.port): place for place, plan in enumerate(after.plans)}
    for listener in there.listeners if there is not None else ():
        place = places.get((listener.protocol, listener.port))
        named = listener.name.split("_", 2)
        if place is not None and len(named) == 3 and named[0] == "listener" and named[1] != str(place):
            about = f"listener's name for port {listener.port}"
            differences[words(about, f"listener_{named[1]}_…", f"listener_{place}_…")] = None
        wanted = pools.get((listener.protocol, listener.port))
        if wanted is not None and listener.pool is not None:
            differences.update(dict.fromkeys(_differences(listener.pool, wanted)))
    yield from differences


def _pools(after: Prediction) -> Iterator[tuple[tuple[str, int], Json]]:
    """The pools of one request, or of one request each, by their listeners' protocol and port."""
    made: dict[str, Json] = {}
    for request in after.requests:
        body = request.body or {}
        if request.path.endswith("/loadbalancers"):
            balancer = body.get("loadbalancer")
            listeners = balancer.get("listeners") if isinstance(balancer, dict) else None
            for listener in listeners if isinstance(listeners, list) else ():
                yield (str(listener["protocol"]), int(listener["protocol_port"])), listener["default_pool"]
        elif request.path.endswith("/pools") and isinstance(body.get("pool"), dict):
            made[f"{{pool {len(made)}}}"] = dict(body["pool"])  # type: ignore[call-overload]  # a mapping
        elif request.path.endswith("/members") and (pool := made.get(request.path.split("/")[-2])) is not None:
            pool["members"] = body.get("members", [])
    for plan, pool in zip(after.plans, made.values(), strict=False):
        yield (plan.listener, plan.port), pool


def _differences(pool: Pool, wanted: Json) -> Iterator[str]:
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
