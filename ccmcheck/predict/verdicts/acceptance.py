"""Whether Octavia takes what is sent: first its types (`malformed`), then the API's own checks here, then the driver's.

Sources: openstack/octavia 19.0.0 octavia/api/v2/controllers (measured: one listener, pool and monitor a port, 112 load
balancers; 254 monitors; 130 single calls), ovn-octavia-provider 11.0.0 driver.py (measured).

What Octavia's API refuses before it looks at anything else: the types and ranges of fields.

Source: openstack/octavia 19.0.0 octavia/api/v2/types (254 monitors and 130 single calls measured).

What a driver refuses when all else is well, always with a 501; and what it takes and then cannot build.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.escape import printable
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data import octavia as facts
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.drivers.record import Driver
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.behaviours import Behaviours, behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.records import FLOATING_READ, MEASURED, NEUTRON_READ, READ, Json, Refusal, Request
from ccmcheck.predict.verdicts.parts import Body, ExistingParts, Place, RequestPart, parts, place


def unsupported(
    part: RequestPart, driver: Driver, cloud: CloudState, family: int, behaviours: Behaviours
) -> Iterator[Refusal]:
    """The driver's refusals of one part of a request.

    Args:
        part: The part.
        driver: The driver.
        cloud: What is known of the cloud.
        family: The VIP's IP family; 0 when unknown.
        behaviours: What the CCM's release does.
    """
    path, body = part.path, part.body
    protocol = body.get("protocol")
    if protocol and driver.protocols is not None and protocol not in driver.protocols:
        yield _no(f"{path}.protocol", driver, str(protocol))
    if part.kind == "listener" and body.get("allowed_cidrs") and "allowed_cidrs" in driver.refuses:
        always = "" if behaviours["knows-ovn"] else ", which CCM before 1.22 sends with every listener"
        yield _no(f"{path}.allowed_cidrs", driver, "allowed_cidrs", always)
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


def malformed(part: RequestPart, driver: Driver, release: str) -> Iterator[Refusal]:
    """Check one part of a request.

    Args:
        part: The part.
        driver: The driver.
        release: Octavia's; empty when unknown.
    """
    for field, since in facts.FIELD_SINCE.get(part.kind, {}).items():
        if field in part.body and octavia.at_least(release, since) is False:
            where = f"{part.path}.{field}" if part.path else field
            yield _bad(where, f"Octavia has no {field} before {since.capitalize()}", READ)
    if part.kind == "loadbalancer":
        yield from _balancer(part.body)
    elif part.kind == "listener":
        yield from _protocol(part, driver, release)
        yield from _listener(part.body, part.path)
    elif part.kind == "pool":
        yield from _protocol(part, driver, release)
        method = part.body.get("lb_algorithm")
        if isinstance(method, str) and method not in facts.ALGORITHMS:
            yield _bad(f"{part.path}.lb_algorithm", f"`{method}` is not one of {', '.join(facts.ALGORITHMS)}")
    elif part.kind == "members":
        yield from _members(part)
    else:
        yield from _monitor(part.body, part.path)


def _bad(path: str, why: str, evidence: str = MEASURED) -> Refusal:
    return Refusal(400, path, why, evidence)


def _balancer(body: Body) -> Iterator[Refusal]:
    for field in ("vip_port_id", "vip_subnet_id", "vip_network_id", "flavor_id"):
        yield from _uuid(body, field, field)
    address = body.get("vip_address")
    if isinstance(address, str) and not ranges.family(address):
        yield _bad("vip_address", f"`{address}` is not an IP address", READ)
    text = body.get("description")
    if isinstance(text, str) and len(text) > facts.TEXT_LIMIT:
        yield _bad("description", f"{len(text)} characters, not {facts.TEXT_LIMIT} at most; the CCM cuts names only")


def _protocol(part: RequestPart, driver: Driver, release: str) -> Iterator[Refusal]:
    protocol = str(part.body.get("protocol", ""))
    since = driver.protocol_since.get(protocol)
    if since and octavia.at_least(release, since) is False:
        yield _bad(f"{part.path}.protocol", f"{protocol} needs Octavia {since.capitalize()} or newer", READ)


def _listener(body: Body, path: str) -> Iterator[Refusal]:
    limit = body.get("connection_limit")
    if isinstance(limit, int) and limit < -1:
        yield _bad(f"{path}.connection_limit", f"{limit} is below -1")
    for field, value in body.items():
        if field.startswith("timeout_") and isinstance(value, int) and not 0 <= value <= facts.TIMEOUT_LIMIT:
            yield _bad(f"{path}.{field}", f"{value} ms is not between 0 and {facts.TIMEOUT_LIMIT}", READ)
    ref = body.get("default_tls_container_ref")
    if isinstance(ref, str) and len(ref) > facts.TEXT_LIMIT:
        yield _bad(f"{path}.default_tls_container_ref", f"{len(ref)} characters, not {facts.TEXT_LIMIT} at most", READ)


def _members(part: RequestPart) -> Iterator[Refusal]:
    """The first represents all, which differ in name and address only."""
    for number, member in enumerate(part.members):
        address = str(member["address"])
        if not ranges.family(address):
            yield _bad(f"{part.member(number)}.address", f"`{address}` is not an IP address")
    for member in part.members[:1]:
        yield from _uuid(member, "subnet_id", f"{part.member(0)}.subnet_id")
        port = member.get("monitor_port")
        if port is not None and not (isinstance(port, int) and 1 <= port <= facts.MOST_PORT):
            yield _bad(f"{part.member(0)}.monitor_port", f"{port} is not between 1 and {facts.MOST_PORT}")


def _monitor(body: Body, path: str) -> Iterator[Refusal]:
    for field in ("delay", "timeout"):
        value = body.get(field)
        if isinstance(value, int) and value < 0:
            yield _bad(f"{path}.{field}", f"{value} is below 0")
    for field in ("max_retries", "max_retries_down"):
        value = body.get(field)
        least, most = facts.RETRIES
        if isinstance(value, int) and not least <= value <= most:
            yield _bad(f"{path}.{field}", f"{value} is not between {least} and {most}")


def _uuid(body: Body, field: str, path: str) -> Iterator[Refusal]:
    value = body.get(field)
    if isinstance(value, str) and not value.startswith("{") and not UUID_LIKE.fullmatch(value):
        shown = printable(value if len(value) <= 60 else value[:57] + "…")
        yield _bad(path, f"`{shown}` is not a UUID", READ)


def refusals(requests: tuple[Request, ...], options: Options, cloud: CloudState, family: int) -> Iterator[Refusal]:
    """Go through the requests.

    Args:
        requests: In order.
        options: The configuration.
        cloud: What is known of the cloud.
        family: The VIP's IP family, 4 or 6; 0 when unknown.

    Yields:
        Refusals, in the order of the checks. The CCM stops at the first.
    """
    judge = _Judge(options, cloud, family)
    for at, request in enumerate(requests):
        found_refusals = judge.request(request) if request.api == "octavia" else _neutron(request)
        for refusal in found_refusals:
            yield refusal._replace(at=at)


def _neutron(request: Request) -> Iterator[Refusal]:
    """What Neutron refuses: a floating IP that is no IPv4 address, a rule whose addresses are of another family."""
    floating = (request.body or {}).get("floatingip")
    floating = floating if isinstance(floating, dict) else {}
    for field in ("floating_network_id", "subnet_id"):
        for refusal in _uuid(floating, field, f"floatingip.{field}"):
            yield refusal._replace(evidence=FLOATING_READ, by="Neutron")
    address = floating.get("floating_ip_address")
    if isinstance(address, str) and ranges.family(address) != 4:
        what = "an IPv4 address, which a floating IP is" if ranges.family(address) else "an IP address"
        why = f"loadBalancerIP `{printable(address)}` is not {what}"
        yield Refusal(400, "floatingip.floating_ip_address", why, FLOATING_READ, by="Neutron")
    rule = (request.body or {}).get("security_group_rule")
    if not isinstance(rule, dict):
        return
    remote, kind = str(rule.get("remote_ip_prefix")), rule.get("ethertype")
    family = ranges.family(remote)
    if family and kind != f"IPv{family}":
        why = f"the member subnet is {kind}, and a rule for it takes no {remote}"
        yield Refusal(400, "security_group_rule.remote_ip_prefix", why, NEUTRON_READ, by="Neutron")


class _Judge:
    """The checks, with what they need to know."""

    def __init__(self, options: Options, cloud: CloudState, family: int) -> None:
        self.cloud = cloud
        self.driver = driver_of(options.lb_provider)
        self.behaviours = behaviours_of(options.release)
        self.family = family
        self.known = ExistingParts(cloud.balancer)
        self._allowed: list[str] = []
        self._families: frozenset[int] = frozenset()

    def request(self, request: Request) -> Iterator[Refusal]:
        """One request."""
        request_parts = list(parts(request, self.known))
        if request.body is not None:
            yield from self._size(request.body)
        if request.path.endswith("/"):
            yield Refusal(400, "id", "the CCM leaves the ID out of the path", MEASURED)
        for part in request_parts:
            yield from malformed(part, self.driver, self.cloud.facts.octavia_release)
        for part in request_parts:
            yield from self._part(part)
        for part in request_parts:
            yield from unsupported(part, self.driver, self.cloud, self.family, self.behaviours)
        self.known.note(request)

    def _part(self, part: RequestPart) -> Iterator[Refusal]:
        if part.kind == "loadbalancer":
            if part.new:
                yield from self._vip(part.body)
                yield from self._provider(str(part.body.get("provider", "")))
                yield from _pool_names(part.body)
        elif part.kind == "listener":
            yield from self._listener(part)
            yield from _match(part, f"{part.path}.default_pool.protocol")
        elif part.kind == "pool":
            yield from _match(part, f"{part.path}.protocol")
        elif part.kind == "healthmonitor":
            yield from self._monitor(part)

    def _vip(self, body: Body) -> Iterator[Refusal]:
        subnet, network, port = body.get("vip_subnet_id"), body.get("vip_network_id"), body.get("vip_port_id")
        address = body.get("vip_address")
        where = self.cloud.networks.get(str(subnet))
        if subnet and network and not port and where not in (None, network):
            yield Refusal(400, "vip_subnet_id", f"subnet {subnet} is not in network {network}", MEASURED)
        subnets = [subnet_id for subnet_id, within in self.cloud.networks.items() if within == network]
        cidrs = [self.cloud.subnets[subnet_id] for subnet_id in subnets if subnet_id in self.cloud.subnets]
        if address and not (port or subnet) and cidrs and not any(ranges.holds(cidr, str(address)) for cidr in cidrs):
            yield Refusal(400, "vip_address", f"no subnet of network {network} has {address} in it", MEASURED)
        cidr = self.cloud.subnets.get(str(subnet))
        if address and cidr and not port and not ranges.holds(cidr, str(address)):
            why = f"subnet {subnet} is {cidr}, without {address}: Neutron makes no port for it"
            yield Refusal(500, "vip_address", why, MEASURED)
        if port and address and self.cloud.vip not in ("", address):
            yield Refusal(400, "vip_address", f"port {port} has the address {self.cloud.vip}, not {address}", READ)

    def _provider(self, provider: str) -> Iterator[Refusal]:
        enabled = self.cloud.facts.providers
        if provider and enabled is not None and provider not in enabled:
            yield Refusal(400, "provider", f"provider `{provider}` is not enabled", MEASURED)
        elif enabled is None and provider not in facts.PROVIDERS and provider.lower() in facts.PROVIDERS:
            why = f"providers are named in lower case; `{provider}` is not enabled anywhere"
            yield Refusal(400, "provider", why, MEASURED)

    def _listener(self, part: RequestPart) -> Iterator[Refusal]:
        body, path = part.body, part.path
        if part.new:
            yield from self._place(body, path, path if part.whole else "a listener made before")
        allowed = body.get("allowed_cidrs")
        if isinstance(allowed, list) and allowed is not self._allowed:  # all listeners have the same one
            self._allowed, self._families = allowed, ranges.families(allowed)
        families = self._families if allowed else frozenset()
        if len(families) > 1 or (self.family and families and families != {self.family}):
            yield Refusal(400, f"{path}.allowed_cidrs", "source ranges of another IP family than the VIP's", MEASURED)

    def _place(self, body: Body, path: str, name: str) -> Iterator[Refusal]:
        where: Place = place(body)
        if where in self.known.taken:
            why = f"{self.known.taken[where]} has port {where[1]} already: {body['protocol']} is {where[0]} underneath"
            yield Refusal(409, f"{path}.protocol_port", why, MEASURED)
        self.known.taken.setdefault(where, name)

    def _monitor(self, part: RequestPart) -> Iterator[Refusal]:
        body, path = part.body, part.path
        if part.new:
            self.known.monitors += 1
            quota = self.cloud.facts.monitor_quota
            if quota is not None and 0 <= quota < self.cloud.monitors_used + self.known.monitors:
                yield Refusal(
                    403,
                    path,
                    f"the quota of {quota} health monitors is exhausted; the whole request is refused",
                    MEASURED,
                )
        kind = body.get("type")
        if isinstance(kind, str) and part.pool:
            yield from self._monitor_type(kind, part.pool, path)
        delay, least = body.get("delay"), self.cloud.udp_interval
        if (part.monitor or kind) == "UDP-CONNECT" and isinstance(delay, int) and 0 <= delay < least:
            why = f"a UDP-CONNECT monitor needs a delay of {least} s or more, not {delay} s"
            yield Refusal(400, f"{path}.delay", why, MEASURED)
        for field in ("delay", "timeout"):
            value = body.get(field)
            if isinstance(value, int) and value > facts.MYSQL_INT:
                yield Refusal(500, f"{path}.{field}", f"{value} does not fit Octavia's database", MEASURED)

    def _monitor_type(self, kind: str, pool: str, path: str) -> Iterator[Refusal]:
        datagram = pool in facts.DATAGRAM_POOLS
        if kind not in (facts.DATAGRAM_MONITORS if datagram else facts.STREAM_MONITORS):
            yield Refusal(400, f"{path}.type", f"a {pool} pool does not accept a {kind} monitor", MEASURED)
        elif (
            datagram
            and kind in ("HTTP", "TCP")
            and octavia.at_least(self.cloud.facts.octavia_release, "ussuri") is False
        ):
            yield Refusal(400, f"{path}.type", f"{pool} pools take {kind} monitors since Octavia's Ussuri (2.16)", READ)

    def _size(self, body: Json) -> Iterator[Refusal]:
        """The body's size, where a release limits it."""
        limit, since = facts.BODY_LIMIT
        if octavia.at_least(self.cloud.facts.octavia_release, since) is not True:
            return
        size = body_size(body)
        if size > limit:
            yield Refusal(413, "", f"the request has {size} bytes; Octavia {since} and newer take {limit}", MEASURED)


def _match(part: RequestPart, path: str) -> Iterator[Refusal]:
    """Whether a listener takes its pool."""
    accepted = facts.LISTENER_POOLS.get(part.listener)
    if part.pool and accepted is not None and part.pool not in accepted:
        yield Refusal(400, path, f"a {part.listener} listener does not accept a {part.pool} pool", MEASURED)


def _pool_names(body: Body) -> Iterator[Refusal]:
    """Inside one request Octavia identifies pools by name: up to 1.24 PROTOCOL_PORT_pool."""
    listeners = body.get("listeners")
    seen: dict[object, int] = {}
    for index, listener in enumerate(listeners if isinstance(listeners, list) else ()):
        name = listener["default_pool"].get("name")
        if name in seen:
            why = f"the pool of listener {seen[name]} has the same name, {name}"
            yield Refusal(400, f"listeners[{index}].default_pool.name", why, MEASURED)
        seen.setdefault(name, index)


def body_size(body: Json) -> int:
    """Bytes of a body as Go's ``json.Marshal`` writes it."""
    import json

    return len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"))
