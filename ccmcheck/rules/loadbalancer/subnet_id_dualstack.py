"""subnet-id in a dual-stack cluster."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
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
