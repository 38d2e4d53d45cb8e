"""A load balancer without members because there are no NodePorts.

What it does: finds `allocateLoadBalancerNodePorts: false` on a Service with ports that have no `nodePort` of their own.

Why: the load balancer has an address but no members.

What the CCM does: the members of its pools are the NodePorts of the nodes. Since 1.26 it creates none for a port without a NodePort;
before, the reconcile fails with `Missing input for argument [ProtocolPort]`.

An information where nothing in the run says that the CCM makes the load balancer: others, such as MetalLB and Cilium, need no NodePorts.

Releases: 1.14 and newer

Fix: removes the field.

Fix safety: unsafe because NodePorts are opened on every node

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go buildBatchUpdateMemberOpts;
kubernetes/cloud-provider-openstack#1988
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-no-nodeports",
    "A load balancer without members because there are no NodePorts",
    Severity.WARNING,
    kinds=("Service",),
)

_ALONE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  allocateLoadBalancerNodePorts: false
  ports:
  - port: 80
"""
_SERVICE = _ALONE.replace(
    "  name: web\n", "  name: web\n  annotations: {loadbalancer.openstack.org/enable-health-monitor: 'true'}\n"
)
_WITHOUT = _ALONE.replace("  allocateLoadBalancerNodePorts: false\n", "")
_FIXED = _SERVICE.replace("  allocateLoadBalancerNodePorts: false\n", "")

BAD = (
    Case(_SERVICE, at=(7, 34), fixed=_FIXED, unsafe=True),
    Case(_SERVICE, at=(7, 34), fixed=_FIXED, unsafe=True, release="1.25", severity=Severity.ERROR),
    Case(
        _SERVICE + "  - port: 443\n    name: tls\n    nodePort: 30443\n",
        at=(7, 34),
        fixed=_FIXED + "  - port: 443\n    name: tls\n    nodePort: 30443\n",
        unsafe=True,
        shown=False,
    ),
    Case(_ALONE, at=(6, 34), fixed=_WITHOUT, unsafe=True, severity=Severity.INFO, release="1.25", shown=False),
    Case(
        _ALONE,
        at=(6, 34),
        fixed=_WITHOUT,
        unsafe=True,
        conf="[LoadBalancer]\nlb-provider=amphora\n",
        shown=False,
    ),
)
GOOD = (
    Case(_SERVICE + "    nodePort: 30080\n"),
    Case(_SERVICE.replace("false", "true")),
    Case(_SERVICE + "  loadBalancerClass: io.cilium/l2-announcer\n"),
    Case(_SERVICE.replace("false", "${ALLOCATE}"), template=True),
    Case(_SERVICE + "    nodePort: ${PORT}\n", template=True, shown=False),
)

_FIELD = "allocateLoadBalancerNodePorts"


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the field, then for ports without a NodePort."""
    if not service.is_taken_for_ours or service.service.allocates or not service.is_settled:
        return
    without = [port for port in service.service.ports if not port.node_port]
    if not without or any(one.endswith(".nodePort") for one in service.service.open):
        return
    skips = service.behaviours["skips-port-zero"]
    named = ", ".join(f"{port.port}/{port.protocol}" for port in without[:3]) + (" …" if len(without) > 3 else "")
    yield Problem(
        service.span_of("spec", _FIELD),
        f"no NodePort, so the load balancer has no members for {named}"
        if skips
        else "no NodePort, so the CCM fails to reconcile the Service",
        "The load balancer only reaches nodes by their NodePorts."
        if skips
        else "The error is `Missing input for argument [ProtocolPort]`.",
        "Remove the field, or give every port a `nodePort`.",
        yaml_fixes.unsafe(service.manifest, "remove the field", service_fixes.remove_field(service, "spec", _FIELD)),
        severity=(None if skips else Severity.ERROR) if service.is_surely_ours else Severity.INFO,
    )
