"""subnet-id in a dual-stack cluster.

What it does: finds `subnet-id` in a file whose `address-sort-order` shows a cluster with IPv4 and IPv6.

Why: every load balancer gets its address from that subnet, so Services of the other IP family get none.

What the CCM does: it requests a VIP in `subnet-id`, whatever the Service's `ipFamilies`; only the first family of a
Service gets an address, and IPv6 never a floating IP.

Releases: where `address-sort-order` exists

Fix: none; use `network-id`, or the annotation `loadbalancer.openstack.org/subnet-id`.

Source: kubernetes/cloud-provider-openstack#1897, #2333
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("subnet-id-dualstack", "subnet-id in a dual-stack cluster", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\nsubnet-id=5f3c\n[Networking]\naddress-sort-order=10.0.0.0/8,fd00::/8\n",
        at=(2, 11),
        severity=Severity.INFO,
    ),
    Case(
        '[Networking]\naddress-sort-order = "2001:db8::/32, 192.0.2.0/24"\n[LoadBalancer]\nsubnet-id = "5f3c"\n',
        at=(4, 13),
        severity=Severity.INFO,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nsubnet-id=5f3c\n[Networking]\naddress-sort-order=10.0.0.0/8,192.168.0.0/16\n"),
    Case("[LoadBalancer]\nnetwork-id=5f3c\n[Networking]\naddress-sort-order=10.0.0.0/8,fd00::/8\n"),
    Case("[LoadBalancer]\nsubnet-id=5f3c\n"),
    Case(
        "[LoadBalancer]\nsubnet-id=5f3c\n[Networking]\naddress-sort-order=10.0.0.0/8,fd00::/8\nipv6-support-disabled=true\n"
    ),
    Case("[LoadBalancer]\nsubnet-id=5f3c\n[Networking]\naddress-sort-order=10.0.0.0/8,fd00::/8\n", release="1.22"),
    Case("[LoadBalancer]\nsubnet-id=\n[Networking]\naddress-sort-order=10.0.0.0/8,fd00::/8\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for both IP families in the sort order."""
    lb = balancer(conf)
    item = lb.items.get("subnet-id")
    if item is None or not item.entry.value or not lb.applies:
        return
    if not any(one.spec is not None and one.spec.name == "address-sort-order" for one in conf.items):
        return
    order = conf.value("Networking", "address-sort-order")
    if not isinstance(order, str) or ":" not in order or conf.value("Networking", "ipv6-support-disabled") is not False:
        return
    if any("." in network for network in order.split(",") if ":" not in network):
        yield Problem(
            item.span,
            "every load balancer gets its address from one subnet, but this cluster has IPv4 and IPv6",
            "A Service whose first IP family is the other one gets no address.",
            "Use `network-id`, or annotate such Services with `loadbalancer.openstack.org/subnet-id`.",
            # only Services of the other family are affected, and none is known here
            severity=Severity.INFO,
        )
