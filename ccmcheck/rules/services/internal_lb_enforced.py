"""An annotation that internal-lb in cloud.conf overrides.

What it does: finds `openstack-internal-load-balancer: "false"` with a cloud.conf that sets `internal-lb = true`.

Why: the author expects a floating IP, but the Service gets none.

What the CCM does: since 1.19 `internal-lb = true` makes every Service internal, whatever its annotation says; before, the annotation
took precedence.

Releases: 1.19 and newer

Fix: none; remove the annotation, or remove `internal-lb` from cloud.conf and annotate internal Services with `"true"`.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go checkService
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.service_annotations import INTERNAL
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "internal-lb-enforced",
    "An annotation that internal-lb in cloud.conf overrides",
    Severity.INFO,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/openstack-internal-load-balancer: "false"
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""
_CONF = "[LoadBalancer]\ninternal-lb = true\n"

BAD = (
    Case(_SERVICE, at=(5, 66), conf=_CONF),
    Case(_SERVICE, at=(5, 66), conf=_CONF, release="1.19", shown=False),
)
GOOD = (
    Case(_SERVICE.replace("false", "true"), conf=_CONF),
    Case(_SERVICE, conf=_CONF.replace("true", "false")),
    Case(_SERVICE, conf=_CONF + "use-octavia = true\nfloating-network-id = x\n", release="1.18"),
    Case(_SERVICE),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the annotation, then at cloud.conf."""
    given = service.annotation(INTERNAL) if service.handled else None
    if given is None or given.text != "false" or not service.behaviours["internal-is-enforced"]:
        return
    if service.config("internal-lb") is True:
        where = service.conf_name or "cloud.conf"
        yield Problem(
            given.span,
            f"has no effect: internal-lb = true in {where} takes precedence",
            "The Service gets no floating IP.",
            'Remove internal-lb from cloud.conf, and annotate the Services that are internal with "true".',
        )
