"""A port of a Service that the release, the in-tree provider or the platform cannot balance.

What it does: finds a port with another protocol than TCP where the cloud.conf is read by the provider inside Kubernetes, or by a
CCM before 1.17, and one that the platform refuses by a profile's fact `refused-protocols`.

Why: the Service gets no load balancer: every attempt ends with an error, and it stays pending.

What the CCM does: it ends the reconciliation with `only TCP LoadBalancer is supported for openstack load balancers`, before it
requests anything. From 1.17 on, the CCM creates listeners for UDP and SCTP; the in-tree provider never did, up to its last
release, Kubernetes 1.25.

Releases: up to 1.16; all of the in-tree provider

Fix: by hand: move to the CCM, or publish the port in another way.

Source: k8s.io/legacy-cloud-providers v0.17.0 to v0.25.0 openstack/openstack_loadbalancer.go EnsureLoadBalancer;
cloud-provider-openstack v1.16.0 pkg/cloudprovider/providers/openstack/openstack_loadbalancer.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-protocol-tcp-only",
    "A port that the in-tree provider or an old CCM cannot balance",
    Severity.ERROR,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: dns
spec:
  type: LoadBalancer
  selector:
    app: dns
  ports:
  - port: 53
    protocol: {}
"""
_CONF = "[LoadBalancer]\nuse-octavia = true\n"
_IN_TREE = RunContext(in_tree=frozenset({""}))
_REFUSED = RunContext(facts=ClusterFacts(refused_protocols=("UDP",)))

BAD = (
    Case(_SERVICE.format("UDP"), at=(10, 15), run_context=_IN_TREE),
    Case(_SERVICE.format("UDP"), at=(10, 15), conf=_CONF, release="v1.16.0"),
    Case(_SERVICE.format("SCTP"), at=(10, 15), run_context=_IN_TREE, shown=False),
    Case(_SERVICE.format("UDP"), at=(10, 15), run_context=_REFUSED, shown=False),
)
GOOD = (
    Case(_SERVICE.format("TCP"), run_context=_IN_TREE),
    Case(_SERVICE.format("TCP"), run_context=_REFUSED, shown=False),
    Case(_SERVICE.format("UDP"), conf=_CONF, release="v1.17.0"),
    Case(_SERVICE.format("UDP"), shown=False),
    Case(_SERVICE.format("UDP").replace("  selector:\n    app: dns\n", ""), run_context=_IN_TREE, shown=False),
    Case(_SERVICE.format("UDP"), conf=_CONF, run_context=_IN_TREE, shown=False),
    Case(_SERVICE.format("UDP").replace("type: LoadBalancer", "type: ClusterIP"), run_context=_IN_TREE, shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look for a port of another protocol."""
    if not service.handled or service.is_partial:
        return
    refused = service.service.refused_port(service.run_context.facts.refused_protocols)
    if refused is not None:
        yield Problem(
            service.span_of("spec", "ports", service.service.ports.index(refused), "protocol"),
            f"the platform makes no load balancer for {refused.protocol}; this Service stays pending",
            "The profile says so.",
            "Publish the port in another way, such as a NodePort.",
        )
        return
    if service.is_in_tree:
        reader, first = "the in-tree provider", "v1.17.0 of the cloud-controller-manager"
    elif service.confs and not service.behaviours["other-than-tcp"]:
        reader, first = f"the CCM {service.release.name}", "v1.17.0"
    else:
        return
    for number, port in enumerate(service.service.ports):
        if port.protocol in ("UDP", "SCTP"):
            yield Problem(
                service.span_of("spec", "ports", number, "protocol"),
                f"{reader} makes load balancers for TCP alone; this Service gets none",
                "Every attempt ends with `only TCP LoadBalancer is supported for openstack load balancers`.",
                f"{port.protocol} works from {first} on.",
            )
            return
