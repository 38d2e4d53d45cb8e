"""The state of a pool after the requests for a port: a later port of the Service may get the same listener.

With X-Forwarded-For and TLS, TCP and UDP on one port become the same listener. The CCM looks up pools, members and
monitors again for each port, but uses the listeners as they were at the start.

Members of an existing pool: one batch for all, or one request each.

Sources: cloud-provider-openstack ensureOctaviaPool; pkg/util/openstack/loadbalancer_serial.go.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.annotations import CcmError
from ccmcheck.predict.inputs.cloud_state import Member, Monitor, Node, Pool
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.requests import bodies
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec
from ccmcheck.predict.requests.notes import cut
from ccmcheck.predict.requests.reconcile_state import ReconcileState


def update_members(
    state: ReconcileState, spec: LoadBalancerSpec, port: ServicePort, pool: Pool | None, pool_id: str, *, http: bool
) -> None:
    """Put all members at once where any differs.

    Args:
        state: Takes the requests.
        spec: The load balancer spec, with the members' subnet.
        port: The Service's port.
        pool: The existing pool; None for a new one, which has none.
        pool_id: Its ID, or its placeholder.
        http: Whether the monitor asks the health check node port.
    """
    behaviours = state.behaviours
    body = bodies.members(port, state.nodes, spec, spec.check_port if http else 0, behaviours, alone=True)
    names, monitors = behaviours["compares-member-names"], behaviours["compares-monitor-ports"]

    def key(name: object, address: object, number: object, monitor: int) -> tuple[object, ...]:
        return (name if names else "", address, number, monitor if monitors else 0)

    # members of the spec count with the check port, also where they are created without it (ovn)
    new = {key(member["name"], member["address"], member["protocol_port"], spec.check_port) for member in body}
    old = (
        {key(member.name, member.address, member.port, member.monitor_port) for member in pool.members}
        if pool is not None
        else set()
    )
    if new != old:
        state.send("PUT", f"pools/{pool_id}/members", {"members": body})


def serial_members(state: ReconcileState, index: int, port: ServicePort, pool: Pool | None) -> None:
    """Make what is missing, one request each, then delete what is left over.

    Args:
        state: Takes the requests.
        index: Which port of the Service.
        port: The Service's port.
        pool: The existing pool; None for a new one.

    Raises:
        CcmError: A node has no address, or the port no NodePort.
    """
    pool_id = pool.id if pool is not None else f"{{pool {index}}}"
    unmatched = list(pool.members) if pool is not None else []
    for node in state.nodes:
        address = serial_address(node)
        if not any(member.address == address and member.port == port.node_port for member in unmatched):
            if not address:
                raise CcmError(
                    f"error creating LB pool member for node: {node.name}, Missing input for argument [Address]"
                )
            if not port.node_port:
                raise CcmError(
                    f"error creating LB pool member for node: {node.name}, Missing input for argument [ProtocolPort]"
                )
            body = {
                "name": serial_name(node.name, address, port.node_port),
                "protocol_port": port.node_port,
                "address": address,
            }
            state.send("POST", f"pools/{pool_id}/members", {"member": body})
        else:
            _take(unmatched, address, port.node_port)
    for member in unmatched:
        state.send("DELETE", f"pools/{pool_id}/members/{member.id}")


def _take(unmatched: list[Member], address: str, port: int) -> None:
    """Take a member out as the CCM's popMember does: the last one comes to its place."""
    place = next(at for at, member in enumerate(unmatched) if (member.address, member.port) == (address, port))
    unmatched[place] = unmatched[-1]
    del unmatched[-1]


def serial_name(node: str, address: str, port: int) -> str:
    """The name that serial calls give a member."""
    return cut(f"member_{node}_{address}_{port}")


def serial_address(node: Node) -> str:
    """The first InternalIP, else the first address of all, whatever its family."""
    if not node.addresses:
        raise CcmError(f"error getting address for node {node.name}: no address found for host")
    return next((address for kind, address in node.addresses if kind == "InternalIP"), node.addresses[0][1])


MONITOR_OF = "monitor of "
"""Prefix of the placeholder of a monitor that was created for an earlier port; its pool follows."""


def pool_after(
    state: ReconcileState,
    spec: LoadBalancerSpec,
    port: ServicePort,
    before: Pool | None,
    pool_id: str,
    name: str,
    *,
    http: bool,
) -> Pool:
    """The pool as the requests for a port leave it.

    Args:
        state: The state of the reconcile.
        spec: The load balancer spec, with the members' subnet.
        port: The port.
        before: The pool that was there and stayed; None for a new one.
        pool_id: The pool's ID, or its placeholder.
        name: The monitor's name; empty where it gets none.
        http: Whether the monitor asks the health check node port.
    """
    protocol = bodies.pool_protocol(bodies.listener_protocol(port, spec), spec)
    kind = str(bodies.monitor(port, spec, "", state.behaviours, http=http, alone=False)["type"]) if spec.monitor else ""
    kept = before is not None and not state.behaviours["updates-pool-method"]
    return Pool(
        pool_id,
        before.protocol if before is not None else protocol,
        before.method if before is not None and kept else spec.method,
        _members(state, spec, port, http=http),
        _monitor(state, spec, kind, before.monitor if before is not None else None, pool_id, name),
    )


def _members(state: ReconcileState, spec: LoadBalancerSpec, port: ServicePort, *, http: bool) -> tuple[Member, ...]:
    if state.options.serial:
        addresses = [(node.name, serial_address(node)) for node in state.nodes]
        return tuple(
            Member("{member}", address, port.node_port, serial_name(node, address, port.node_port))
            for node, address in addresses
        )
    check = spec.check_port if http else 0
    return tuple(
        Member("{member}", str(member["address"]), port.node_port, str(member["name"]), check)
        for member in bodies.members(port, state.nodes, spec, check, state.behaviours, alone=True)
    )


def _monitor(
    state: ReconcileState, spec: LoadBalancerSpec, kind: str, before: Monitor | None, pool_id: str, name: str
) -> Monitor | None:
    if not kind:
        return None
    if before is None or before.type != kind:
        made = f"{{{MONITOR_OF}{pool_id.strip('{}')}}}"
        return Monitor(made, kind, spec.delay, spec.timeout, spec.retries, spec.retries_down or 3, name)
    if not state.behaviours["updates-monitors"]:
        return before
    # what is 0 is not sent
    return before._replace(
        delay=spec.delay or before.delay,
        timeout=spec.timeout or before.timeout,
        max_retries=spec.retries or before.max_retries,
        max_retries_down=spec.retries_down or before.max_retries_down,
        name=name or before.name,
    )
