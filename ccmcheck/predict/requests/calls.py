"""The requests to Octavia, in the order in which the CCM sends them: one for a new load balancer, or one for each part.

Source: cloud-provider-openstack ensureOctaviaLoadBalancer, createOctaviaLoadBalancer and what they call, since 1.19.

The monitor of an existing pool: created, updated, recreated or deleted, depending on the release.

Source: cloud-provider-openstack ensureOctaviaHealthMonitor at every tag since 1.19.

Which existing listener each port of the Service reuses; the CCM deletes the rest.

Source: cloud-provider-openstack popListener. Up to 1.23 it puts the last listener in the place of the one
that is taken.
"""

from __future__ import annotations

from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.behaviours import Behaviours
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Monitor, Pool
from ccmcheck.predict.inputs.nodes import address_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.predict.inputs.sharing import refusal
from ccmcheck.predict.records import Json, PortPlan
from ccmcheck.predict.requests import bodies
from ccmcheck.predict.requests.bodies import PartNames
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec
from ccmcheck.predict.requests.notes import Notes
from ccmcheck.predict.requests.pool_state import pool_after, serial_members, update_members
from ccmcheck.predict.requests.reconcile_state import ReconcileState
from ccmcheck.predict.requests.subnets import NO_ADDRESS


class ListenerAllocation:
    """The existing listeners that no port has taken yet, by their places."""

    def __init__(self, listeners: tuple[Listener, ...], behaviours: Behaviours) -> None:
        self._places = list(listeners)
        self._count = len(listeners)
        self._moves = behaviours["moves-last-listener"]

    def at(self, place: int) -> Listener:
        """The listener in a place now."""
        return self._places[place]

    def take(self, listener_id: str) -> None:
        """Take a listener out."""
        for place in range(self._count):
            if self._places[place].id == listener_id:
                if self._moves:
                    self._places[place] = self._places[self._count - 1]
                else:
                    del self._places[place]
                self._count -= 1
                return

    def rest(self) -> list[Listener]:
        """The listeners that no port took."""
        return self._places[: self._count]


def ensure_monitor(
    state: ReconcileState, port: ServicePort, pool: Pool | None, pool_id: str, name: str, *, http: bool
) -> None:
    """Reconcile a pool's monitor with the spec.

    Args:
        state: Takes the requests.
        port: The Service's port.
        pool: The existing pool; None for a new one.
        pool_id: Its ID, or its placeholder.
        name: The monitor's name; empty to send none.
        http: Whether it asks the health check node port.

    Raises:
        CcmError: The client refuses to send it.
    """
    behaviours, spec = state.behaviours, state.spec
    existing = pool.monitor if pool is not None else None
    if behaviours["renames-monitors"]:
        _ensure(state, port, existing, pool_id, name, http=http)
        return
    current = existing.id if existing is not None else ""
    if existing is not None:
        if _is_other_type(state, port, existing, http=http):
            state.send("DELETE", f"healthmonitors/{existing.id}")
            current = ""
        if behaviours["updates-monitors"] and _timers(state) != (
            existing.delay,
            existing.timeout,
            existing.max_retries,
        ):
            # also after it was deleted: the path then ends with the slash
            _note_zeros(state, existing)
            state.send("PUT", f"healthmonitors/{current}", {"healthmonitor": _changes(state, "")})
    if not current and spec.monitor:
        _create(state, port, pool_id, name, http=http)
    elif current and not spec.monitor:
        state.send("DELETE", f"healthmonitors/{current}")


def _ensure(
    state: ReconcileState, port: ServicePort, existing: Monitor | None, pool_id: str, name: str, *, http: bool
) -> None:
    spec = state.spec
    if existing is None:
        if spec.monitor:
            _create(state, port, pool_id, name, http=http)
        return
    if not spec.monitor:
        state.send("DELETE", f"healthmonitors/{existing.id}")
        return
    if _is_other_type(state, port, existing, http=http):
        state.send("DELETE", f"healthmonitors/{existing.id}")
        _create(state, port, pool_id, name, http=http)
        return
    if name != existing.name or (*_timers(state), spec.retries_down or 0) != (
        existing.delay,
        existing.timeout,
        existing.max_retries,
        existing.max_retries_down,
    ):
        _note_zeros(state, existing)
        state.send("PUT", f"healthmonitors/{existing.id}", {"healthmonitor": _changes(state, name)})


