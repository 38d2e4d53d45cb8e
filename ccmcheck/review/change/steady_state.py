"""What is there before a change, and what the CCM does to it afterwards: predictions, and the state between them."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog import release
from ccmcheck.catalog.service_annotations import BALANCER_ID, INTERNAL, PREFIX, SOURCE_RANGES
from ccmcheck.conf.target_release import CCM, TargetRelease
from ccmcheck.predict import steady
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Monitor, Pool
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.project import own_part, without
from ccmcheck.predict.records import Outcome, Prediction, Request
from ccmcheck.predict.requests.deletion import follow_deletion
from ccmcheck.predict.requests.load_balancer_spec import balancer_name
from ccmcheck.predict.requests.resulting_state import state_after
from ccmcheck.predict.steady import SteadyState, annotated_by, gone_through, with_new
from ccmcheck.workspace.deployment.record import Deployment

_SPLIT = "1.14"
"""The CCM's release whose load balancer code is the in-tree provider's."""

__all__ = [
    "IN_TREE_ANNOTATIONS", "Reconciled", "SteadyState", "delete", "gone_through", "read_as_ccm", "reconcile",
    "steady_state",
]  # fmt: skip

IN_TREE_ANNOTATIONS = frozenset({f"{PREFIX}floating-network-id", f"{PREFIX}subnet-id", INTERNAL, SOURCE_RANGES})
"""Those that the provider inside Kubernetes reads: legacy-cloud-providers openstack/openstack_loadbalancer.go."""


class Reconciled(NamedTuple):
    """The same Service after the change.

    Attributes:
        prediction: What the CCM does to the existing load balancer.
        from_scratch: What it would do if nothing existed.
        cloud: The resulting state of the cloud.
        requests: What is sent because of the change.
        orphan: Whether the load balancer that was there is not found any more, and left behind.
        broken: Whether it ends on the way, with a listener whose pool is gone or empty.
    """

    found: Prediction
    from_scratch: Prediction
    cloud: CloudState
    requests: tuple[Request, ...]
    orphan: bool = False
    broken: bool = False


def read_as_ccm(deployment: Deployment) -> Deployment:
    """A deployment of the provider inside Kubernetes as one of the CCM's release that was split from it.

    What that release asks Octavia for is the same but for the names (k8s.io/legacy-cloud-providers
    openstack/openstack_loadbalancer.go; cloud-provider-openstack v1.14.0), and for ports that are not TCP.
    """
    if deployment.judged.consumer != IN_TREE:
        return deployment
    return deployment._replace(judged=TargetRelease(CCM, release(_SPLIT), deployment.judged.source))


def in_tree_name(service: Service) -> str:
    """What the provider inside Kubernetes calls a load balancer, and the CCM looks for where there is none of its own.

    Source: k8s.io/cloud-provider cloud.go DefaultLoadBalancerName.
    """
    return f"a{service.uid or 'UID'}".replace("-", "")[:32]


def _in_tree(config: Options, service: Service, cloud: CloudState) -> SteadyState:
    """What the provider inside Kubernetes made: no tags and no annotations, and names of its own."""
    if any(port.protocol != "TCP" for port in service.ports):
        why = "only TCP LoadBalancer is supported for openstack load balancers"
        refused = predict(config, service._replace(ports=()), cloud)._replace(outcome=Outcome.ERROR, error=why, why=why)
        return SteadyState(refused, refused, cloud, {}, in_tree=True)
    known = {name: value for name, value in service.annotations.items() if name in IN_TREE_ANNOTATIONS}
    made = predict(config, service._replace(annotations=known), cloud)
    there = with_new(made, cloud, config.lb_provider)
    if there.balancer is not None:
        name = in_tree_name(service)
        listeners = tuple(
            one._replace(
                name=f"listener_{name}_{at}", pool=one.pool and one.pool._replace(monitor=_renamed(one.pool, name, at))
            )
            for at, one in enumerate(there.balancer.listeners)
        )
        there = there._replace(balancer=there.balancer._replace(name=name, listeners=listeners))
    return SteadyState(made, made, there, {}, in_tree=True)


def _renamed(pool: Pool, name: str, at: int) -> Monitor | None:
    return pool.monitor and pool.monitor._replace(name=f"monitor_{name}_{at}")


def steady_state(config: Options, service: Service, cloud: CloudState, *, in_tree: bool = False) -> SteadyState:
    """Work out what is there before a change."""
    return _in_tree(config, service, cloud) if in_tree else steady.steady_state(config, service, cloud)


def reconcile(
    config: Options, service: Service, cloud: CloudState, before: SteadyState | None, shared: CloudState | None = None
) -> Reconciled:
    """Work out what the CCM does after a change.

    Args:
        config: The configuration after.
        service: The Service after.
        cloud: The cloud after.
        before: What is there; None where the Service is new.
        shared: The cloud with the load balancer that other Services have, too; None for none.
    """
    if shared is not None and shared.balancer is None:
        shared = None  # it went with the last one that had it
    if shared is not None:
        alone = without(shared, service)
        if alone.balancer is not None:
            cloud = cloud._replace(balancer=alone.balancer, balancers_known=True, floating_ip=alone.floating_ip)
    from_scratch = predict(config, service, cloud)
    there = cloud if before is None else before.cloud
    existing = there.balancer if shared is None else shared.balancer
    if before is None or there.balancer is None or existing is None:
        after = with_new(from_scratch, cloud, config.lb_provider)
        if cloud.balancer is not None:
            after = own_part(after, service)
        return Reconciled(from_scratch, from_scratch, after, from_scratch.sent if after.balancer is not None else ())
    there = there._replace(balancer=existing, floating_ip=(shared or there).floating_ip)
    annotated = annotated_by(service, before.written)
    by_id = BALANCER_ID in annotated.annotations and behaviours_of(config.release)["tags-and-shares"]
    if not by_id and existing.name not in (balancer_name(cloud.cluster_name, service), in_tree_name(service)):
        return Reconciled(
            from_scratch,
            from_scratch,
            with_new(from_scratch, cloud, config.lb_provider),
            from_scratch.sent,
            orphan=True,
        )
    around = cloud._replace(balancer=there.balancer, floating_ip=there.floating_ip, group=there.group)
    found = predict(config, annotated, around)
    after = gone_through(found, around, config.lb_provider)
    if shared is not None:
        after = own_part(after, service)
    done = found.outcome is Outcome.ACCEPTED and not found.refusals
    # the CCM's own annotation triggers a second reconcile, by the ID: then the name decides who owns the load balancer
    second = predict(config, annotated_by(service, dict(found.written)), after) if before.in_tree and done else found
    return Reconciled(
        found if second.outcome is Outcome.ACCEPTED and not second.refusals else second,
        from_scratch,
        after,
        found.sent if before.in_tree else _besides(found.sent, before.kept.requests),
        broken=not done and _is_broken(after.balancer, nodes_known=cloud.nodes is not None),
    )


def delete(
    config: Options, service: Service, before: SteadyState, shared: CloudState | None = None
) -> tuple[Prediction, CloudState]:
    """Work out what the CCM asks for when the Service goes, and what is there of a shared load balancer afterwards.

    Args:
        config: The configuration.
        service: The Service, as it was.
        before: What is there.
        shared: See `reconcile`.
    """
    there = before.cloud
    if shared is not None and there.balancer is not None:
        there = there._replace(balancer=shared.balancer, floating_ip=shared.floating_ip)
    deletion = follow_deletion(config, annotated_by(service, before.written), there)
    return deletion, state_after(deletion.sent, there, config.lb_provider)


def _besides(sent: tuple[Request, ...], always: tuple[Request, ...]) -> tuple[Request, ...]:
    """What is sent beyond what every reconcile sends."""
    left = list(always)
    found = []
    for request in sent:
        if request in left:
            left.remove(request)
        else:
            found.append(request)
    return tuple(found)


def _is_broken(balancer: Balancer | None, *, nodes_known: bool) -> bool:
    if balancer is None:
        return False
    return any(listener.pool is None or (nodes_known and not listener.pool.members) for listener in balancer.listeners)
