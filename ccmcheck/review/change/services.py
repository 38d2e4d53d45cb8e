"""One Service before and after a change: predicted on both sides, the second time on what is there.

What a load balancer that is there keeps, though a new one would be made with something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import is_read
from ccmcheck.predict.inputs.cloud_state import CloudState, Listener, Pool
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Ignored, Json, Outcome, Prediction
from ccmcheck.review.change import facts
from ccmcheck.review.change.health import fate_of, health_after, health_before, why
from ccmcheck.review.change.records import Fate, Health, ManifestChange, Monitors, ServiceChange, ServiceFact
from ccmcheck.review.change.steady_state import IN_TREE_ANNOTATIONS, Reconciled, SteadyState, delete, reconcile


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
    protocol = str(wanted.get("protocol", pool.protocol))
    if pool.protocol != protocol:
        yield words("pools' protocol", pool.protocol, protocol)
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


_KEPT = tuple((field, name) for field, name in read_table(__file__, "kept_fields.tsv"))
"""Fields of a new load balancer that the CCM never changes again, and what they are called."""


class JudgedService(NamedTuple):
    """One Service on one side.

    Attributes:
        service: The Service.
        options: The configuration that it is judged by.
        cloud: What is around it, without its load balancer.
        path: Its file.
        line: Its line.
        config: The cloud.conf's title; empty where the defaults stand in.
        in_tree: Whether the provider inside Kubernetes makes its load balancer.
    """

    service: Service
    options: Options
    cloud: CloudState
    path: str
    line: int
    config: str
    in_tree: bool = False


def compare(
    before: JudgedService | None,
    settled: SteadyState | None,
    after: JudgedService | None,
    shared: CloudState | None = None,
) -> ServiceChange:
    """Compare one Service's two sides.

    Args:
        before: The Service before; None where it is new.
        settled: What is there before; None where the Service is new.
        after: The Service after; None where it is gone.
        shared: The cloud with the load balancer that other Services have, too; None for none.
    """
    followed, deletion, left = None, None, None
    if after is not None:
        followed = reconcile(after.options, after.service, after.cloud, settled, shared)
    elif before is not None and settled is not None:
        deletion, left = delete(before.options, before.service, settled, shared)
    place = after or before
    if place is None:
        raise ValueError("a Service is on neither side")
    fate = fate_of(settled, followed, left)
    old_health = Health.ABSENT if settled is None else health_before(settled)
    new_health = Health.ABSENT if followed is None else health_after(followed, settled)
    if any(one is not None and one.service.owner for one in (before, after)):
        fate, old_health, new_health = Fate.UNKNOWN, Health.UNKNOWN, Health.UNKNOWN
    half_known = _half_known(before, after)
    fate = Fate.UNKNOWN if half_known and fate is Fate.UNTOUCHED else fate
    old_cloud, new_cloud = _clouds(settled, followed, fate)
    if fate is Fate.LEFT and left is not None and left.balancer is not None:
        new_cloud = left._replace(balancer=left.balancer._replace(listeners=()))
    old, new = _states(settled, followed, fate)
    stale = new is not None and followed is not None and new is followed.found and _is_stale(followed, old)
    added, removed = facts.rules(
        old_cloud.group if old_cloud is not None else None,
        new_cloud.group if new_cloud is not None else None,
        (old, new),
    )
    return ServiceChange(
        service=place.service.title,
        path=place.path,
        line=place.line,
        old_path=before.path if before is not None else "",
        change=_change(before, after),
        config=place.config,
        fate=fate,
        health_before=old_health,
        health_after=new_health,
        before=settled.made if settled is not None else None,
        after=followed.found if followed is not None else None,
        requests=followed.requests if followed is not None else deletion.sent if deletion is not None else (),
        monitors=_monitors(settled, followed, new_cloud),
        rules_added=added,
        rules_removed=removed,
        facts=(
            *_facts(old, new, old_cloud, new_cloud, stale=stale),
            *(_come_to_count(before, after) if before is not None and after is not None else ()),
        ),
        rate_before=facts.rate(old),
        rate_after=facts.rate(old if stale else new),
        detection_before=facts.detection(old),
        detection_after=facts.detection(old if stale else new),
        stays=tuple(_stays(settled, followed, fate)),
        recreation_error=_recreation_error(settled, followed, fate),
        ignored=_ignored(settled, followed),
        doubt=(half_known or _doubt(before, settled, after, followed)) if fate is Fate.UNKNOWN else "",
    )


def _come_to_count(before: JudgedService, after: JudgedService) -> Iterator[ServiceFact]:
    if before.in_tree:
        yield from facts.annotations_read(after.service, IN_TREE_ANNOTATIONS.__contains__, after.options.release)
    elif before.options.release is not after.options.release:
        old = before.options.release
        yield from facts.annotations_read(after.service, lambda name: is_read(name, old), after.options.release)


def _half_known(before: JudgedService | None, after: JudgedService | None) -> str:
    """Which keys a template decides on one side alone, so that nobody knows whether they change; empty for none."""
    if before is None or after is None:
        return ""
    sides = (one.options.given & {*one.options.open} for one in (before, after))
    keys = sorted(next(sides) ^ next(sides))
    return f"a template decides {', '.join(keys)} on one side alone" if keys else ""


def _doubt(
    before: JudgedService | None, settled: SteadyState | None, after: JudgedService | None, followed: Reconciled | None
) -> str:
    """Why nothing is known of it, where something changes; nothing of what is another implementation's own."""
    same = before is not None and after is not None and before.options == after.options
    if same and _change(before, after) is not ManifestChange.CHANGED:
        return ""
    sides = (settled.made if settled is not None else None, followed.found if followed is not None else None)
    return next((side.why for side in sides if side is not None and side.outcome is Outcome.UNKNOWN), "")


