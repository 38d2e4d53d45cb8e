"""Whether Octavia takes what is sent: the API's checks, the driver's, and the quota.

Sources: openstack/octavia 19.0.0 octavia/api (measured: one listener, pool and monitor a port, 112 load balancers; 254
monitors; 130 single calls), ovn-octavia-provider 11.0.0 driver.py (measured).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.catalog import octavia
from ccmcheck.catalog.data import octavia as facts
from ccmcheck.predict import ranges
from ccmcheck.predict.records import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.cloud import Cloud
    from ccmcheck.predict.options import Options
    from ccmcheck.predict.records import Json, Request

MEASURED = "octavia 19.0.0, run"
OVN_MEASURED = "ovn-octavia-provider 11.0.0, run"
READ = "openstack/octavia octavia/api/v2, read"

_UUID = re.compile(r"(?:urn:uuid:)?\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?")
_LARGE = 300
"""Members above which the body's size is worth counting: 137 bytes each."""


def refusals(requests: tuple[Request, ...], options: Options, cloud: Cloud, family: int) -> Iterator[Refusal]:
    """Go through the requests to Octavia.

    Args:
        requests: In order.
        options: The configuration.
        cloud: What is known of the cloud.
        family: The VIP's IP family, 4 or 6; 0 when unknown.

    Yields:
        What is refused. The CCM stops at the first.
    """
    judge = _Judge(options, cloud, family)
    for at, request in enumerate(requests):
        if request.method == "DELETE":
            judge.forget(request.path)
        elif request.api == "octavia" and request.body is not None:
            for refusal in judge.request(request, request.body):
                yield refusal._replace(at=at)


