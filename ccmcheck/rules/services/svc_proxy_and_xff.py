"""PROXY protocol together with X-Forwarded-For.

What it does: finds Services with both annotations `proxy-protocol` and `x-forwarded-for` on.

Why: the Service never gets a load balancer, or an existing one is no longer updated.

What the CCM does: it fails with `annotation loadbalancer.openstack.org/proxy-protocol and
loadbalancer.openstack.org/x-forwarded-for cannot be used together`.

Releases: 1.14 and newer

Fix: none; keep the one that the backends read. The PROXY protocol works for any protocol over TCP, X-Forwarded-For for plain HTTP
only.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go makeSvcConf, before 1.19 EnsureLoadBalancer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.rules._support.pools import FORWARDED, PROXY, has_proxy_and_forwarded
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-proxy-and-xff", "PROXY protocol together with X-Forwarded-For", Severity.ERROR, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true"
    loadbalancer.openstack.org/x-forwarded-for: "true"
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""

BAD = (
    Case(_SERVICE, at=(5, 48)),
    Case(_SERVICE.replace('protocol: "true"', "protocol: v2"), at=(5, 48)),
    Case(_SERVICE, at=(5, 48), release="1.18", shown=False),
)
GOOD = (
    Case(_SERVICE.replace('for: "true"', 'for: "false"')),
    Case(_SERVICE.replace('protocol: "true"', "protocol: v2"), release="1.30"),
    Case(_SERVICE.replace("LoadBalancer", "ClusterIP")),
    Case(_SERVICE.replace('for: "true"', 'for: "${XFF}"'), template=True),
    Case(_SERVICE.replace('for: "true"', 'for: "yes"'), shown=False),
    Case(
        _SERVICE.replace("    loadbalancer", "    {{- if .x }}\n    loadbalancer", 1).replace(
            "spec:", "    {{- end }}\nspec:"
        ),
        template=True,
        shown=False,
    ),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at both annotations."""
    if not service.handled or not has_proxy_and_forwarded(service):
        return
    proxy, forwarded = service.annotation(PROXY), service.annotation(FORWARDED)
    if proxy is None or forwarded is None:
        return
    yield Problem(
        proxy.span,
        "the CCM fails: this and x-forwarded-for cannot be used together",
        "The Service gets no load balancer, and an existing one is no longer updated.",
        "Keep the one that the backends read: PROXY for any TCP protocol, X-Forwarded-For for plain HTTP.",
        notes=(Note(forwarded.span, "the other annotation"),),
    )
