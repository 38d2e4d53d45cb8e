"""An IPv6 Service in a cluster whose load balancers share one subnet."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.rules.views.service_view import ServiceView

_ANNOTATIONS = ("subnet-id", "network-id", "class", "load-balancer-id", "port-id")
_NO_FAMILIES = "Upgrade to CCM 1.25 or newer: this release does not read the IP families of a Service."
_ANNOTATE = "Annotate it with `loadbalancer.openstack.org/subnet-id`"


def check(service: ServiceView) -> Problems:
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
            _help(service, "subnet-id"),
        )
    elif options.network_id:
        yield Problem(
            span,
            "Octavia chooses the subnet of this IPv6 Service's load balancer in `network-id`, and prefers IPv4",
            "In a network with subnets of both families the Service gets an IPv4 address.",
            _help(service, "network-id"),
            severity=Severity.INFO,  # whether the network has an IPv4 subnet is in no file
        )


def _help(service: ServiceView, key: str) -> str:
    # without families, also an IPv6 address is given a floating IP, and members are the nodes' first InternalIPs
    if not behaves("ip-families", service.release):
        return _NO_FAMILIES
    return f"{_ANNOTATE}, or delete `{key}`: the CCM then takes the nodes' subnet of that family."
