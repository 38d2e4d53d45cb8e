"""An annotation for the CCM on a workload instead of its Service.

What it does: finds annotations that the CCM reads on Services, on a Deployment, DaemonSet, StatefulSet or Pod, or in its pod
template.

Why: the load balancer is made without the setting. One that should be internal gets a floating IP and is public.

What the CCM does: it never looks at workloads. It reads `metadata.annotations` of Services of type LoadBalancer alone.

Releases: all; the in-tree provider, too

Fix: by hand: move the annotation to the Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go getStringFromServiceAnnotation; kubernetes/cloud-provider
controllers/service/controller.go, whose informer is one of Services
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import service_annotations
from ccmcheck.rules.base import Case, Meta
from ccmcheck.rules.registry import PODS_AND_CONTROLLERS
from ccmcheck.yamlio import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "annotation-misplaced",
    "An annotation for the CCM on a workload instead of its Service",
    Severity.WARNING,
    per_release=False,
    kinds=PODS_AND_CONTROLLERS,
)

_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    {}
spec:
  template:
    metadata:
      annotations:
        {}
"""
_INTERNAL = 'service.beta.kubernetes.io/openstack-internal-load-balancer: "true"'
_OTHER = "example.net/owner: web"

BAD = (
    Case(_DEPLOYMENT.format(_INTERNAL, _OTHER), at=(6, 5)),
    Case(_DEPLOYMENT.format(_OTHER, "loadbalancer.openstack.org/keep-floatingip: 'true'"), at=(11, 9)),
)
GOOD = (
    Case(_DEPLOYMENT.format(_OTHER, _OTHER)),
    Case(_DEPLOYMENT.format(_INTERNAL, _OTHER).replace("Deployment", "Service"), shown=False),
    Case(_DEPLOYMENT.format(_INTERNAL, _OTHER).replace("Deployment", "Gateway"), shown=False),
    Case(_DEPLOYMENT.format("{{ .Values.name }}: x", _OTHER), template=True, shown=False),
)

_PLACES = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look through the annotations of the workload and of its pods."""
    for place in _PLACES:
        annotations = manifest.at(*place)
        for key, _ in annotations.items if isinstance(annotations, Mapping) else ():
            if service_annotations.annotation(key.value) is not None:
                yield Problem(
                    key.span,
                    f"the CCM reads `{key.value}` on Services alone; on a {manifest.kind} it does nothing",
                    "The load balancer is made as if it were not there.",
                    "Move it to `metadata.annotations` of the Service.",
                )
