"""An address of another kind than the configuration gives.

What it does: compares the status of a Service of a running cluster with the prediction: an IP or a hostname, and `ipMode`.

Why: the CCM has no periodic reconcile. A changed cloud.conf, annotation or release reaches a Service at its next change, or at
the CCM's restart; until then clients, and kube-proxy by `ipMode`, use what was published before.

What the CCM does: it publishes a hostname for PROXY protocol with enable-ingress-hostname, or for the annotation; since 1.30
`ipMode` Proxy for PROXY protocol, else VIP.

Releases: all; `ipMode` 1.30 and newer

Fix: none; what triggers a reconcile is any change of the Service.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go (createLoadBalancerStatus); KEP-1860
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster, LiveConfig, LiveService
from ccmcheck.objects.live_status import status_difference
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta(
    "svc-status-differs",
    "An address of another kind than the configuration gives",
    Severity.INFO,
    kinds=("Service",),
    needs=("the cloud.conf",),
)

_SERVICE = """\
kind: Service
metadata:
  name: web
  namespace: shop
  uid: 5e1f
  annotations:
    loadbalancer.openstack.org/proxy-protocol: "true"
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""
_PLAIN = "[LoadBalancer]\nsubnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\n"
_CONF = f"{_PLAIN}enable-ingress-hostname = true\n"


def _run(*address: str, use: str = "") -> RunContext:
    service = LiveService(((*address,),))  # type: ignore[arg-type]  # three texts
    configs = (LiveConfig("Secret kube-system/cloud-config", "cloud.conf", use=use),)
    return RunContext(live=LiveCluster(configs, {"shop/web": service}))


BAD = (
    Case(_SERVICE, at=(3, 9), run_context=_run("192.0.2.7", "", "VIP"), conf=_CONF),
    Case(_SERVICE, at=(3, 9), run_context=_run("", "192.0.2.7.nip.io", ""), conf=_PLAIN),
    Case(_SERVICE, at=(3, 9), run_context=_run("192.0.2.7", "", "VIP"), conf=_PLAIN, shown=False),
)
GOOD = (
    Case(_SERVICE, run_context=_run("", "192.0.2.7.nip.io", ""), conf=_CONF),
    Case(_SERVICE, run_context=_run("192.0.2.7", "", "Proxy"), conf=_PLAIN),
    Case(_SERVICE, run_context=_run("192.0.2.7", "", ""), conf=_PLAIN, shown=False),
    Case(_SERVICE, run_context=_run("192.0.2.7", "", "VIP", use="old"), conf=_CONF, shown=False),
    Case(_SERVICE, run_context=_run("192.0.2.7", "", "VIP"), shown=False),
    Case(_SERVICE, conf=_CONF, shown=False),
)

_DECIDING = ("proxy-protocol", "hostname")
"""The annotations without one of which the CCM publishes an IP, with ipMode VIP."""


def check(service: ServiceView) -> Iterator[Problem]:
    """Compare what is published with what would be."""
    live, cluster = service.live, service.run_context.live
    if live is None or not live.addresses or cluster is None or any(config.use for config in cluster.configs):
        return
    (_, hostname, mode), *_ = live.addresses
    if not (hostname or mode == "Proxy" or any(map(service.annotation, _DECIDING))):
        return  # an IP is published for all others, and a prediction costs more than all the rest
    found = status_difference(live.addresses, service.prediction)
    if found is None:
        return
    has = f"{'' if found.has == 'ipMode' else 'the '}{found.has} {found.value}"
    yield Problem(
        service.span_of("metadata", "name"),
        f"has {has} in its status; the CCM would publish {found.would_be} now",
        "It was reconciled last by another release, cloud.conf or annotation.",
        "Change any annotation of the Service, and the CCM reconciles it.",
    )