def _note_zeros(state: ReconcileState, existing: Monitor) -> None:
    """Say of each 0 that it is not sent."""
    spec, annotations = state.spec, Annotations(state.service.annotations, state.behaviours)
    for key, value, kept in (
        ("monitor-delay", spec.delay, f"{existing.delay} s"),
        ("monitor-timeout", spec.timeout, f"{existing.timeout} s"),
        ("monitor-max-retries", spec.retries, str(existing.max_retries)),
    ):
        if not value:
            annotated = state.behaviours["monitor-timer-annotations"] and annotations.has(f"health-{key}")
            what = f"{PREFIX}health-{key}" if annotated else key
            why = f"0 is not sent: the monitor that is there keeps {kept}, and the CCM updates it at every reconcile"
            if (what, why) not in state.notes.ignored:
                state.notes.ignore(what, why)


def _is_other_type(state: ReconcileState, port: ServicePort, existing: Monitor, *, http: bool) -> bool:
    if state.behaviours["recreates-monitors"]:
        spec = bodies.monitor(port, state.spec, "", state.behaviours, http=http, alone=False)
        return spec["type"] != existing.type
    if state.behaviours["recreates-monitors-of-local"]:
        return (state.spec.check_port > 0) != (existing.type == "HTTP")
    return False


def _timers(state: ReconcileState) -> tuple[int, int, int]:
    spec = state.spec
    return spec.delay, spec.timeout, spec.retries


def _changes(state: ReconcileState, name: str) -> Json:
    """An update; fields that are 0 are left out, so that such a monitor never matches the spec."""
    spec = state.spec
    body: Json = {}
    if name:
        body["name"] = name
    for field, value in (
        ("delay", spec.delay),
        ("timeout", spec.timeout),
        ("max_retries", spec.retries),
        ("max_retries_down", (spec.retries_down or 0) if name else 0),
    ):
        if value:
            body[field] = value
    return body


def _create(state: ReconcileState, port: ServicePort, pool_id: str, name: str, *, http: bool) -> None:
    try:
        body = bodies.monitor(port, state.spec, name, state.behaviours, http=http, alone=True)
    except CcmError as error:
        of_pool = "" if state.behaviours["tags-and-shares"] else f" for pool {pool_id}"
        raise CcmError(f"failed to create healthmonitor{of_pool}: {error}") from None
    body["pool_id"] = pool_id
    state.send("POST", "healthmonitors", {"healthmonitor": body})


_FIRST = "kube_service_"


