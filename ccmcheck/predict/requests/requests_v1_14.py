"""Releases 1.14 to 1.18: everything is made one by one, members too.

Source: cloud-provider-openstack EnsureLoadBalancer in openstack_loadbalancer.go at every tag of 1.14 to 1.18, with
use-octavia = true. What one Service leaves behind in the options for the next is not predicted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ccmcheck.catalog.service_annotations import INTERNAL
from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.cloud_state import Balancer, Listener, Pool
from ccmcheck.predict.inputs.nodes import address_of
from ccmcheck.predict.inputs.options import BalancerClass, Options
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.records import EXTERNAL_NETWORK, Floating, Json
from ccmcheck.predict.requests import bodies
from ccmcheck.predict.requests.bodies import PartNames
from ccmcheck.predict.requests.calls import Calls, ListenerAllocation
from ccmcheck.predict.requests.enforced import EVERYWHERE, Features, source_ranges
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec, balancer_name
from ccmcheck.predict.requests.notes import cut
from ccmcheck.predict.requests.spec_inputs import SpecInputs
from ccmcheck.predict.requests.subnets import NO_ADDRESS, first_node_subnet

Answer = TypeVar("Answer")

_TIMEOUTS = {
    name.replace("-", "_"): name
    for name in ("timeout-client-data", "timeout-member-data", "timeout-member-connect", "timeout-tcp-inspect")
}


def spec_before_1_19(inputs: SpecInputs) -> LoadBalancerSpec:
    """The load balancer spec of these releases; see `ccmcheck.predict.requests.load_balancer_spec.derive_spec`."""
    options, service, annotations, cloud, notes = inputs
    behaviours, title = inputs.behaviours, service.title
    if cloud.nodes is not None and not cloud.nodes:
        raise CcmError(f"there are no available nodes for LoadBalancer service {title}")
    network = annotations.text("network-id", options.network_id) if behaviours["other-than-tcp"] else ""
    subnet = annotations.text("subnet-id", options.subnet_id)
    if not subnet and not network:
        subnet = first_node_subnet(cloud, 0, title, notes, behaviours)
    if not service.ports:
        raise CcmError("no ports provided to openstack load balancer")
    chosen, internal = _class(options, annotations)
    floating = _floating(inputs, chosen, internal)
    if not behaviours["other-than-tcp"] and any(port.protocol != "TCP" for port in service.ports):
        raise CcmError("only TCP LoadBalancer is supported for openstack load balancers")
    has = Features(cloud, False, notes)
    allowed = source_ranges(inputs, 0)
    if not (behaviours["source-ranges-by-api"] and has.available("allowed-cidrs")):
        if EVERYWHERE[4] not in allowed and not options.manage_security_groups:
            raise CcmError(
                "source range restrictions are not supported for openstack load balancers without managing security "
                "groups"
            )
        allowed = ()
    vip_port = annotations.text("port-id") if chosen is None else ""
    vip_network = (chosen.network_id if chosen is not None else "") or network
    names = _TIMEOUTS.items() if options.release.at_least("1.15") else ()
    timeouts = {field: number for field, name in names if (number := annotations.maybe_number(name)) is not None}
    members = subnet
    if vip_network and cloud.balancer is None:
        members = cloud.vip_subnet or "{vip subnet}"
    return LoadBalancerSpec(
        name=balancer_name(cloud.cluster_name, service),
        internal=internal,
        vip_port=vip_port,
        vip_subnet="" if vip_port else (chosen.subnet_id if chosen is not None else "") or subnet,
        vip_network="" if vip_port else vip_network,
        member_subnet=members,
        proxy=_late(annotations.proxy, ""),
        forwarded=_late(lambda: annotations.switch("x-forwarded-for", False), False),
        method=options.lb_method or ("ROUND_ROBIN" if behaviours["zero-timers-end"] else ""),
        connection_limit=annotations.number("connection-limit", -1),
        timeouts=timeouts,
        allowed=allowed,
        allowed_cidrs=list(allowed),
        monitor=_late(lambda: _monitor(options, annotations), False),
        delay=options.monitor_delay,
        timeout=options.monitor_timeout,
        retries=options.monitor_max_retries,
        floating=floating,
    )


def _late(ask: Callable[[], Answer], default: Answer) -> Answer:
    """An annotation that the CCM reads late, so that what is wrong with it ends the reconcile only then."""
    try:
        return ask()
    except CcmError:
        return default


def _monitor(options: Options, annotations: Annotations) -> bool:
    if not annotations.behaviours["monitor-annotation"]:
        return options.create_monitor
    return annotations.switch("enable-health-monitor", options.create_monitor)


def _class(options: Options, annotations: Annotations) -> tuple[BalancerClass | None, bool]:
    """The class, and whether the Service is internal."""
    name = annotations.text("class") if options.release.at_least("1.15") else ""
    if not name:
        return None, annotations.switch(INTERNAL, options.internal_lb)
    chosen = options.classes.get(name)
    if chosen is None:
        raise CcmError(f'invalid loadbalancer class "{name}"')
    if chosen.floating_network_id or chosen.floating_subnet_id:
        return chosen, False
    if not chosen.subnet_id:
        raise CcmError(f'empty loadbalancer class configuration for class "{name}"')
    return chosen, True


def _floating(inputs: SpecInputs, chosen: BalancerClass | None, internal: bool) -> Floating:
    options, _, annotations, cloud, notes = inputs
    network, source = annotations.text("floating-network-id", options.floating_network_id), "cloud.conf"
    if chosen is not None and chosen.floating_network_id:
        network, source = chosen.floating_network_id, "the class"
    if not network and not internal:
        if cloud.external_network is None:
            raise CcmError(
                "floating-network-id or loadbalancer.openstack.org/floating-network-id should be specified when "
                "ensuring an external loadbalancer service"
            )
        network, source = cloud.external_network, "the first external network in the listing"
        if not network:
            notes.assume(f"no floating-network-id is set; {EXTERNAL_NETWORK} is assumed")
            network = EXTERNAL_NETWORK
    if internal:
        return Floating(False, why="the Service is internal")
    if chosen is not None:
        return Floating(True, network, chosen.floating_subnet_id, source=source)
    # a name that is not found leaves the subnet of cloud.conf
    subnet = annotations.text("floating-subnet-id") or options.floating_subnet_id
    name = "" if annotations.text("floating-subnet-id") else annotations.text("floating-subnet")
    return Floating(True, network, subnet, name, source=source)


class CallsBefore119(Calls):
    """Collects the requests for one Service; see `Calls`."""

    def run(self) -> Balancer | None:
        """Work out all requests to Octavia up to the floating IP.

        Raises:
            CcmError: The CCM ends here; what was sent before is in ``requests``.
        """
        before = self.cloud.balancer
        if before is None:
            self._create()
            return None
        self.check_active(before)
        self._ensure_parts(before.listeners, before.id)
        return before

    def _ensure_parts(self, listeners: tuple[Listener, ...], balancer_id: str) -> None:
        names = PartNames(self.spec.name, self.behaviours, whole=False)
        allocation = ListenerAllocation(listeners, self.behaviours)
        annotations = Annotations(self.service.annotations, self.behaviours)
        for index, port in enumerate(self.service.ports):
            listener = next(
                (
                    candidate
                    for candidate in listeners
                    if candidate.protocol == port.protocol and candidate.port == port.port
                ),
                None,
            )
            if listener is None:
                annotations.switch("x-forwarded-for", False)
                body = bodies.listener(port, self.spec, names.listener(index))
                body["loadbalancer_id"] = balancer_id or "{loadbalancer}"
                self.send("POST", "listeners", {"listener": body})
            else:
                allocation.take(listener.id)
                changed = self._early_changes(listener)
                if changed:
                    self.send("PUT", f"listeners/{listener.id}", {"listener": changed})
            pool = listener.pool if listener is not None else None
            pool_id = pool.id if pool is not None else f"{{pool {index}}}"
            if pool is None:
                annotations.proxy()
                self._early_pool(index, port, listener, names)
            self._early_members(index, port, pool, pool_id)
            _monitor(self.options, annotations)
            self._early_monitor(index, port, pool, pool_id, names)
        for unused in allocation.rest():
            self._delete(unused)

    def _early_changes(self, listener: Listener) -> Json:
        body: Json = {}
        if self.spec.connection_limit != listener.connection_limit:
            body["connection_limit"] = self.spec.connection_limit
        enforced = self.behaviours["source-ranges-by-api"] and self.has.available("allowed-cidrs")
        if enforced and set(self.spec.allowed) != set(listener.allowed_cidrs):
            body["allowed_cidrs"] = self.spec.allowed_cidrs
        return body

    def _early_pool(self, index: int, port: ServicePort, listener: Listener | None, names: PartNames) -> None:
        spec = self.spec
        forwarded = spec.forwarded and listener is None
        if spec.proxy and forwarded:
            raise CcmError(
                "annotation loadbalancer.openstack.org/proxy-protocol and loadbalancer.openstack.org/x-forwarded-for "
                "cannot be used together"
            )
        listener_id = listener.id if listener is not None else f"{{listener {index}}}"
        try:
            body = bodies.pool(port, self.service, spec, names.pool(index, port.protocol, port.port))
        except CcmError as error:
            raise CcmError(f"error creating pool for listener {listener_id}: {error}") from None
        if listener is not None and not spec.proxy:
            body["protocol"] = listener.protocol
        body["listener_id"] = listener_id
        self.send("POST", "pools", {"pool": body})

    def _early_members(self, index: int, port: ServicePort, pool: Pool | None, pool_id: str) -> None:
        unmatched = list(pool.members) if pool is not None else []
        for node in self.nodes:
            address = address_of(node, 0)
            if not address:
                raise CcmError(f"error getting address for node {node.name}: {NO_ADDRESS}")
            if any(member.address == address and member.port == port.node_port for member in unmatched):
                unmatched = [
                    member for member in unmatched if (member.address, member.port) != (address, port.node_port)
                ]
                continue
            if not port.node_port:
                raise CcmError(
                    f"error creating LB pool member for node: {node.name}, Missing input for argument [ProtocolPort]"
                )
            body: Json = {
                "name": cut(f"member_{index}_{node.name}_{self.spec.name}"),
                "protocol_port": port.node_port,
                "address": address,
            }
            if self.member_subnet:
                body["subnet_id"] = self.member_subnet
            self.send("POST", f"pools/{pool_id}/members", {"member": body})
        for member in unmatched:
            self.send("DELETE", f"pools/{pool_id}/members/{member.id}")

    def _early_monitor(self, index: int, port: ServicePort, pool: Pool | None, pool_id: str, names: PartNames) -> None:
        existing = pool.monitor if pool is not None else None
        if existing is None and self.spec.monitor:
            name = names.monitor(index, port.port)
            try:
                body = bodies.monitor(port, self.spec, name, self.behaviours, http=False, alone=True)
            except CcmError as error:
                raise CcmError(f"error creating LB pool healthmonitor: {error}") from None
            body["pool_id"] = pool_id
            self.send("POST", "healthmonitors", {"healthmonitor": body})
        elif existing is not None and not self.spec.monitor and self.behaviours["deletes-monitors"]:
            self.send("DELETE", f"healthmonitors/{existing.id}")

    def _delete(self, listener: Listener) -> None:
        pool = listener.pool
        if pool is not None:
            if pool.monitor is not None:
                self.send("DELETE", f"healthmonitors/{pool.monitor.id}")
            for member in pool.members:
                self.send("DELETE", f"pools/{pool.id}/members/{member.id}")
            self.send("DELETE", f"pools/{pool.id}")
        self.send("DELETE", f"listeners/{listener.id}")
