"""A load balancer that another cluster may have made.

What it does: finds Services of a running cluster whose `load-balancer-id` somebody else than the CCM wrote, by `managedFields`,
where no other Service of the cluster has that load balancer. Where `cluster lint --octavia` shows that another cluster has it,
`svc-octavia-other-cluster` says so instead.

Why: a Service that was copied from another cluster, with the annotation that its CCM wrote, makes the second CCM take the
first one's load balancer: both replace its members at every reconcile, and deleting either Service deletes it.

What the CCM does: it uses the load balancer with that ID, whoever made it. Since v1.29.1 it renames it after its own cluster
where the name has another cluster's, and then owns it; with the same `--cluster-name` it owns it at once.

Releases: 1.23 and newer

Fix: none; remove the annotation if the load balancer was not made for this Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go and loadbalancer_rename.go;
kubernetes/cloud-provider-openstack#2241, #2571, #3102
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveBalancer, LiveCluster, LiveService
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-foreign-balancer",
    "A load balancer that another cluster may have made",
    Severity.INFO,
    kinds=("Service",),
)

_ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
_SERVICE = f"""\
kind: Service
metadata:
  name: web
  namespace: shop
  uid: 5e1f
  annotations:
    loadbalancer.openstack.org/load-balancer-id: {_ID}
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""


def _run(manager: str, sharing: int = 0, adoption: str | None = None) -> RunContext:
    service = LiveService(balancer=_ID if manager else "", manager=manager, sharing=sharing)
    balancers = {}
    if adoption is not None:
        balancers["Service shop/web"] = LiveBalancer("Service shop/web", _ID, "kube_service_dev_a_b", adoption=adoption)
    return RunContext(live=LiveCluster(services={"shop/web": service}, balancers=balancers))


BAD = (
    Case(_SERVICE, at=(7, 50), run_context=_run("kubectl-client-side-apply")),
    Case(_SERVICE, at=(7, 50), run_context=_run("kubectl-client-side-apply", adoption=""), shown=False),
)
GOOD = (
    Case(_SERVICE, run_context=_run("kubectl-client-side-apply", adoption="shared"), shown=False),
    Case(_SERVICE, run_context=_run("kubectl-client-side-apply", sharing=1)),
    Case(_SERVICE, run_context=_run("")),
    Case(_SERVICE),
    Case(_SERVICE, run_context=_run("kubectl-edit"), release="1.22", shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at who wrote the ID."""
    live = service.live
    annotation = service.annotation("load-balancer-id")
    if live is None or annotation is None or not service.handled or not live.balancer or live.sharing:
        return
    if _is_known_by_octavia(service):
        return
    renames = "renames it and owns it" if service.behaviours["renames"] else "uses it"
    yield Problem(
        annotation.span,
        f"was written by {live.manager}, not by this cluster's CCM",
        "No other Service of this cluster has this load balancer. If a Service of another cluster has it, this CCM "
        f"{renames}: both clusters replace its members, and deleting either Service deletes it.",
        "Remove the annotation, unless the load balancer was made for this Service.",
    )


def _is_known_by_octavia(service: ServiceView) -> bool:
    """Whether `svc-octavia-other-cluster` reports the load balancer, with what Octavia has of it."""
    cluster = service.run_context.live
    balancer = cluster.balancers.get(service.manifest.subject) if cluster is not None else None
    return balancer is not None and bool(balancer.adoption)
