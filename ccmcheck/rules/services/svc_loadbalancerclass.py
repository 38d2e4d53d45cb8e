"""A Service that the CCM ignores because of loadBalancerClass.

What it does: finds `spec.loadBalancerClass` on a Service that seems intended for the CCM: with annotations of the CCM, or with the name
of a class of cloud.conf, OpenStack or Octavia in the field.

Why: the Service stays pending unless another controller implements that class.

What the CCM does: it ignores a Service with this field, whatever its value. Its own classes, [LoadBalancerClass "name"], are
selected by the annotation `loadbalancer.openstack.org/class`.

Releases: all

Fix: by hand: delete the field; it is immutable, so the Service must be deleted and created again.

Source: k8s.io/cloud-provider controllers/service/controller.go wantsLoadBalancer; kubernetes/cloud-provider-openstack#2598
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.service_annotations import PREFIX, annotation
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-loadbalancerclass",
    "A Service that the CCM ignores because of loadBalancerClass",
    Severity.INFO,
    kinds=("Service",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
  loadBalancerClass: {}
  ports:
  - port: 80
"""
_ANNOTATED = _SERVICE.replace("spec:", '  annotations:\n    loadbalancer.openstack.org/keep-floatingip: "true"\nspec:')

BAD = (
    Case(_SERVICE.format("openstack.org/octavia"), at=(6, 22)),
    Case(_ANNOTATED.format("example.com/internal"), at=(8, 22)),
    Case(_SERVICE.format("dmz"), at=(6, 22), conf='[LoadBalancerClass "dmz"]\nsubnet-id = x\n'),
)
GOOD = (
    Case(_SERVICE.format("io.cilium/l2-announcer")),
    Case(_SERVICE.format("service.k8s.aws/nlb"), conf='[LoadBalancerClass "dmz"]\nsubnet-id = x\n'),
    Case(_SERVICE.replace("  loadBalancerClass: {}\n", "")),
    Case(_SERVICE.format("${CLASS}"), template=True),
    Case(_SERVICE.format("dmz").replace("LoadBalancer\n", "NodePort\n"), shown=False),
)

_OURS = ("openstack", "octavia")


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the field, then for evidence that the Service is intended for the CCM."""
    owner = service.service.owner
    if not owner or service.service.type != "LoadBalancer" or "spec.loadBalancerClass" in service.service.open:
        return
    classes = service.options.classes if service.options is not None else {}
    annotations = [name for name in service.annotations if name.startswith(PREFIX) or annotation(name) is not None]
    if not annotations and owner not in classes and not any(word in owner.lower() for word in _OURS):
        return
    named = f"`{PREFIX}class: {owner}`" if owner in classes else ""
    yield Problem(
        service.span_of("spec", "loadBalancerClass"),
        "the CCM ignores a Service with this field, whatever its value",
        "The Service stays pending unless another controller implements this class."
        + (f" The annotation {annotations[0]} has no effect." if annotations else ""),
        f"Remove the field and set the annotation {named}."
        if named
        else "Remove the field, if the Service is intended for the CCM.",
    )
