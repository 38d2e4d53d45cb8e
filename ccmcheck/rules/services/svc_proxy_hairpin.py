"""Connections from inside the cluster without a PROXY header.

What it does: finds Services with `proxy-protocol` whose status makes kube-proxy bypass the load balancer.

Why: kube-proxy sends connections from pods and nodes to the Service's address directly to a pod, bypassing the load balancer, so
they have no PROXY header. The backend returns an error: cert-manager's self-check and health checks from inside fail.

What the CCM does: it publishes the address. Since 1.30 with `ipMode: Proxy`, which Kubernetes supports since 1.30; with
`enable-ingress-hostname` or the annotation `hostname` (1.25) it publishes a hostname, and all clients use the load balancer.

Releases: 1.14 to 1.29; newer ones where `--kubernetes-version` is below 1.30

Fix: none in the Service; `enable-ingress-hostname = true` in cloud.conf (1.21 and newer), or an upgrade.

Source: kubernetes/cloud-provider-openstack#1287, #1449; kubernetes/enhancements KEP-1860
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.rules._support.pools import proxied
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-proxy-hairpin",
    "Connections from inside the cluster without a PROXY header",
    Severity.WARNING,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: ingress
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true"
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""
_CONF = "[LoadBalancer]\nlb-provider = amphora\nfloating-network-id = 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11\n"

BAD = (
    Case(_SERVICE, at=(5, 48), conf=_CONF, release="1.29"),
    Case(_SERVICE, at=(5, 48), conf=_CONF, run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.29"))),
)
GOOD = (
    Case(_SERVICE, conf=_CONF),
    Case(_SERVICE, conf=_CONF, run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.31"))),
    Case(_SERVICE, conf=_CONF + "enable-ingress-hostname = true\n", release="1.29"),
    Case(
        _SERVICE.replace("spec:", "    loadbalancer.openstack.org/hostname: ingress.example.org\nspec:"),
        conf=_CONF,
        release="1.29",
    ),
    Case(_SERVICE, release="1.29"),
    Case(_SERVICE.replace('"true"', '"false"'), conf=_CONF, release="1.29"),
    Case(_SERVICE + "      protocol: UDP\n", conf=_CONF, release="1.29", shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Report what the prediction says about connections from inside the cluster."""
    if not service.handled:
        return
    override = proxied(service)
    answer = service.answer("hairpin") if override is not None else None
    if override is None or answer is None or answer.good is not False:
        return
    remedies = ["upgrade the CCM and Kubernetes to 1.30 or newer"]
    if behaves("ingress-hostname", service.release):
        remedies.insert(0, "write `enable-ingress-hostname = true` in cloud.conf")
    if behaves("hostname-annotation", service.release):
        remedies.insert(1, "give the Service a hostname with the annotation loadbalancer.openstack.org/hostname")
    yield Problem(
        override.span,
        answer.text,
        "The backend rejects connections without the header: checks from inside the cluster fail.",
        f"{remedies[0][0].upper()}{remedies[0][1:]}{''.join(f', or {remedy}' for remedy in remedies[1:])}.",
    )