class Calls(ReconcileState):
    """Sends the requests for one Service."""

    def __init__(
        self, options: Options, service: Service, cloud: CloudState, spec: LoadBalancerSpec, notes: Notes
    ) -> None:
        super().__init__(options, service, cloud, spec, notes)
        self.plans = tuple(self._plan(port) for port in service.ports)
        self._compared: tuple[tuple[str, ...] | None, bool] = (None, False)
        """The source ranges of the last listener, which most have in common, and whether they are others."""

    def _plan(self, port: ServicePort) -> PortPlan:
        spec, behaviours = self.spec, self.behaviours
        listener = bodies.listener_protocol(port, spec)
        there = self._pool_there(port)
        http = self._http(port)
        monitor = None
        if spec.monitor:
            monitor = self._kept(there, bodies.monitor(port, spec, "", behaviours, http=http, alone=False))
        # serial calls make members without a monitor_port (loadbalancer_serial.go)
        asked = spec.check_port if http and not self.options.serial else port.node_port
        return PortPlan(
            port.port,
            port.protocol,
            port.node_port,
            listener,
            there.protocol if there and not behaviours["recreates-pools"] else bodies.pool_protocol(listener, spec),
            spec.method,
            monitor,
            asked if monitor is not None else 0,
            (bodies.HEALTHZ if behaviours["monitor-has-path"] else "/") if monitor is not None and http else "",
        )

    def _pool_there(self, port: ServicePort) -> Pool | None:
        key = (bodies.listener_protocol(port, self.spec), port.port)
        listeners = self.cloud.balancer.listeners if self.cloud.balancer is not None else ()
        return next((one.pool for one in listeners if (one.protocol, one.port) == key), None)

    def _kept(self, pool: Pool | None, monitor: Json) -> Json:
        """A monitor as it will be: a 0 is not sent to a running one, which keeps its value."""
        running = pool.monitor if pool is not None and self.behaviours["updates-monitors"] else None
        if running is None or running.type != monitor["type"]:
            return monitor
        zeros = {field for field in ("delay", "timeout", "max_retries") if not monitor[field]}
        return {**monitor, **{field: getattr(running, field) for field in zeros}}

    def _http(self, port: ServicePort) -> bool:
        return bodies.asks_http(port, self.spec, self.has, self.behaviours)

    def run(self) -> Balancer | None:
        """Work out all requests to Octavia up to the floating IP.

        Returns:
            The load balancer that was there before; None for a new one.

        Raises:
            CcmError: The CCM ends here; what was sent before is in ``requests``.
        """
        before = self.cloud.balancer
        spec = self.spec
        if spec.balancer_id:
            if before is None or before.id != spec.balancer_id:
                raise CcmError(f"failed to get load balancer {spec.balancer_id}: Resource not found")
            before = self._check_shared(before)
        elif before is None:
            self._create()
            if self.behaviours["writes-id-at-once"]:
                self.write_id(None)
            if self.options.serial:
                self._ensure_parts((), "")
            return None
        if self.behaviours["writes-id-at-once"]:
            self.write_id(before)
        self.check_active(before)
        self._ensure_parts(before.listeners, before.id)
        return before

    def check_active(self, before: Balancer) -> None:
        """Whether a load balancer can be changed.

        Raises:
            CcmError: It cannot.
        """
        if before.status != "ACTIVE":
            if not self.behaviours["tags-and-shares"]:
                raise CcmError(
                    f"timeout when waiting for loadbalancer {before.id} to be ACTIVE, current provisioning status "
                    f"{before.status}"
                )
            raise CcmError(f"load balancer {before.id} is not ACTIVE, current provisioning status: {before.status}")

    def _check_shared(self, before: Balancer) -> Balancer:
        spec = self.spec
        if self.behaviours["renames"] and before.name.startswith(_FIRST):
            from ccmcheck.predict.requests.renames import cluster_of, rename

            if cluster_of(before.name) != self.cloud.cluster_name:
                before = rename(self, before)
        self.owner = before.name == spec.name
        if self.owner:
            return before
        shared = sum(tag.startswith(_FIRST) for tag in before.tags)
        most = shared + 1 if spec.name in before.tags else self.options.max_shared_lb
        refused = refusal(shared, most, self.behaviours, internal=spec.internal, tags=bool(spec.tags))
        if refused is not None:
            raise CcmError(refused.value.format(id=before.id, count=shared))
        return before

    def _create(self) -> None:
        spec, service = self.spec, self.service
        balancer: Json = {
            "name": spec.name,
            "description": f"Kubernetes external service {service.title} from cluster {self.cloud.cluster_name}",
        }
        for field, value in (
            ("provider", self.options.lb_provider),
            ("flavor_id", spec.flavor),
            ("availability_zone", spec.zone),
            ("vip_port_id", spec.vip_port),
            ("vip_subnet_id", spec.vip_subnet),
            ("vip_network_id", spec.vip_network),
        ):
            if value:
                balancer[field] = value
        if spec.tags:
            balancer["tags"] = [spec.name]
        if service.address and (spec.internal or (spec.family == 6 and self.behaviours["ipv6-takes-load-balancer-ip"])):
            balancer["vip_address"] = service.address
        try:
            if self.behaviours["creates-in-one-call"] and not self.options.serial:
                balancer["listeners"] = self._whole()
        except CcmError as error:
            raise CcmError(f"error creating loadbalancer {spec.name}: error creating loadbalancer: {error}") from None
        self.send("POST", "loadbalancers", {"loadbalancer": balancer})
        if not self.member_subnet or self.remembers_first_subnet:
            self.member_subnet = self.cloud.vip_subnet or spec.vip_subnet or "{vip subnet}"
        if not self.behaviours["creates-in-one-call"]:
            self._ensure_parts((), "")

    def _whole(self) -> list[Json]:
        """The listeners with everything below them."""
        names = PartNames(self.spec.name, self.behaviours, whole=True)
        listeners: list[Json] = []
        for index, port in enumerate(self.service.ports):
            listener = bodies.listener(port, self.spec, names.listener(index))
            protocol = str(listener["protocol"])
            pool = bodies.pool(port, self.service, self.spec, names.pool(index, protocol, port.port))
            http = self._http(port)
            members = bodies.members(
                port, self.nodes, self.spec, self.spec.check_port if http else 0, self.behaviours, alone=False
            )
            if members:
                pool["members"] = members
            if self.spec.monitor:
                name = names.monitor(index, port.port)
                checked = self.behaviours["checks-monitors-inside"]
                pool["healthmonitor"] = bodies.monitor(port, self.spec, name, self.behaviours, http=http, alone=checked)
            listener["default_pool"] = pool
            listeners.append(listener)
        return listeners

    def _ensure_parts(self, listeners: tuple[Listener, ...], balancer_id: str) -> None:
        """Listener, pool, members and monitor of each port, one request each."""
        places = {(listener.protocol, listener.port): place for place, listener in enumerate(listeners)}
        known = list(listeners)
        allocation = ListenerAllocation(listeners, self.behaviours)
        pools = {listener.id: listener.pool for listener in listeners}
        spec = self.spec._replace(member_subnet=self.member_subnet)
        names = PartNames(spec.name, self.behaviours, whole=False)
        if self.behaviours["tags-and-shares"]:
            self._check_ports({key: listeners[place] for key, place in places.items()})
        for index, port in enumerate(self.service.ports):
            place = places.get((bodies.listener_protocol(port, spec), port.port))
            listener = None if place is None else known[place]
            if place is None or listener is None:
                body = bodies.listener(port, spec, names.listener(index))
                body["loadbalancer_id"] = balancer_id or "{loadbalancer}"
                self.send("POST", "listeners", {"listener": body})
            else:
                changed = self._listener_changes(listener)
                if changed:
                    self.send("PUT", f"listeners/{listener.id}", {"listener": changed})
                headers = changed.get("insert_headers")
                if isinstance(headers, dict):  # in the very map that a later port of this listener looks at
                    known[place] = listener._replace(insert_headers=headers)
                allocation.take(listener.id)
                if self.behaviours["mixes-listeners-up"]:
                    listener = allocation.at(place)
                listener = listener._replace(pool=pools[listener.id])
            after = self.ensure_pool_parts(index, port, listener, names)
            if listener is not None:
                pools[listener.id] = after
        for unused in filter(self._owns, allocation.rest()):
            pool = pools[unused.id]
            if pool is not None:
                self.send("DELETE", f"pools/{pool.id}")
            self.send("DELETE", f"listeners/{unused.id}")

    def ensure_pool_parts(
        self, index: int, port: ServicePort, listener: Listener | None, names: PartNames, *, monitors: bool = True
    ) -> Pool | None:
        """Reconcile the pool of one port, its members and its monitor.

        Args:
            index: The port's place.
            port: The port.
            listener: The existing listener; None for a new one.
            names: The names of the parts.
            monitors: Whether the monitor is looked at.

        Returns:
            The pool as it is afterwards, where another port can have it; None otherwise.
        """
        spec = self.spec._replace(member_subnet=self.member_subnet)
        pool = self._ensure_pool(index, port, listener, names)
        pool_id = pool.id if pool is not None else f"{{pool {index}}}"
        http = self._http(port)
        if self.options.serial:
            serial_members(self, index, port, pool)
        else:
            update_members(self, spec, port, pool, pool_id, http=http)
        monitor_name = names.monitor(index, port.port)
        if monitors:
            ensure_monitor(self, port, pool, pool_id, monitor_name, http=http)
        if listener is None or index + 1 == len(self.service.ports):
            return None
        return pool_after(self, spec, port, pool, pool_id, monitor_name, http=http)

    def _owns(self, listener: Listener) -> bool:
        if not self.behaviours["tags-and-shares"]:
            return True
        return (self.owner and not listener.tags) or self.spec.name in listener.tags

    def _check_ports(self, by_key: dict[tuple[str, int], Listener]) -> None:
        for port in self.service.ports:
            listener = by_key.get((port.protocol, port.port))
            if listener is not None and not self._owns(listener):
                raise CcmError(f"the listener port {port.port} already exists")

    def _listener_changes(self, listener: Listener) -> Json:
        spec, behaviours = self.spec, self.behaviours
        body: Json = {}
        if spec.tags and spec.name not in listener.tags:
            body["tags"] = [spec.name]  # the others are lost: copy() into a nil slice copies nothing
        if spec.connection_limit != listener.connection_limit:
            body["connection_limit"] = spec.connection_limit
        headers = dict(listener.insert_headers)
        forwarded = headers.get("X-Forwarded-For") == "true"
        if spec.forwarded != forwarded:
            if spec.forwarded:
                headers["X-Forwarded-For"] = "true"
            else:
                del headers["X-Forwarded-For"]
            body["insert_headers"] = headers
        if behaviours["tls-references"] and spec.tls != listener.default_tls_container_ref:
            body["default_tls_container_ref"] = spec.tls
        if spec.timeouts is not None:
            for field, value in spec.timeouts.items():
                if value != getattr(listener, field):
                    body[field] = value
        if self.has.supports("allowed-cidrs") and self._has_others(listener.allowed_cidrs):
            body["allowed_cidrs"] = spec.allowed_cidrs
        if body and not behaviours["creates-in-one-call"]:
            body["insert_headers"] = headers
        return body

    def _has_others(self, ranges: tuple[str, ...]) -> bool:
        """Whether the source ranges of a listener are not those of the Service, in any order."""
        if ranges is not self._compared[0]:
            self._compared = (ranges, ranges != self.spec.allowed and set(ranges) != set(self.spec.allowed))
        return self._compared[1]

    def _ensure_pool(self, index: int, port: ServicePort, listener: Listener | None, names: PartNames) -> Pool | None:
        """The existing pool that is kept; None where a new one is created."""
        spec, behaviours = self.spec, self.behaviours
        if not behaviours["creates-in-one-call"]:
            self._check_addresses()
        pool = listener.pool if listener is not None else None
        protocol = listener.protocol if listener is not None else bodies.listener_protocol(port, spec)
        if pool is not None and behaviours["recreates-pools"] and pool.protocol != bodies.pool_protocol(protocol, spec):
            self.send("DELETE", f"pools/{pool.id}")
            pool = None
        if pool is not None and behaviours["updates-pool-method"] and pool.method != spec.method:
            self.send("PUT", f"pools/{pool.id}", {"pool": {"lb_algorithm": spec.method} if spec.method else {}})
        if pool is None:
            listener_id = listener.id if listener is not None else f"{{listener {index}}}"
            try:
                body = bodies.pool(port, self.service, spec, names.pool(index, protocol, port.port))
            except CcmError as error:
                if behaviours["tags-and-shares"]:
                    raise
                raise CcmError(f"error creating pool for listener {listener_id}: {error}") from None
            body["listener_id"] = listener_id
            self.send("POST", "pools", {"pool": body})
        return pool

    def _check_addresses(self) -> None:
        """1.19 and 1.20 are meant to skip nodes without an address, and compare with the wrong error."""
        for node in self.nodes:
            if not address_of(node, self.spec.family):
                raise CcmError(f"error getting address of node {node.name}: {NO_ADDRESS}")

    def tag(self, before: Balancer) -> None:
        """The Service's tag on a load balancer that lacks it."""
        if self.spec.tags and self.spec.name not in before.tags:
            tags = [*before.tags, self.spec.name]
            self.send("PUT", f"loadbalancers/{before.id}", {"loadbalancer": {"tags": tags}})
