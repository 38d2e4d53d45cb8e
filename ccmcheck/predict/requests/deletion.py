"""What the CCM asks for when a Service goes, or is no longer of type LoadBalancer.

Source: cloud-provider-openstack EnsureLoadBalancerDeleted and ensureSecurityGroupDeleted, 1.17 to 1.36;
k8s.io/cloud-provider controllers/service syncLoadBalancerIfNeeded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.inputs.annotations import Annotations, CcmError
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Event, Outcome, Prediction, Request
from ccmcheck.predict.requests import bodies, groups
from ccmcheck.predict.requests.addresses import is_made_by_ccm
from ccmcheck.predict.requests.load_balancer_spec import LoadBalancerSpec, balancer_name
from ccmcheck.predict.requests.reconcile_state import ROOT

DELETING = Event("Normal", "DeletingLoadBalancer", "Deleting load balancer", by_ccm=False)
DELETED = Event("Normal", "DeletedLoadBalancer", "Deleted load balancer", by_ccm=False)
_FIRST = "kube_service_"
_GONE = ("DELETED", "PENDING_DELETE")


def follow_deletion(config: Options, service: Service, cloud: CloudState) -> Prediction:
    """Predict the deletion of a Service's load balancer.

    Args:
        config: The configuration.
        service: The Service, with the annotations that the CCM wrote.
        cloud: The state of the cloud with the load balancer.
    """
    blank = Prediction(
        service.title, config.release.name, Outcome.NOTHING, name=balancer_name(cloud.cluster_name, service)
    )
    why = config.stop or config.unsupported
    if why or service.owner:
        return blank._replace(why=why or f"spec.loadBalancerClass is {service.owner}: another implementation owns it")
    there = cloud.balancer
    if there is None or there.status in _GONE:
        return blank._replace(outcome=Outcome.ACCEPTED, events=(DELETED,))
    deletion = _Deletion(config, service, cloud)
    try:
        requests = tuple(deletion.requests(there))
    except CcmError as error:
        failed = f"Error syncing load balancer: failed to delete load balancer: {error.message}"
        return blank._replace(
            outcome=Outcome.ERROR,
            error=error.message,
            why=error.message,
            events=(DELETING, Event("Warning", "SyncLoadBalancerFailed", failed, by_ccm=False)),
        )
    return blank._replace(outcome=Outcome.ACCEPTED, requests=requests, events=(DELETING, DELETED))


class _Deletion:
    """The requests of one deletion."""

    def __init__(self, config: Options, service: Service, cloud: CloudState) -> None:
        self._config = config
        self._service = service
        self._cloud = cloud
        self._behaviours = behaviours_of(config.release)
        self._annotations = Annotations(service.annotations, self._behaviours)
        self._name = balancer_name(cloud.cluster_name, service)

    def requests(self, there: Balancer) -> Iterator[Request]:
        """All requests, in order.

        Raises:
            CcmError: The CCM ends here.
        """
        if self._behaviours["tags-and-shares"] and there.status not in ("ACTIVE", "ERROR"):
            raise CcmError(
                f"load balancer {there.id} is in immutable status, current provisioning status: {there.status}"
            )
        whole = self._is_whole(there)
        if whole and not self._annotations.switch("keep-floatingip", False):
            yield from self._floating_ip(there)
        yield from self._balancer(there, whole=whole)
        if not whole and self._name in there.tags:
            left = [tag for tag in there.tags if tag != self._name] or [""]
            yield _octavia("PUT", f"loadbalancers/{there.id}", {"loadbalancer": {"tags": left}})
        if self._config.manage_security_groups or self._behaviours["groups-deleted-when-off"]:
            group = self._cloud.group
            if group is not None and not self._behaviours["managed-groups-do-nothing"]:
                yield from groups.deletion(group)

    def _is_whole(self, there: Balancer) -> bool:
        """Whether the load balancer itself goes: it is the CCM's, and no other Service uses it."""
        if not self._behaviours["tags-and-shares"]:
            return True
        shared = any(tag != self._name and tag.startswith(_FIRST) for tag in there.tags)
        return there.name.startswith(_FIRST) and not shared

    def _floating_ip(self, there: Balancer) -> Iterator[Request]:
        known = self._cloud.floating_ips or {}
        floating_ip = self._cloud.floating_ip or next((p for p in known.values() if p.port == there.port), None)
        if floating_ip is None:
            return
        if self._behaviours["deletes-any-floating-ip"] or is_made_by_ccm(floating_ip):
            yield Request("DELETE", f"/v2.0/floatingips/{floating_ip.id}", None, "neutron")

    def _balancer(self, there: Balancer, *, whole: bool) -> Iterator[Request]:
        cascades = self._config.cascade_delete or not self._behaviours["service-config"]
        if whole and cascades:
            yield _octavia("DELETE", f"loadbalancers/{there.id}?cascade=true")
            return
        listeners = there.listeners if whole else tuple(self._own(there.listeners))
        pools = [listener.pool for listener in listeners if listener.pool is not None]
        for pool in pools:
            if pool.monitor is not None:
                yield _octavia("DELETE", f"healthmonitors/{pool.monitor.id}")
        singly = self._behaviours["deletes-members-and-pools"]
        for pool in pools if singly else ():
            for member in pool.members:
                yield _octavia("DELETE", f"pools/{pool.id}/members/{member.id}")
            yield _octavia("DELETE", f"pools/{pool.id}")
        for listener in listeners:
            if listener.pool is not None and not singly:
                yield _octavia("DELETE", f"pools/{listener.pool.id}")
            yield _octavia("DELETE", f"listeners/{listener.id}")
        if whole:
            yield _octavia("DELETE", f"loadbalancers/{there.id}")

    def _own(self, listeners: tuple[Listener, ...]) -> Iterator[Listener]:
        """The Service's own listeners on a shared load balancer."""
        tls = self._annotations.text("default-tls-container-ref", self._config.default_tls_container_ref)
        forwarded = self._annotations.switch("x-forwarded-for", False)
        spec = LoadBalancerSpec(self._name, tls=tls, forwarded=forwarded)
        by_key = {(listener.protocol, listener.port): listener for listener in listeners}
        for port in self._service.ports:
            listener = by_key.get((bodies.listener_protocol(port, spec), port.port))
            if listener is not None and self._name in listener.tags:
                yield listener


def _octavia(method: str, path: str, body: dict[str, object] | None = None) -> Request:
    return Request(method, f"{ROOT}/{path}", body)
