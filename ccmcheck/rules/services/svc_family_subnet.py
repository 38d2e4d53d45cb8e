"""An IPv6 Service in a cluster whose load balancers share one subnet."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.views.service_view import ServiceView

_ANNOTATIONS = ("subnet-id", "network-id", "class", "load-balancer-id", "port-id")
_ANNOTATE = "Annotate it with `loadbalancer.openstack.org/subnet-id`"


def check(service: ServiceView) -> Iterator[Problem]:
    """Compare the first IP family with the one subnet of the cloud.conf, or with what Octavia takes of its network."""
    options, families = service.options, service.service.families
    if service.is_accepted or not service.is_ours or options is None or not families or families[0] != "IPv6":
        return
    if any(service.annotation(name) is not None for name in _ANNOTATIONS):
        return
    span = service.span_of("spec", "ipFamilies", 0)
    if options.subnet_id:
        yield Problem(
            span,
            "the load balancer of this IPv6 Service gets its address from `subnet-id`, as those of IPv4 Services do",
            "A subnet has one IP family: in a dual-stack cluster the Services of the other one are in the wrong subnet.",
            f"{_ANNOTATE}, or delete `subnet-id`: CCM 1.25 and newer then take the nodes' subnet of that family.",
        )
    elif options.network_id:
        yield Problem(
            span,
            "Octavia chooses the subnet of this IPv6 Service's load balancer in `network-id`, and prefers IPv4",
            "In a network with subnets of both families the Service gets an IPv4 address.",
            f"{_ANNOTATE}, or delete `network-id`: CCM 1.25 and newer then take the nodes' subnet of that family.",
            severity=Severity.INFO,  # whether the network has an IPv4 subnet is in no file
        )
