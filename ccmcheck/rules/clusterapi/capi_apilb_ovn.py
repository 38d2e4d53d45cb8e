"""allowedCIDRs are ignored with ovn."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.rules.views.drivers import driver_of
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Sequence, field, text_of

_BALANCERS = (("apiServerLoadBalancer",), ("apiServer", "managedLoadBalancer"))
"""Its path up to v1beta1, and since v1beta2."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the API server's load balancer."""
    path = ("spec", "template", "spec") if manifest.kind.endswith("Template") else ("spec",)
    spec = manifest.at(*path)
    for place in _BALANCERS:
        balancer = field(spec, *place)
        if (
            not isinstance(balancer, Mapping)
            or "allowed_cidrs" not in driver_of(text_of(balancer.get("provider")) or None).refuses
        ):
            continue
        key, allowed = balancer.key("allowedCIDRs"), balancer.get("allowedCIDRs")
        if key is not None and isinstance(allowed, Sequence) and allowed.items:
            yield Problem(
                key.span,
                "ignored: ovn has no access lists, so the API server is open to every address",
                "Cluster API silently omits these addresses.",
                "Use `amphora`, or close the port in the control plane's security group.",
            )
