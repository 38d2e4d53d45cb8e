"""What a driver refuses when all else is well, always with a 501; and what it takes and then cannot build."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.catalog.data import octavia as facts
from ccmcheck.predict.drivers.record import Driver
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import MEASURED, Json, Refusal, Request
from ccmcheck.predict.verdicts.parts import Body, RequestPart


def unsupported(part: RequestPart, driver: Driver, cloud: CloudState, family: int) -> Iterator[Refusal]:
    """The driver's refusals of one part of a request.

    Args:
        part: The part.
        driver: The driver.
        cloud: What is known of the cloud.
        family: The VIP's IP family; 0 when unknown.
    """
    path, body = part.path, part.body
    protocol = body.get("protocol")
    if protocol and driver.protocols is not None and protocol not in driver.protocols:
        yield _no(f"{path}.protocol", driver, str(protocol))
    if part.kind == "listener" and body.get("allowed_cidrs") and "allowed_cidrs" in driver.refuses:
        yield _no(f"{path}.allowed_cidrs", driver, "allowed_cidrs")
    elif part.kind == "pool":
        yield from _pool(body, part, driver, cloud)
    elif part.kind == "members" and part.members:
        if part.members[0].get("monitor_port") is not None and "monitor_port" in driver.refuses:
            yield _no(f"{part.member(0)}.monitor_port", driver, "monitor_port")
        yield from _families(part, driver, family)
    elif part.kind == "healthmonitor" and driver.monitors is not None and "type" in body:
        if body["type"] not in driver.monitors:
            accepted = " and ".join(sorted(driver.monitors))
            yield _no(f"{path}.type", driver, f"{body['type']} monitors", f", only {accepted}")
        elif driver.has("monitors", cloud.ovn_release) is False:
            yield Refusal(
                501, path, f"this release of {driver.title} does not support health monitors", _notes_of(driver)
            )


def _no(path: str, driver: Driver, what: str, more: str = "") -> Refusal:
    return Refusal(501, path, f"{driver.title} does not support {what}{more}", driver.evidence)


def _notes_of(driver: Driver) -> str:
    return f"openstack/{driver.name}-octavia-provider release notes"


def _pool(body: Body, part: RequestPart, driver: Driver, cloud: CloudState) -> Iterator[Refusal]:
    method = body.get("lb_algorithm")
    refused = driver.checks_requests and method and driver.methods and method not in driver.methods
    if (refused and method in facts.ALGORITHMS and not (part.whole and method in driver.methods_of_create)) or (
        method == "SOURCE_IP" and driver.has("source-ip", cloud.ovn_release) is False
    ):
        yield _no(f"{part.path}.lb_algorithm", driver, method, _accepted(driver))
    if body.get("session_persistence") and driver.has("persistence", cloud.ovn_release) is False:
        first = driver.releases["persistence"][0]
        why = f"{driver.title} has session persistence since {first} (2023.2)"
        yield Refusal(501, f"{part.path}.session_persistence", why, f"openstack/{driver.name}-octavia-provider, read")


def _accepted(driver: Driver) -> str:
    methods = driver.methods or {}
    return f"; it accepts {next(iter(methods))}" if driver.is_special else ""


def _families(part: RequestPart, driver: Driver, family: int) -> Iterator[Refusal]:
    datagrams = not part.whole and part.pool in facts.DATAGRAM_POOLS  # Octavia's own check, in single calls only
    if family and (driver.mixes_families is False or datagrams):
        families = {ranges.family(str(member["address"])) for member in part.members}
        if families != {family}:
            evidence = driver.evidence if driver.mixes_families is False else MEASURED
            yield Refusal(501, part.path, "members of another IP family than the VIP's", evidence)


def failures(requests: tuple[Request, ...], driver: Driver) -> Iterator[Refusal]:
    """What Octavia takes and the driver then cannot build.

    Args:
        requests: What is sent.
        driver: The driver.

    Yields:
        Why the load balancer ends in ERROR.
    """
    for at, request in enumerate(requests if driver.longest_seconds else ()):
        for path, pool, monitor in _monitors(request.body or {}) if request.api == "octavia" else ():
            if pool not in facts.DATAGRAM_POOLS:
                yield from (one._replace(at=at) for one in _timers(path, monitor, driver.longest_seconds))


def _timers(path: str, monitor: Json, longest: int) -> Iterator[Refusal]:
    delay, timeout = monitor.get("delay"), monitor.get("timeout")
    if delay == 0:
        yield Refusal(201, f"{path}.delay", "a delay of 0 makes HAProxy refuse its configuration", "HAProxy 2.6, run")
    for field, value in (("delay", delay), ("timeout", timeout)):
        if isinstance(value, int) and longest < value <= facts.MYSQL_INT:
            why = f"{value} s makes HAProxy refuse its configuration"
            yield Refusal(201, f"{path}.{field}", why, "HAProxy 2.6, run")


def _monitors(body: Json) -> Iterator[tuple[str, str, Json]]:
    alone = body.get("healthmonitor")
    if isinstance(alone, dict):
        yield "healthmonitor", "", alone
    balancer = body.get("loadbalancer")
    listeners = balancer.get("listeners") if isinstance(balancer, dict) else None
    for index, listener in enumerate(listeners if isinstance(listeners, list) else ()):
        pool = listener["default_pool"]
        if "healthmonitor" in pool:
            yield f"listeners[{index}].default_pool.healthmonitor", str(pool["protocol"]), pool["healthmonitor"]
