"""A loadBalancerIP that the Service does not get or keep.

What it does: finds a `loadBalancerIP` that is not an address or a placeholder that was never filled in, that two Services
request, that is private while the Service gets a floating IP, or that is deleted with the Service because `keep-floatingip` is
missing. The last two only where the file is named, or an annotation, a cloud.conf or the CCM shows OpenStack.

Why: the Service stays pending, or the address in DNS and firewalls is lost when it is deleted.

What the CCM does: an external Service needs an existing, free floating IP with this address; by default Neutron only lets
administrators create one with a chosen address. An internal Service gets it as its VIP. A later change is ignored. With the
Service the CCM deletes the floating IP, since 1.18 only if it created it, unless `keep-floatingip` is `true`.

Releases: 1.14 and newer

Fix: by hand.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureFloatingIP, deleteLoadBalancer;
kubernetes/cloud-provider-openstack#245, #933, #2443
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext, SharingService
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support import placeholders, spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-lbip", "A loadBalancerIP that the Service does not get or keep", Severity.WARNING, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/keep-floatingip: "true"
spec:
  type: LoadBalancer
  loadBalancerIP: {}
  ports:
  - port: 80
"""
_ADDRESS = "203.0.113.10"
_KEPT = _SERVICE.format(_ADDRESS)
_LOST = _KEPT.replace('  annotations:\n    loadbalancer.openstack.org/keep-floatingip: "true"\n', "")
_INTERNAL = _KEPT.replace(
    "loadbalancer.openstack.org/keep-floatingip", "service.beta.kubernetes.io/openstack-internal-load-balancer"
)
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"
_TAKEN = RunContext(
    sharing_services={_ADDRESS: (SharingService("mail.yaml", "Service mail", "", _ADDRESS, (("25", "TCP"),)),)}
)
_SHARED = RunContext(
    sharing_services={_ADDRESS: (SharingService("mail.yaml", "Service mail", "5e1f", _ADDRESS, (("25", "TCP"),)),)}
)

BAD = (
    Case(_KEPT, at=(8, 19), run_context=_TAKEN),
    Case(_SERVICE.format("10.0.0.10"), at=(8, 19), conf=_CONF, severity=Severity.INFO),
    Case(_SERVICE.format("web.example.com"), at=(8, 19), severity=Severity.ERROR),
    Case(_LOST, at=(6, 19), release="1.17", run_context=RunContext()),
    Case(_LOST, at=(6, 19), severity=Severity.INFO),
    Case(_SERVICE.format("xx.xx.xx.xx"), at=(8, 19), severity=Severity.ERROR),
    Case(_SERVICE.format("10.0.0.x"), at=(8, 19), severity=Severity.ERROR, run_context=_TAKEN, shown=False),
    Case(_SERVICE.format("203.0.113.10/32"), at=(8, 19), severity=Severity.ERROR, shown=False),
)
GOOD = (
    Case(_KEPT, conf=_CONF),
    Case(_INTERNAL.replace(_ADDRESS, "10.0.0.10"), conf=_CONF),
    Case(_INTERNAL, conf=_CONF),
    Case(_SERVICE.format("${ADDRESS}"), template=True),
    Case(_KEPT.replace("spec:", "    loadbalancer.openstack.org/load-balancer-id: 5e1f\nspec:"), run_context=_SHARED),
    Case(_SERVICE.format('""'), shown=False),
    Case(_SERVICE.format("10.0.0.10"), shown=False),
    Case(_LOST + "  loadBalancerClass: io.cilium/x\n", shown=False),
)

_FIELD = ("spec", "loadBalancerIP")
_KEEP = "keep-floatingip"


def check(service: ServiceView) -> Iterator[Problem]:
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
            "It must be a free floating IP, which is only private where the floating network is.",
            'For the VIP itself write `service.beta.kubernetes.io/openstack-internal-load-balancer: "true"`.',
            severity=Severity.INFO,
        )
    elif service.internal is not True and service.switch(_KEEP) is False:
        always = service.behaviours["deletes-any-floating-ip"]
        yield Problem(
            span,
            "is deleted with the Service" if always else "is deleted with the Service if the CCM made it",
            "" if always else "A floating IP that existed before is kept.",
            f'Write `{PREFIX}{_KEEP}: "true"` to keep it.',
            severity=None if always else Severity.INFO,
        )


def _is_documentation(address: str) -> bool:
    """Whether an address is one of documentation, which Python treats as private."""
    return address.startswith(("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"))
