"""A loadBalancerIP that the Service does not get or keep."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support import placeholders, spelling
from ccmcheck.rules.views.service_view import ServiceView

_FIELD = ("spec", "loadBalancerIP")
_KEEP = "keep-floatingip"


def check(service: ServiceView) -> Problems:
    """Look at the address, at the other Services with it, and at its deletion."""
    from ipaddress import ip_address

    address = service.service.address
    if not service.is_ours or not address or ".".join(_FIELD) in service.service.open:
        return
    span = service.span_of(*_FIELD)
    left = spelling.left_in_address(address)
    if left:
        yield from placeholders.in_service(service.manifest, span, left)
        return
    try:
        parsed = ip_address(address)
    except ValueError:
        label = "not an IP address"
        detail = "OpenStack rejects it, and the Service stays pending."
        yield Problem(span, label, detail, "Write an address such as `203.0.113.10`.", severity=Severity.ERROR)
        return
    balancer = service.annotation("load-balancer-id")
    shared = balancer.text if balancer is not None else ""
    others = [
        other
        for other in service.others(address)
        if other.address == address and not (shared and other.balancer == shared)
    ]
    if others:
        label = f"{others[0].subject} in {others[0].path} has the same address"
        yield Problem(span, label, "One of them gets it, the other stays pending.", "Give each its own address.")
    elif not service.is_taken_for_ours:
        return  # it may be any cloud's
    elif parsed.is_private and service.internal is False and not _is_documentation(address):
        yield Problem(
            span,
            "a private address for a Service that gets a floating IP",
            "The CCM looks for a free floating IP with this address; one is private only where the floating network is.",
            'For an address of the subnet alone write `service.beta.kubernetes.io/openstack-internal-load-balancer: "true"`.',
            severity=Severity.INFO,
        )
    elif service.internal is not True and service.switch(_KEEP) is False:
        always = service.behaviours["deletes-any-floating-ip"]
        yield Problem(
            span,
            f"this floating IP is deleted with the Service{'' if always else ', if the CCM made it'}",
            "This release deletes every floating IP that it finds at its load balancer."
            if always
            else "A floating IP that existed before is kept.",
            f'Write `{PREFIX}{_KEEP}: "true"` to keep the address.',
            severity=None if always else Severity.INFO,
        )


def _is_documentation(address: str) -> bool:
    """Whether an address is one of documentation, which Python treats as private."""
    return address.startswith(("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"))
