"""What a driver refuses when all else is well, always with a 501; and what amphora takes and then cannot build.

Sources: openstack/octavia 19.0.0 octavia/api/drivers/amphora_driver/v2/driver.py, openstack/ovn-octavia-provider 11.0.0
driver.py, both measured; HAProxy 2.6 on rendered configurations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.data import octavia as facts
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.records import MEASURED, OVN_MEASURED, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.records import Json, Request
    from ccmcheck.predict.verdicts.parts import Body, Part

_OVN_READ = "openstack/ovn-octavia-provider, read"


def unsupported(part: Part, driver: str, cloud: CloudState, family: int) -> Iterator[Refusal]:
    """The driver's refusals of one part of a request.

    Args:
        part: The part.
        driver: Its family.
        cloud: What is known of the cloud.
        family: The VIP's IP family; 0 when unknown.
    """
    if driver == "ovn":
        yield from _ovn(part, cloud)
    elif driver == "amphora" and not part.whole and part.body.get("lb_algorithm") == "SOURCE_IP_PORT":
        yield _no(f"{part.path}.lb_algorithm", "the amphora provider does not support SOURCE_IP_PORT", MEASURED)
    datagrams = driver != "ovn" and not part.whole and part.pool in facts.DATAGRAM_POOLS
    if part.kind == "members" and family and (driver == "ovn" or datagrams):
        families = {ranges.family(str(member["address"])) for member in part.members}
        if families and families != {family}:
            evidence = OVN_MEASURED if driver == "ovn" else MEASURED
            yield _no(part.path, "members of another IP family than the VIP's", evidence)


def _no(path: str, why: str, evidence: str = OVN_MEASURED) -> Refusal:
    return Refusal(501, path, why, evidence)


def _ovn(part: Part, cloud: CloudState) -> Iterator[Refusal]:
    path, body = part.path, part.body
    protocol = body.get("protocol")
    if protocol and protocol not in facts.OVN_POOLS:
        yield _no(f"{path}.protocol", f"the ovn provider does not support {protocol}")
    if part.kind == "listener" and body.get("allowed_cidrs"):
        yield _no(f"{path}.allowed_cidrs", "the ovn provider does not support allowed_cidrs")
    elif part.kind == "pool":
        yield from _ovn_pool(body, path, cloud)
    elif part.kind == "members" and part.members and part.members[0].get("monitor_port") is not None:
        yield _no(f"{part.member(0)}.monitor_port", "the ovn provider does not support monitor_port")
    elif part.kind == "healthmonitor" and "type" in body:
        if body["type"] not in facts.OVN_MONITORS:
            yield _no(
                f"{path}.type", f"the ovn provider does not support {body['type']} monitors, only TCP and UDP-CONNECT"
            )
        elif _has("monitors", cloud) is False:
            why = "this release of the ovn provider does not support health monitors"
            yield _no(path, why, "openstack/ovn-octavia-provider release notes")


def _ovn_pool(body: Body, path: str, cloud: CloudState) -> Iterator[Refusal]:
    method = body.get("lb_algorithm")
    supported = method == "SOURCE_IP_PORT" or (method == "SOURCE_IP" and _has("source-ip", cloud) is not False)
    if method and not supported:
        yield _no(f"{path}.lb_algorithm", f"the ovn provider does not support {method}; it accepts SOURCE_IP_PORT")
    if body.get("session_persistence") and _has("persistence", cloud) is False:
        why = "the ovn provider has session persistence since 5.0.0 (2023.2)"
        yield _no(f"{path}.session_persistence", why, _OVN_READ)


def _has(feature: str, cloud: CloudState) -> bool | None:
    """Whether the ovn provider has something; without its release, by Octavia's, which comes with it as a rule."""
    return octavia.ovn_has(feature, cloud.ovn_release)


def failures(requests: tuple[Request, ...], options: Options) -> Iterator[Refusal]:
    """What Octavia takes and then cannot build.

    Yields:
        Why the load balancer ends in ERROR, or works in another way than asked for.
    """
    if octavia.family(options.lb_provider or facts.DEFAULT_DRIVER) != facts.DEFAULT_DRIVER:
        return
    for at, request in enumerate(requests):
        if request.api == "octavia" and request.body is not None:
            for path, pool, monitor in _monitors(request.body):
                if pool not in facts.DATAGRAM_POOLS:
                    for refusal in _haproxy(path, monitor):
                        yield refusal._replace(at=at)


def _haproxy(path: str, monitor: Json) -> Iterator[Refusal]:
    delay, timeout = monitor.get("delay"), monitor.get("timeout")
    if delay == 0:
        yield Refusal(201, f"{path}.delay", "a delay of 0 makes HAProxy refuse its configuration", "HAProxy 2.6, run")
    for field, value in (("delay", delay), ("timeout", timeout)):
        if isinstance(value, int) and facts.HAPROXY_SECONDS < value <= facts.MYSQL_INT:
            yield Refusal(
                201, f"{path}.{field}", f"{value} s makes HAProxy refuse its configuration", "HAProxy 2.6, run"
            )


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