class _Judge:
    """The checks, with what they need to know.

    Args:
        options: The configuration.
        cloud: What is known of the cloud.
        family: The VIP's IP family.
    """

    def __init__(self, options: Options, cloud: Cloud, family: int) -> None:
        self.cloud = cloud
        self.provider = options.lb_provider
        self.driver = octavia.family(options.lb_provider) if options.lb_provider else ""
        self.family = family
        self._pools: dict[str, str] = {}
        self._monitors: dict[str, str] = {}
        self._counted: set[str] = set()
        listeners = cloud.balancer.listeners if cloud.balancer is not None else ()
        self._listeners = {listener.id: listener.protocol for listener in listeners}
        for listener in listeners:
            pool = listener.pool
            if pool is not None:
                self._pools[pool.id] = pool.protocol
                if pool.monitor is not None:
                    self._monitors[pool.monitor.id] = pool.monitor.type
                    self._counted |= {f"pools/{pool.id}", f"healthmonitors/{pool.monitor.id}"}
        self._made = ""
        self._listens = ""
        self.monitors = cloud.monitors_used + len(self._monitors)

    def request(self, request: Request, body: Json) -> Iterator[Refusal]:
        """One request."""
        for name, part in body.items():
            if isinstance(part, dict):
                yield from self.part(name, part, request)
            elif name == "members" and isinstance(part, list):
                yield from self.members(part, "members", datagram=self.is_datagram(request.path))
        if request.method == "POST" and request.path.endswith("/loadbalancers"):
            yield from self.size(body)

    def forget(self, path: str) -> None:
        """A monitor that is deleted, by itself or with its pool, no longer counts."""
        if path.removeprefix("/v2.0/lbaas/") in self._counted:
            self.monitors -= 1

    def part(self, name: str, body: Json, request: Request) -> Iterator[Refusal]:
        """One part of a request, and what is in it."""
        new = request.method == "POST"
        if name == "loadbalancer":
            yield from self._balancer(body, new=new)
        elif name == "listener":
            if new:
                self._listens = str(body.get("protocol", ""))
            yield from self._listener(body, name)
        elif name == "pool":
            protocol = str(body.get("protocol", ""))
            if new:
                self._made = protocol
                listener = str(body.get("listener_id", ""))
                around = self._listens if listener.startswith("{") else self._listeners.get(listener, "")
                yield from _mismatch(around, protocol, f"{name}.protocol")
            yield from self._pool(body, name, protocol, alone=True)
        elif name == "healthmonitor":
            pool = self._pool_protocol(str(body.get("pool_id", "")))
            known = "" if new else self._monitors.get(request.path.rpartition("/")[2], "")
            yield from self._monitor(body, name, pool, known, new=new)
        elif name == "member":
            yield from self._member(body, name)

    def is_datagram(self, path: str) -> bool:
        """Whether a members' path leads to a pool of datagrams."""
        return self._pool_protocol(path.split("/")[-2]) in facts.DATAGRAM_POOLS

    def _pool_protocol(self, pool: str) -> str:
        """A pool's protocol; one that has no ID yet is the last that was made, for ports are made one after another."""
        return self._made if pool.startswith("{") else self._pools.get(pool, "")

    def _balancer(self, body: Json, *, new: bool) -> Iterator[Refusal]:
        if not new:
            return
        provider = str(body.get("provider", ""))
        enabled = self.cloud.providers
        if provider and enabled is not None and provider not in enabled:
            yield Refusal(400, "provider", f"provider `{provider}` is not enabled", MEASURED)
        elif provider and enabled is None and self.driver == "other" and octavia.family(provider.lower()) != "other":
            why = f"providers are named in lower case; `{provider}` is not enabled anywhere"
            yield Refusal(400, "provider", why, MEASURED)
        for field in ("vip_port_id", "vip_subnet_id", "vip_network_id", "flavor_id"):
            yield from _uuid(body, field, field)
        address = body.get("vip_address")
        if isinstance(address, str) and not ranges.family(address):
            yield Refusal(400, "vip_address", f"`{address}` is no IP address", READ)
        taken: dict[tuple[str, object], int] = {}
        listeners = body.get("listeners")
        for index, listener in enumerate(listeners if isinstance(listeners, list) else ()):
            path = f"listeners[{index}]"
            yield from self._listener(listener, path)
            protocol, port = str(listener["protocol"]), listener["protocol_port"]
            layer = protocol if protocol in facts.DATAGRAM_POOLS else "TCP"
            if (layer, port) in taken:
                yield Refusal(
                    409,
                    f"{path}.protocol_port",
                    f"listener {taken[layer, port]} has port {port} already: {protocol} is TCP underneath",
                    MEASURED,
                )
            taken.setdefault((layer, port), index)

    def _listener(self, body: Json, path: str) -> Iterator[Refusal]:
        protocol = str(body.get("protocol", ""))
        yield from self._protocol(protocol, f"{path}.protocol")
        limit = body.get("connection_limit")
        if isinstance(limit, int) and limit < -1:
            yield Refusal(400, f"{path}.connection_limit", f"{limit} is below -1", MEASURED)
        for field, value in body.items():
            if field.startswith("timeout_") and isinstance(value, int) and not 0 <= value <= facts.TIMEOUT_LIMIT:
                yield Refusal(400, f"{path}.{field}", f"{value} ms is not between 0 and {facts.TIMEOUT_LIMIT}", READ)
        yield from self._cidrs(body, path)
        pool = body.get("default_pool")
        if isinstance(pool, dict):
            kind = str(pool["protocol"])
            yield from self._pool(pool, f"{path}.default_pool", kind, alone=False)
            yield from _mismatch(protocol, kind, f"{path}.default_pool.protocol")

    def _protocol(self, protocol: str, path: str) -> Iterator[Refusal]:
        if self.driver == "ovn" and protocol and protocol not in facts.OVN_POOLS:
            yield Refusal(501, path, f"the ovn provider knows no {protocol}", OVN_MEASURED)
        since = facts.PROTOCOL_SINCE.get(protocol)
        if since and self.driver != "ovn" and octavia.at_least(self.cloud.octavia, since) is False:
            yield Refusal(400, path, f"{protocol} comes with Octavia's {since.capitalize()}", READ)

    def _cidrs(self, body: Json, path: str) -> Iterator[Refusal]:
        allowed = body.get("allowed_cidrs")
        if not isinstance(allowed, list) or not allowed:
            return
        if self.driver == "ovn":
            yield Refusal(501, f"{path}.allowed_cidrs", "the ovn provider knows no allowed_cidrs", OVN_MEASURED)
        families = {ranges.family(one) for one in allowed}
        if len(families) > 1 or (self.family and families != {self.family}):
            why = "source ranges of another IP family than the VIP's"
            yield Refusal(400, f"{path}.allowed_cidrs", why, MEASURED)

    def _pool(self, body: Json, path: str, protocol: str, *, alone: bool) -> Iterator[Refusal]:
        yield from self._method(body, path, alone=alone)
        if protocol:
            yield from self._protocol(protocol, f"{path}.protocol")
        members = body.get("members")
        if isinstance(members, list):
            yield from self.members(members, f"{path}.members", datagram=False)
        monitor = body.get("healthmonitor")
        if isinstance(monitor, dict):
            yield from self._monitor(monitor, f"{path}.healthmonitor", protocol, "", new=True)
        if body.get("session_persistence") and self.driver == "ovn" and self._ovn("persistence") is False:
            yield Refusal(
                501,
                f"{path}.session_persistence",
                "the ovn provider has session persistence since 5.0.0 (2023.2)",
                "openstack/ovn-octavia-provider, read",
            )

    def _method(self, body: Json, path: str, *, alone: bool) -> Iterator[Refusal]:
        method = body.get("lb_algorithm")
        if not isinstance(method, str):
            return
        where = f"{path}.lb_algorithm"
        if method not in facts.ALGORITHMS:
            yield Refusal(400, where, f"`{method}` is not one of {', '.join(facts.ALGORITHMS)}", MEASURED)
        elif self.driver == "ovn":
            if method == "SOURCE_IP" and self._ovn("source-ip") is not False:
                return
            if method != "SOURCE_IP_PORT":
                yield Refusal(501, where, f"the ovn provider knows no {method}; it takes SOURCE_IP_PORT", OVN_MEASURED)
        elif self.driver == "amphora" and alone and method == "SOURCE_IP_PORT":
            yield Refusal(501, where, "the amphora provider knows no SOURCE_IP_PORT", MEASURED)

    def _ovn(self, feature: str) -> bool | None:
        known = octavia.ovn_has(feature, self.cloud.ovn)
        return known if known is not None or self.cloud.ovn else _of_series(feature, self.cloud.octavia)

    def _monitor(self, body: Json, path: str, pool: str, known: str, *, new: bool) -> Iterator[Refusal]:
        if new:
            self.monitors += 1
            quota = self.cloud.monitor_quota
            if quota is not None and 0 <= quota < self.monitors:
                yield Refusal(
                    403, path, f"the quota of {quota} health monitors is met; the whole request is refused", MEASURED
                )
        kind = body.get("type")
        if isinstance(kind, str):
            yield from self._monitor_type(kind, pool, path)
        for field in ("delay", "timeout"):
            value = body.get(field)
            if isinstance(value, int) and value < 0:
                yield Refusal(400, f"{path}.{field}", f"{value} is below 0", MEASURED)
            elif isinstance(value, int) and value > facts.MYSQL_INT:
                yield Refusal(500, f"{path}.{field}", f"{value} does not fit Octavia's database", MEASURED)
        for field in ("max_retries", "max_retries_down"):
            value = body.get(field)
            least, most = facts.RETRIES
            if isinstance(value, int) and not least <= value <= most:
                yield Refusal(400, f"{path}.{field}", f"{value} is not between {least} and {most}", MEASURED)
        delay = body.get("delay")
        if (known or kind) == "UDP-CONNECT" and isinstance(delay, int) and 0 <= delay < self.cloud.udp_interval:
            yield Refusal(
                400,
                f"{path}.delay",
                f"a UDP-CONNECT monitor needs a delay of {self.cloud.udp_interval} s or more, not {delay} s",
                MEASURED,
            )

    def _monitor_type(self, kind: str, pool: str, path: str) -> Iterator[Refusal]:
        if pool:
            datagram = pool in facts.DATAGRAM_POOLS
            taken = facts.DATAGRAM_MONITORS if datagram else facts.STREAM_MONITORS
            if kind not in taken:
                yield Refusal(400, f"{path}.type", f"a {pool} pool takes no {kind} monitor", MEASURED)
            elif datagram and kind in ("HTTP", "TCP") and octavia.at_least(self.cloud.octavia, "ussuri") is False:
                yield Refusal(
                    400, f"{path}.type", f"{pool} pools take {kind} monitors since Octavia's Ussuri (2.16)", READ
                )
        if self.driver == "ovn" and kind not in facts.OVN_MONITORS:
            yield Refusal(
                501, f"{path}.type", f"the ovn provider knows no {kind} monitor, only TCP and UDP-CONNECT", OVN_MEASURED
            )
        elif self.driver == "ovn" and self._ovn("monitors") is False:
            yield Refusal(
                501,
                path,
                "this release of the ovn provider knows no health monitors",
                "openstack/ovn-octavia-provider release notes",
            )

    def members(self, members: list[Json], path: str, *, datagram: bool) -> Iterator[Refusal]:
        """The first member stands for all: they differ in name and address alone."""
        families = {ranges.family(str(one["address"])) for one in members} if self.family or datagram else set()
        if members:
            yield from self._member(members[0], f"{path}[0]")
        if self.family and families and families != {self.family} and (datagram or self.driver == "ovn"):
            yield Refusal(
                501,
                path,
                "members of another IP family than the VIP's",
                OVN_MEASURED if self.driver == "ovn" else MEASURED,
            )

    def _member(self, body: Json, path: str) -> Iterator[Refusal]:
        yield from _uuid(body, "subnet_id", f"{path}.subnet_id")
        port = body.get("monitor_port")
        if port is None:
            return
        if self.driver == "ovn":
            yield Refusal(501, f"{path}.monitor_port", "the ovn provider knows no monitor_port", OVN_MEASURED)
        elif not isinstance(port, int) or not 1 <= port <= 65535:
            yield Refusal(400, f"{path}.monitor_port", f"{port} is not between 1 and 65535", MEASURED)

    def size(self, body: Json) -> Iterator[Refusal]:
        """The body's size, where a release limits it."""
        limit, since = facts.BODY_LIMIT
        if octavia.at_least(self.cloud.octavia, since) is not True or not _is_large(body):
            return
        size = body_size(body)
        if size > limit:
            yield Refusal(413, "", f"the request has {size} bytes; Octavia {since} and newer take {limit}", MEASURED)


