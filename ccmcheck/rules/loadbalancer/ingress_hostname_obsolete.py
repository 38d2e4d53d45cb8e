"""enable-ingress-hostname is obsolete.

What it does: finds `enable-ingress-hostname = true` where both the CCM and Kubernetes support `ipMode`.

Why: the status of the Service has a name of a public DNS service such as nip.io instead of its address. It was needed so that
kube-proxy does not bypass a load balancer that uses the PROXY protocol.

What the CCM does: since 1.30 it sets `ipMode: Proxy` for such a Service, with the same effect, but only if it
publishes the address.

Releases: 1.30 and newer, with Kubernetes 1.30 or newer

Fix: deletes the line.

Fix safety: unsafe because the published name disappears, and clients may use it

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go createLoadBalancerStatus, 1.30; KEP-1860;
kubernetes/cloud-provider-openstack#2587
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.behaviour import behaves, kubernetes_has
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "ingress-hostname-obsolete",
    "enable-ingress-hostname is obsolete",
    Severity.INFO,
    needs=("the Kubernetes version",),
)

_NEW = RunContext(facts=ClusterFacts(kubernetes_version="1.31"))

BAD = (
    Case(
        "[LoadBalancer]\nenable-ingress-hostname = true\nlb-provider = amphora\n",
        at=(2, 27),
        fixed="[LoadBalancer]\nlb-provider = amphora\n",
        unsafe=True,
        run_context=_NEW,
    ),
    Case(
        "[LoadBalancer]\nlb-provider=amphora\nenable-ingress-hostname\n",
        at=(3, 1),
        fixed="[LoadBalancer]\nlb-provider=amphora\n",
        unsafe=True,
        release="v1.30.0",
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="v1.30.4")),
    ),
)
GOOD = (
    Case("[LoadBalancer]\nenable-ingress-hostname=true\n"),
    Case(
        "[LoadBalancer]\nenable-ingress-hostname=true\n",
        run_context=RunContext(facts=ClusterFacts(kubernetes_version="1.29")),
    ),
    Case("[LoadBalancer]\nenable-ingress-hostname=true\n", run_context=_NEW, release="1.29"),
    Case("[LoadBalancer]\nenable-ingress-hostname=false\n", run_context=_NEW),
    Case("[LoadBalancer]\nenable-ingress-hostname=${HOSTNAME}\n", run_context=_NEW, template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the versions first."""
    if not conf.run_context.facts.kubernetes_version or not behaves("sets-ip-mode", conf.release):
        return
    lb = balancer(conf)
    item = lb.items.get("enable-ingress-hostname")
    if item is None or not lb.applies or conf.typed(item) is not True:
        return
    if kubernetes_has("ip-mode", conf.run_context.facts.kubernetes_version):
        yield Problem(
            item.span,
            "the status of Services has a DNS name, so the CCM does not set `ipMode: Proxy`",
            "The CCM and Kubernetes support ipMode, which solves the same problem without a third party's DNS.",
            "Delete the line.",
            fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
        )
