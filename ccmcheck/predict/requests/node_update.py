"""What the CCM does when the nodes change: UpdateLoadBalancer looks at members, monitors and the security group only.

Source: cloud-provider-openstack checkServiceUpdate and updateOctaviaLoadBalancer at every tag since 1.23.
"""

from __future__ import annotations

from ccmcheck.predict.inputs.annotations import CcmCrash, CcmError
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState
from ccmcheck.predict.inputs.nodes import handed_over
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Event, Outcome, Prediction
from ccmcheck.predict.requests import bodies, groups
from ccmcheck.predict.requests.bodies import PartNames
from ccmcheck.predict.requests.calls import Calls
from ccmcheck.predict.requests.load_balancer_spec import balancer_name, derive_node_update_spec
from ccmcheck.predict.requests.notes import Notes


def reconcile_nodes(config: Options, service: Service, cloud: CloudState) -> tuple[Prediction, Calls | None]:
    """What a change of nodes makes the CCM do if OpenStack takes everything; no calls where it asks for nothing.

    Args:
        config: The configuration.
        service: The Service, with the annotations that the CCM wrote.
        cloud: The state of the cloud with the load balancer, and the nodes after the change.
    """
    behaviours = behaviours_of(config.release)
    blank = Prediction(
        service.title, config.release.name, Outcome.NOTHING, name=balancer_name(cloud.cluster_name, service)
    )
    why = config.stop or config.unsupported
    if why or service.owner or service.type != "LoadBalancer":
        return blank._replace(why=why or "the CCM makes no load balancer for it"), None
    grouped = config.manage_security_groups and not behaviours["managed-groups-do-nothing"]
    if not behaviours["tags-and-shares"] or (grouped and not behaviours["groups-deleted-when-off"]):
        why = "what this release does when nodes change is not predicted"
        return blank._replace(outcome=Outcome.UNKNOWN, why=why), None
    notes = Notes()
    calls = None
    cloud = cloud._replace(nodes=handed_over(cloud.nodes, config.release))
    try:
        spec = derive_node_update_spec(config, service, cloud, notes)
        calls = Calls(config, service, cloud, spec, notes)
        _update(calls, grouped=grouped)
    except CcmError as error:
        crash = isinstance(error, CcmCrash)
        return blank._replace(
            outcome=Outcome.ERROR,
            requests=tuple(notes.requests),
            error=error.message,
            why=f"the CCM crashes: {error.message}" if crash else error.message,
            events=() if crash else (*notes.events, update_failed(error.message)),
        ), calls
    accepted = blank._replace(outcome=Outcome.ACCEPTED, requests=tuple(notes.requests), events=tuple(notes.events))
    return accepted, calls


def update_failed(error: str) -> Event:
    """The service controller's event for a change of nodes that ends with an error."""
    message = f"Error updating load balancer with new hosts …: {error}"
    return Event("Warning", "UpdateLoadBalancerFailed", message, by_ccm=False)


def _update(calls: Calls, *, grouped: bool) -> None:
    spec, service = calls.spec, calls.service
    before = _found(calls)
    # parts are named after the load balancer, which is another Service's where it is shared
    names = PartNames(before.name, calls.behaviours, whole=False)
    listeners = {(listener.protocol, listener.port): listener for listener in before.listeners}
    pools = {listener.id: listener.pool for listener in before.listeners}
    for index, port in enumerate(service.ports):
        listener = listeners.get((bodies.listener_protocol(port, spec), port.port))
        if listener is None:
            raise CcmError(
                f"loadbalancer {before.id} does not contain required listener for port {port.port} and protocol "
                f"{port.protocol}"
            )
        listener = listener._replace(pool=pools[listener.id])
        monitors = calls.behaviours["node-changes-sync-monitors"]
        # a later port may have the same listener: all are HTTP or TCP underneath
        pools[listener.id] = calls.ensure_pool_parts(index, port, listener, names, monitors=monitors)
    if grouped:
        groups.ensure_group(calls, f"failed to update Security Group for loadbalancer service {service.title}")


def _found(calls: Calls) -> Balancer:
    before, wanted = calls.cloud.balancer, calls.spec.balancer_id
    if before is None or (wanted and before.id != wanted):
        raise CcmError(
            f"failed to get load balancer {wanted}: Resource not found" if wanted else "failed to find object"
        )
    calls.check_active(before)
    return before
