"""allowedCIDRs are ignored with ovn."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.rules._support.machines import api_balancers
from ccmcheck.rules.views.drivers import driver_of
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Sequence, text_of


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the API server's load balancer."""
    for balancer in api_balancers(manifest):
        if "allowed_cidrs" not in driver_of(text_of(balancer.get("provider")) or None).refuses:
            continue
        key, allowed = balancer.key("allowedCIDRs"), balancer.get("allowedCIDRs")
        if key is not None and isinstance(allowed, Sequence) and allowed.items:
            yield Problem(
                key.span,
                "ignored: ovn has no access lists, so the API server is open to every address",
                "Cluster API silently omits these addresses.",
                "Use `amphora`, or close the port in the control plane's security group.",
            )
