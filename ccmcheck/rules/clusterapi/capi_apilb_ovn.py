"""allowedCIDRs are ignored with ovn.

What it does: finds an OpenStackCluster whose API server has a load balancer of the provider `ovn` and `allowedCIDRs`.

Why: the API server looks restricted, but is open to every address.

What the CCM does: nothing, Cluster API manages this load balancer. Octavia's OVN driver has no access lists, so Cluster API
silently omits the addresses. Where the CCM uses `ovn` too, `loadBalancerSourceRanges` of Services
need `manage-security-groups = true` for the same reason.

Releases: all; cluster-api-provider-openstack 0.8 and newer

Fix: none; use `amphora`, or rules in a security group of the control plane.

Source: cluster-api-provider-openstack pkg/cloud/services/loadbalancer/loadbalancer.go (isAllowsCIDRSSupported),
pkg/utils/openstack/loadbalancer.go; kubernetes-sigs/cluster-api-provider-openstack#1501
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.objects.drivers import driver_of
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping, Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "capi-apilb-ovn",
    "allowedCIDRs are ignored with ovn",
    Severity.WARNING,
    per_release=False,
    kinds=("OpenStackCluster", "OpenStackClusterTemplate"),
)

_CLUSTER = """\
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata:
  name: prod
spec:
  apiServerLoadBalancer:
    enabled: true
    provider: {}
    allowedCIDRs: {}
"""
_V1BETA2 = """\
kind: OpenStackClusterTemplate
metadata:
  name: prod
spec:
  template:
    spec:
      apiServer:
        managedLoadBalancer:
          provider: ovn
          allowedCIDRs:
          - 192.0.2.0/24
"""

BAD = (
    Case(_CLUSTER.format("ovn", "[192.0.2.0/24]"), at=(9, 5)),
    Case(_V1BETA2, at=(10, 11)),
)
GOOD = (
    Case(_CLUSTER.format("amphora", "[192.0.2.0/24]")),
    Case(_CLUSTER.format("ovn", "[]")),
    Case(_CLUSTER.format("ovn", "${RESTRICT_KUBEAPI}"), template=True),
    Case(_CLUSTER.format("${PROVIDER}", "[192.0.2.0/24]"), template=True),
    Case("kind: Cluster\nspec:\n  infrastructureRef: {kind: OpenStackCluster, apiVersion: v1, name: x}\n", shown=False),
)

_BALANCERS = (("apiServerLoadBalancer",), ("apiServer", "managedLoadBalancer"))
"""Its path up to v1beta1, and since v1beta2."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the API server's load balancer."""
    path = ("spec", "template", "spec") if manifest.kind.endswith("Template") else ("spec",)
    spec = manifest.at(*path)
    for place in _BALANCERS:
        balancer = field(spec, *place)
        if (
            not isinstance(balancer, Mapping)
            or "allowed_cidrs" not in driver_of(text_of(balancer.get("provider")) or None).refuses
        ):
            continue
        key, allowed = balancer.key("allowedCIDRs"), balancer.get("allowedCIDRs")
        if key is not None and isinstance(allowed, Sequence) and allowed.items:
            yield Problem(
                key.span,
                "ignored: ovn has no access lists, so the API server is open to every address",
                "Cluster API silently omits these addresses.",
                "Use `amphora`, or close the port in the control plane's security group.",
            )
