"""The state of a pool after the requests for a port: a later port of the Service may get the same listener.

With X-Forwarded-For and TLS, TCP and UDP on one port become the same listener. The CCM looks up pools, members and
monitors again for each port, but uses the listeners as they were at the start.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.cloud_state import Member, Monitor, Pool
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.requests import bodies
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec
from ccmcheck.predict.requests.members import serial_address, serial_name
from ccmcheck.predict.requests.reconcile_state import ReconcileState

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