def _mismatch(listener: str, pool: str, path: str) -> Iterator[Refusal]:
    """A pool that its listener does not take, in one request or in two (pool.py ``_validate_protocol``)."""
    if listener in facts.LISTENER_POOLS and pool not in facts.LISTENER_POOLS[listener]:
        yield Refusal(400, path, f"a {listener} listener takes no {pool} pool", MEASURED)


def _is_large(body: Json) -> bool:
    balancer = body["loadbalancer"]
    listeners = balancer.get("listeners") if isinstance(balancer, dict) else None
    if not isinstance(listeners, list) or not listeners:
        return False
    pool = listeners[0]["default_pool"]
    return len(listeners) * (len(pool.get("members", ())) + 4) > _LARGE


def body_size(body: Json) -> int:
    """Bytes of a body as Go's ``json.Marshal`` writes it."""
    import json

    return len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"))


def _uuid(body: Json, field: str, path: str) -> Iterator[Refusal]:
    value = body.get(field)
    if isinstance(value, str) and not value.startswith("{") and not _UUID.fullmatch(value):
        shown = value if len(value) <= 60 else value[:57] + "…"
        yield Refusal(400, path, f"`{shown}` is no UUID", READ)


def _of_series(feature: str, release: str) -> bool | None:
    """The same by Octavia's series: both come from one OpenStack release as a rule."""
    series = octavia.series_of(release)
    if not series:
        return None
    return octavia.ovn_has(feature, series) if series in (*facts.OVN_SERIES, "wallaby") else False


def failures(requests: tuple[Request, ...], options: Options) -> Iterator[Refusal]:
    """What Octavia takes and then cannot build.

    Args:
        requests: In order.
        options: The configuration.

    Yields:
        Why the load balancer ends in ERROR, or works in another way than asked for.
    """
    if octavia.family(options.lb_provider) != "amphora" and options.lb_provider:
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
