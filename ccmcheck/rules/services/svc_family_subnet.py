"""An IPv6 Service in a cluster whose load balancers share one subnet."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.rules.views.service_view import ServiceView

_ANNOTATIONS = ("subnet-id", "network-id", "class", "load-balancer-id", "port-id")


def check(service: ServiceView) -> Iterator[Problem]:
    """Compare the first IP family with the one subnet of the cloud.conf."""
    options = service.options
    if (
        service.is_accepted
        or not service.is_ours
        or options is None
        or not options.subnet_id
        or not service.service.families
    ):
        return
    if service.service.families[0] != "IPv6" or any(service.annotation(name) is not None for name in _ANNOTATIONS):
        return
    yield Problem(
        service.span_of("spec", "ipFamilies", 0),
        "the load balancer of this IPv6 Service gets its address from `subnet-id`, as those of IPv4 Services do",
        "A subnet has one IP family: in a dual-stack cluster the Services of the other one are in the wrong subnet.",
        "Annotate it with `loadbalancer.openstack.org/subnet-id`, or write `network-id` instead of `subnet-id`.",
    )
