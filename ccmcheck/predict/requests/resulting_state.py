"""What requests leave behind: the load balancer, the floating IP and the security group as the APIs would list them.

A prediction says what is sent; this plays it through, so that the same Service can be predicted once more with its load
balancer there. Placeholders of a prediction (``{pool 0}``) become IDs that no part has yet.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.predict.inputs.cloud_state import (
    Balancer,
    CloudState,
    FloatingIP,
    Group,
    GroupRule,
    Listener,
    Member,
    Monitor,
    Pool,
)
from ccmcheck.predict.records import Json, Request
from ccmcheck.predict.requests.addresses import FLOATING_IP, VIP
from ccmcheck.predict.requests.groups import OWN_RULES
from ccmcheck.predict.requests.pool_state import MONITOR_OF

_LISTENER = (
    "connection_limit", "timeout_client_data", "timeout_member_connect", "timeout_member_data", "timeout_tcp_inspect",
    "insert_headers", "default_tls_container_ref", "name",
)  # fmt: skip
"""Fields of a listener that are stored as they are sent."""


def state_after(requests: Iterable[Request], cloud: CloudState, provider: str) -> CloudState:
    """Play requests through.

    Args:
        requests: What is sent, in order; each is taken.
        cloud: The state before.
        provider: The provider that a new load balancer gets.

    Returns:
        The state after the requests.
    """
    played = _Played(cloud, provider)
    for request in requests:
        played.take(request)
    return cloud._replace(balancer=played.balancer(), floating_ip=played.floating, group=played.group())


class _Played:
    """The state between two requests."""

    def __init__(self, cloud: CloudState, provider: str) -> None:
        self._before = cloud.balancer
        self._provider = provider
        self._vip = cloud.vip or VIP
        self._new_address = cloud.new_address or FLOATING_IP
        self._made: Json | None = None
        self.floating = cloud.floating_ip
        self._floating_ips = cloud.floating_ips
        self._group = cloud.group  # without the changes of its rules, which are in `_rules`
        self._rules = _by_id(cloud.group)
        self._listeners: dict[str, Listener] = {}
        self._pools: dict[str, Pool] = {}
        self._pool_of: dict[str, str] = {}
        self._changes: Json = {}
        self._gone = False
        self._last = {"listener": "", "pool": ""}
        self._meant: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._allowed: tuple[object, tuple[str, ...]] = (None, ())
        """The list of source ranges that was sent last, which most listeners have in common, and its texts."""
        for listener in self._before.listeners if self._before is not None else ():
            self._listeners[listener.id] = listener
            if listener.pool is not None:
                self._pools[listener.pool.id] = listener.pool
                self._pool_of[listener.id] = listener.pool.id
        self._taken = {*self._listeners, *self._pools}
        self._taken |= self._rules.keys()
        self._taken |= {pool.monitor.id for pool in self._pools.values() if pool.monitor is not None}

    def balancer(self) -> Balancer | None:
        """The load balancer as it is now; None where there is none."""
        if self._gone:
            return None
        listeners = tuple(
            listener._replace(pool=self._pools.get(self._pool_of.get(listener.id, "")))
            for listener in self._listeners.values()
        )
        if self._before is not None:
            name, tags = self._changes.get("name", self._before.name), self._changes.get("tags", self._before.tags)
            return self._before._replace(name=str(name), tags=_texts(tags), listeners=listeners)
        if self._made is None:
            return None
        tags = self._changes.get("tags", self._made.get("tags", ()))
        name = str(self._made["name"])
        subnet = str(self._made.get("vip_subnet_id", ""))
        provider = str(self._made.get("provider", self._provider))
        port = str(self._made.get("vip_port_id", "{vip port}"))
        return Balancer("{loadbalancer}", name, listeners, _texts(tags), self._vip, port, subnet, provider=provider)

    def group(self) -> Group | None:
        """The security group as it is now; None where there is none."""
        return self._group._replace(rules=tuple(self._rules.values())) if self._group is not None else None

    def take(self, request: Request) -> None:
        """One request."""
        kind, *way = request.path.removeprefix("/v2.0/").removeprefix("lbaas/").split("/")
        body = request.body or {}
        name = {"loadbalancers": "loadbalancer", "listeners": "listener", "pools": "pool"}.get(kind, kind)
        if request.api == "neutron":
            self._neutron(request.method, kind, way, body)
        elif kind == "pools" and len(way) > 1:
            self._members(request.method, self._pool_id(way[0]), way[2:], body)
        elif kind == "healthmonitors":
            self._monitor(request.method, way[0] if way else "", _part(body, "healthmonitor"))
        elif kind == "loadbalancers":
            if request.method == "POST":
                self._create(_part(body, name))
            elif request.method == "DELETE":
                self._gone, self.floating = True, None
            else:
                self._changes |= _part(body, name)
        elif kind == "listeners":
            self._listener(request.method, way[0] if way else "", _part(body, name))
        elif kind == "pools":
            self._pool(request.method, way[0] if way else "", _part(body, name))

    def _id(self, kind: str) -> str:
        while True:
            number = self._numbers[kind] = self._numbers.get(kind, -1) + 1
            new_id = f"{kind}-{number}"
            if new_id not in self._taken:
                self._taken.add(new_id)
                return new_id

    def _pool_id(self, reference: str) -> str:
        if reference == "{":  # inside one request for everything
            return self._last["pool"]
        return self._meant.setdefault(reference, self._last["pool"]) if reference.startswith("{") else reference

    def _monitor_id(self, reference: str) -> str:
        if not reference.startswith(f"{{{MONITOR_OF}"):
            return reference
        name = reference.strip("{}").removeprefix(MONITOR_OF)
        pool = self._pools.get(name) or self._pools.get(self._meant.get(f"{{{name}}}", ""))
        return pool.monitor.id if pool is not None and pool.monitor is not None else reference

    def _create(self, body: Json) -> None:
        self._made = body
        port = body.get("vip_port_id")
        there = (
            floating_ip for floating_ip in (self._floating_ips or {}).values() if port and floating_ip.port == port
        )
        self.floating = next(there, self.floating)
        listeners = body.get("listeners")
        for listener in listeners if isinstance(listeners, list) else ():
            self._listener("POST", "", listener)
            pool = _part(listener, "default_pool")
            if pool:
                self._pool("POST", "", pool)
                self._members("PUT", self._last["pool"], [], {"members": pool.get("members", [])})
                if "healthmonitor" in pool:
                    self._monitor("POST", "", _part(pool, "healthmonitor"))

    def _listener(self, method: str, known: str, body: Json) -> None:
        if method == "DELETE":
            self._listeners.pop(known, None)
            self._pool_of.pop(known, None)
            return
        if method == "POST":
            known = self._last["listener"] = self._id("listener")
            self._listeners[known] = Listener(known, str(body["protocol"]), _number(body.get("protocol_port")))
        fields: Json = {field: body[field] for field in _LISTENER if field in body}
        if "tags" in body:
            fields["tags"] = _texts(body["tags"])
        if "allowed_cidrs" in body:
            sent = body["allowed_cidrs"]
            if sent is not self._allowed[0]:
                self._allowed = (sent, _texts(sent))
            fields["allowed_cidrs"] = self._allowed[1]
        if known in self._listeners:
            self._listeners[known] = self._listeners[known]._replace(**fields)  # type: ignore[arg-type]  # as sent

    def _pool(self, method: str, known: str, body: Json) -> None:
        if method == "DELETE":
            self._pools.pop(known, None)
        elif method == "POST":
            known = self._last["pool"] = self._id("pool")
            self._pools[known] = Pool(
                known,
                str(body["protocol"]),
                str(body.get("lb_algorithm", "")),
                name=str(body.get("name", "")),
                persistence=str(_part(body, "session_persistence").get("type", "")),
            )
            listener = str(body.get("listener_id", "{"))
            self._pool_of[self._last["listener"] if listener.startswith("{") else listener] = known
        elif known in self._pools:
            pool = self._pools[known]
            self._pools[known] = pool._replace(
                method=str(body.get("lb_algorithm", pool.method)), name=str(body.get("name", pool.name))
            )

    def _members(self, method: str, pool_id: str, way: list[str], body: Json) -> None:
        pool = self._pools.get(pool_id)
        if pool is None:
            return
        if method == "DELETE":
            self._pools[pool_id] = pool._replace(
                members=tuple(member for member in pool.members if member.id != way[0])
            )
            return
        sent = body.get("members", [body["member"]] if "member" in body else [])
        kept = {(member.address, member.port): member for member in pool.members} if method == "PUT" else {}
        made = tuple(self._member(member, kept) for member in (sent if isinstance(sent, list) else ()))
        self._pools[pool_id] = pool._replace(members=made if method == "PUT" else (*pool.members, *made))

    def _member(self, member: Json, kept: dict[tuple[str, int], Member]) -> Member:
        """A member as it is stored: one of the same address and port keeps its subnet where the request names none."""
        address, port = str(member["address"]), _number(member.get("protocol_port"))
        there = kept.get((address, port))
        subnet = str(member.get("subnet_id") or "")
        return Member(
            there.id if there is not None else self._id("member"),
            address,
            port,
            str(member.get("name", "")),
            _number(member.get("monitor_port")),
            subnet or (there.subnet if there is not None else ""),
        )

    def _monitor(self, method: str, known: str, body: Json) -> None:
        if method == "POST":
            pool_id = self._pool_id(str(body.get("pool_id", "{")))
            pool = self._pools.get(pool_id)
            if pool is not None:
                made = Monitor(self._id("monitor"), str(body["type"]), 0, 0, 0)
                self._pools[pool_id] = pool._replace(monitor=_timed(made, body))
            return
        known = self._monitor_id(known)
        for pool_id, pool in self._pools.items():
            if pool.monitor is not None and pool.monitor.id == known:
                after = None if method == "DELETE" else _timed(pool.monitor, body)
                self._pools[pool_id] = pool._replace(monitor=after)
                return

    def _neutron(self, method: str, kind: str, way: list[str], body: Json) -> None:
        if kind == "floatingips":
            self._float(method, _part(body, "floatingip"))
        elif kind == "security-groups":
            self._group = Group("security-group-0", OWN_RULES) if method == "POST" else None
            self._rules = _by_id(self._group)
        elif kind == "security-group-rules" and self._group is not None:
            if method == "POST":
                rule = self._rule(_part(body, "security_group_rule"))
                self._rules[rule.id] = rule
            else:
                self._rules.pop(way[0], None)
        elif kind == "ports" and self._group is not None:
            self._put_on(way, _part(body, "port"))

    def _float(self, method: str, body: Json) -> None:
        if method == "DELETE" or "port_id" not in body:
            self.floating = None
            return
        address = str(body.get("floating_ip_address", self._new_address))
        self.floating = FloatingIP("floatingip-0", address, str(body["port_id"]), str(body.get("description", "")))

    def _rule(self, body: Json) -> GroupRule:
        first, last = _number(body.get("port_range_min")), _number(body.get("port_range_max"))
        remote, kind = str(body.get("remote_ip_prefix", "")), str(body.get("ethertype", "IPv4"))
        return GroupRule(self._id("rule"), str(body.get("protocol", "")), first, last, remote, kind)

    def _put_on(self, way: list[str], body: Json) -> None:
        """Whichever ID the group has in the request, on the port it is the one that is known."""
        group = self._group
        if group is None:
            return
        ports = {port[0]: port for port in group.ports}
        port, groups, tags = ports.get(way[0], (way[0], (), ()))
        if len(way) > 1:
            tags = (*tags, group.id)
        else:
            reference = body.get("security_groups")
            listed = _texts(reference) if isinstance(reference, list) else ()
            groups = tuple(group.id if name == "{security group}" else name for name in listed)
        ports[port] = (port, groups, tags)
        self._group = group._replace(ports=tuple(ports.values()))


def _by_id(group: Group | None) -> dict[str, GroupRule]:
    return {rule.id: rule for rule in group.rules} if group is not None else {}


def _timed(monitor: Monitor, body: Json) -> Monitor:
    return monitor._replace(
        delay=_number(body.get("delay", monitor.delay)),
        timeout=_number(body.get("timeout", monitor.timeout)),
        max_retries=_number(body.get("max_retries", monitor.max_retries)),
        max_retries_down=_number(body.get("max_retries_down", monitor.max_retries_down)),
        name=str(body.get("name", monitor.name)),
    )


def _part(body: Json, name: str) -> Json:
    part = body.get(name)
    return part if isinstance(part, dict) else {}


def _texts(listed: object) -> tuple[str, ...]:
    return tuple(map(str, listed)) if isinstance(listed, (list, tuple)) else ()


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