def _alone(service: Service) -> Service:
    """A Service without what other objects tell of it."""
    return service._replace(assumed=(), allocated=(), replicas=None, everywhere=False)


def _change(before: JudgedService | None, after: JudgedService | None) -> ManifestChange:
    if before is None:
        return ManifestChange.ADDED
    if after is None:
        return ManifestChange.REMOVED
    if _alone(before.service) != _alone(after.service):
        return ManifestChange.CHANGED
    return ManifestChange.SAME if before.path == after.path else ManifestChange.MOVED


def _clouds(
    settled: SteadyState | None, followed: Reconciled | None, fate: Fate
) -> tuple[CloudState | None, CloudState | None]:
    """The clouds that have a load balancer for the Service."""
    old = settled.cloud if settled is not None and settled.exists else None
    if fate is Fate.UNTOUCHED:
        return old, old  # what every reconcile does anyway is no change
    new = followed.cloud if followed is not None and followed.cloud.balancer is not None else None
    return old, new


def _states(
    settled: SteadyState | None, followed: Reconciled | None, fate: Fate
) -> tuple[Prediction | None, Prediction | None]:
    """The predictions whose verdicts hold before and after; None where there is no load balancer."""
    old = settled.kept if settled is not None and settled.exists else None
    if fate is Fate.STUCK:
        return old, old if followed is not None and not followed.broken else None
    if followed is None or fate in (Fate.NONE, Fate.UNKNOWN):
        return old, None
    return old, followed.found


def _is_stale(followed: Reconciled, old: Prediction | None) -> bool:
    return old is not None and facts.is_stale(followed.found, followed.cloud.balancer)


def _monitors(settled: SteadyState | None, followed: Reconciled | None, cloud: CloudState | None) -> Monitors:
    before = len(facts.monitors_of(settled.cloud.balancer)) if settled is not None else 0
    after = len(facts.monitors_of(cloud.balancer)) if cloud is not None else 0
    taken = list(followed.requests) if followed is not None and followed.found.outcome is not Outcome.UNKNOWN else []
    if followed is not None and followed.found.refusals and taken:
        taken.pop()  # the one that is refused
    sent = [request for request in taken if "/healthmonitors" in request.path]
    made = max(sum(one.method == "POST" for one in sent), after - before)
    changed = sum(one.method == "PUT" for one in sent)
    return Monitors(before, after, made, before + made - after, changed)


def _facts(
    old: Prediction | None,
    new: Prediction | None,
    old_cloud: CloudState | None,
    new_cloud: CloudState | None,
    *,
    stale: bool,
) -> Iterator[ServiceFact]:
    for fact in facts.judged(old, new):
        yield fact._replace(after=fact.before, better=None) if stale and fact.name in facts.OF_MONITORS else fact
    yield from facts.listed(old_cloud, new_cloud)
    if old_cloud is not None and new_cloud is not None:
        yield from facts.unseen(old_cloud, new_cloud)
    yield from facts.status(old, new)


def _stays(settled: SteadyState | None, followed: Reconciled | None, fate: Fate) -> Iterator[str]:
    """What a new load balancer would have, and the one that is there does not get."""
    if settled is None or followed is None or fate not in (Fate.UNTOUCHED, Fate.RECONCILED, Fate.RECREATED):
        return
    old, new = settled.made.request, followed.from_scratch.request
    yield from _kept(_part(old, "loadbalancer"), _part(new, "loadbalancer"), _KEPT)
    yield from of_floating_ip(settled.made, followed.from_scratch, settled.cloud)
    yield from of_parts(followed.from_scratch, followed.cloud)
    if _is_stale(followed, settled.kept):
        yield f"keeps its health monitors as they are: CCM {followed.found.release} changes none that are there"


def _kept(old: Json | None, new: Json | None, fields: tuple[tuple[str, str], ...]) -> Iterator[str]:
    if old is None or new is None:
        return
    for field, name in fields:
        before, after = old.get(field, ""), new.get(field, "")
        if before != after:
            yield words(name, str(before), str(after))


def _part(body: Json | None, name: str) -> Json | None:
    part = None if body is None else body.get(name)
    return part if isinstance(part, dict) else None


def _recreation_error(settled: SteadyState | None, followed: Reconciled | None, fate: Fate) -> str:
    if settled is None or followed is None or fate not in (Fate.UNTOUCHED, Fate.RECONCILED, Fate.RECREATED):
        return ""
    found = followed.from_scratch
    fine = found.outcome is Outcome.ACCEPTED and not found.refusals
    return "" if fine or found.outcome is Outcome.UNKNOWN else why(found, Health.DOWN)


def _ignored(settled: SteadyState | None, followed: Reconciled | None) -> tuple[Ignored, ...]:
    if followed is None:
        return ()
    known = (*settled.made.ignored, *settled.kept.ignored) if settled is not None else ()
    ours = settled.written if settled is not None else {}
    # what is said of the existing load balancer goes before what would be said of a new one
    existing = {one.what for one in followed.found.ignored}
    new = (one for one in followed.from_scratch.ignored if one.what not in existing)
    found = dict.fromkeys((*new, *followed.found.ignored))
    return tuple(one for one in found if one not in known and one.what not in ours)
