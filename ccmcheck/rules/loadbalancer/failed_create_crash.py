"""A CCM that ends where a load balancer cannot be made."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import balancer

_BUG = "failed-create-crashes"


def check(conf: CloudConf) -> Problems:
    """Look for the network with which the release reads the answer before the error."""
    lb = balancer(conf)
    item = lb.items.get("network-id")
    if behaves(_BUG, conf.release) and lb.applies and item is not None and item.entry.value:
        yield Problem(
            item.span,
            f"with it CCM {conf.release.name} ends wherever a load balancer cannot be made: `nil pointer dereference`",
            "It reads the subnet of the load balancer before it looks at the error, such as that of an exceeded quota, and "
            "the error itself is not logged.",
            f"Upgrade to {fixed_in(_BUG, conf.release)} or newer.",
        )
