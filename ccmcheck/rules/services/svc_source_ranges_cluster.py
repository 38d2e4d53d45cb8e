"""Source ranges that exclude the cluster's own networks.

What it does: finds `loadBalancerSourceRanges`, or the annotation with the same meaning, without the networks of the pods and nodes,
where a profile has these.

Why: pods that use the Service's public name get no answer: self-checks of an ingress, cert-manager, webhooks.

What the CCM does: it publishes the address with `ipMode: VIP`, so kube-proxy handles connections from inside the cluster on
the node, and applies the ranges to them. With the PROXY protocol they leave the cluster (Kubernetes and CCM 1.30).

Releases: all

Fix: appends the networks.

Fix safety: unsafe because it allows access from these networks

Source: Kubernetes pkg/proxy (KUBE-FW chains), KEP-1860; docs of MetaKube
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules._support.source_ranges import missing, source_ranges
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.service_view import ServiceView
    from ccmcheck.rules._support.source_ranges import SourceRanges

META = Meta(
    "svc-source-ranges-cluster",
    "Source ranges that exclude the cluster's own networks",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cluster's networks",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  loadBalancerSourceRanges:
  - 192.0.2.0/24
  ports:
  - port: 80
"""
_ANNOTATED = """\
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/load-balancer-source-ranges: 192.0.2.0/24
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""
_NETWORKS = RunContext(facts=ClusterFacts(pod_cidrs=("10.244.0.0/16", "fd00:1::/56"), node_cidrs=("10.8.0.0/20",)))

BAD = (
    Case(
        _SERVICE,
        at=(6, 3),
        fixed=_SERVICE.replace("/24\n", "/24\n  - 10.244.0.0/16\n  - 10.8.0.0/20\n"),
        unsafe=True,
        run_context=_NETWORKS,
    ),
    Case(
        _ANNOTATED,
        at=(5, 61),
        fixed=_ANNOTATED.replace("192.0.2.0/24", '"192.0.2.0/24,10.244.0.0/16,10.8.0.0/20"'),
        unsafe=True,
        run_context=_NETWORKS,
    ),
    Case(
        _SERVICE.replace("/24\n", "/24\n  - 10.0.0.0/9\n"),
        at=(6, 3),
        fixed=_SERVICE.replace("/24\n", "/24\n  - 10.0.0.0/9\n  - 10.244.0.0/16\n"),
        unsafe=True,
        run_context=_NETWORKS,
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE.replace("/24\n", "/24\n  - 10.0.0.0/8\n"), run_context=_NETWORKS),
    Case(_SERVICE.replace("192.0.2.0/24", "0.0.0.0/0"), run_context=_NETWORKS),
    Case(_SERVICE),
    Case(
        _SERVICE.replace("spec:", '  annotations:\n    loadbalancer.openstack.org/proxy-protocol: "true"\nspec:'),
        run_context=_NETWORKS,
    ),
    Case(_SERVICE.replace("192.0.2.0/24", "${RANGE}"), template=True, run_context=_NETWORKS, shown=False),
    Case(_SERVICE.replace("192.0.2.0/24", "2001:db8::/32\n  - fd00::/8"), run_context=_NETWORKS, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Compare the ranges with the networks of a profile."""
    facts = service.run_context.facts
    networks = (*facts.pod_cidrs, *facts.node_cidrs)
    if not networks or not service.is_ours or not service.is_settled or service.proxy != "":
        return
    ranges = source_ranges(service)
    excluded = missing(networks, ranges.ranges) if ranges.restricts else ()
    if excluded:
        yield Problem(
            ranges.span,
            f"excludes {' and '.join(excluded)}",
            "kube-proxy also applies the ranges to connections from inside the cluster: pods cannot reach this Service by its "
            "public address.",
            f"Append {' and '.join(f'`{network}`' for network in excluded)}.",
            _fix(service, ranges, excluded),
        )


def _fix(service: ServiceView, ranges: SourceRanges, excluded: tuple[str, ...]) -> Fix | None:
    title = f"append {', '.join(excluded)}"
    manifest = service.manifest
    if ranges.in_spec:
        node = service.pair_at("spec", "loadBalancerSourceRanges")[1]
        if not isinstance(node, Sequence):
            return None
        return yaml_fixes.unsafe(
            manifest, title, *(yaml_fixes.insert_item(manifest, node, network) for network in excluded)
        )
    given = ranges.given
    if given is None or not isinstance(given.node, Scalar):
        return None
    edit = service_fixes.replace(manifest, given.node, ",".join(((given.text or "").rstrip(", "), *excluded)))
    return yaml_fixes.unsafe(manifest, title, edit)
