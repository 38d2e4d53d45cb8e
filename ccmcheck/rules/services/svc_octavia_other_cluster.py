"""A load balancer that belongs to another cluster, too.

What it does: finds load balancers of a running cluster whose name, tags, description or members are those of another cluster.

Why: two clusters that use one load balancer overwrite each other's listeners and members, and the first one to delete its Service
deletes it for both.

What the CCM does: it finds a load balancer by its name, `kube_service_CLUSTER_NAMESPACE_NAME`, where the cluster's name is
`kubernetes` by default, or by the annotation `load-balancer-id`, which a copied Service brings with it. Since 1.29.1 it renames a
load balancer of another cluster's name, and owns it from then on.

Releases: all; renaming since 1.29.1

Fix: none; give each cluster its own `--cluster-name`, and remove the annotation `load-balancer-id` from copies

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go, loadbalancer_rename.go; kubernetes/cloud-provider-openstack#2241,
#2571, #3102
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveBalancer, LiveCluster
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-octavia-other-cluster",
    "A load balancer that belongs to another cluster, too",
    Severity.ERROR,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
"""


def _run(adoption: str, other: str = "dev") -> RunContext:
    balancer = LiveBalancer(
        "Service shop/web", "1c0d8b6e", "kube_service_dev_a_b", other_cluster=other, adoption=adoption
    )
    return RunContext(live=LiveCluster(balancers={balancer.subject: balancer}))


BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run("renamed next")),
    Case(_SERVICE, at=(3, 9), run_context=_run("shared"), shown=False),
    Case(_SERVICE, at=(3, 9), run_context=_run("was renamed"), severity=Severity.WARNING, shown=False),
    Case(_SERVICE, at=(3, 9), run_context=_run("same name", ""), shown=False),
)
GOOD = (Case(_SERVICE, run_context=_run("", "")), Case(_SERVICE))

_OWN_NAME = "Give each cluster its own --cluster-name."
_COPIED = "Remove the annotation load-balancer-id, which came with a copied Service, so that it gets its own."
_WORDS = {
    "renamed next": ("belongs to cluster {}: the next sync renames it, and that cluster loses it", _COPIED),
    "shared": ("belongs to cluster {}, too", _COPIED),
    "was renamed": (
        "was made by cluster {}, and renamed since",
        "If that is another cluster and not an earlier name of this one, it has lost it: create its Service again there.",
    ),
    "same name": (
        "has members, and none of them is a node of this cluster: another cluster has the same name",
        _OWN_NAME,
    ),
}


def check(service: ServiceView) -> Iterator[Problem]:
    """Report how the load balancer came to two clusters."""
    live = service.run_context.live
    balancer = live.balancers.get(service.manifest.subject) if live is not None else None
    if balancer is None or balancer.adoption not in _WORDS:
        return
    label, help_ = _WORDS[balancer.adoption]
    yield Problem(
        service.span_of("metadata", "name"),
        f"load balancer {balancer.id} {label.format(balancer.other_cluster)}",
        f"Its name is {balancer.name}." if balancer.name else "",
        help_,
        severity=Severity.WARNING if balancer.adoption == "was renamed" else None,
    )
