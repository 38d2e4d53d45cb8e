"""Services that cannot share a load balancer.

What it does: finds Services of one `load-balancer-id` that want the same port and protocol, that are more than `max-shared-lb`, or that
are internal.

Why: the one that comes too late gets no load balancer.

What the CCM does: it tags the load balancer with each Service, and refuses those above `max-shared-lb`, internal ones (1.27), and ports
that another Service has. Without tags, before Octavia's API 2.5, nothing is shared at all.

Releases: 1.23 and newer

Fix: none; give the Service a load balancer of its own, other ports, or raise `max-shared-lb`.

Fix safety: (none)

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaLoadBalancer; #2978, #2675, #2891
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import BoundService, Bundle
from ccmcheck.catalog import octavia
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.service_manifest import Annotation
    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-shared-lb", "Services that cannot share a load balancer", Severity.ERROR, kinds=("Service",))

_ID = "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
_SERVICE = f"""\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/load-balancer-id: {_ID}
spec:
  type: LoadBalancer
  ports:
    - port: 80
"""


def _with(*others: BoundService) -> Bundle:
    return Bundle(bound={_ID: others})


def _other(name: str, *ports: tuple[str, str]) -> BoundService:
    return BoundService(f"a/{name}.yaml", f"Service {name}", _ID, "", ports)


_INTERNAL = _SERVICE.replace("spec:", '    service.beta.kubernetes.io/openstack-internal-load-balancer: "true"\nspec:')
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"

BAD = (
    Case(_SERVICE, at=(9, 13), bundle=_with(_other("api", ("80", "TCP")))),
    Case(
        _SERVICE,
        at=(5, 50),
        conf=_CONF,
        bundle=_with(_other("api", ("81", "TCP")), _other("mail", ("25", "TCP"))),
    ),
    Case(_INTERNAL, at=(5, 50), bundle=_with(_other("api", ("81", "TCP"))), severity=Severity.WARNING),
    Case(_SERVICE, at=(5, 50), bundle=_with(_other("api"))._replace(octavia_release="rocky"), shown=False),
)
GOOD = (
    Case(_SERVICE, bundle=_with(_other("api", ("81", "TCP")))),
    Case(_SERVICE, bundle=_with(_other("api", ("80", "UDP")))),
    Case(_SERVICE),
    Case(
        _SERVICE,
        conf=_CONF + "max-shared-lb = 3\n",
        bundle=_with(_other("api", ("81", "TCP")), _other("mail", ("25", "TCP"))),
    ),
    Case(_SERVICE, bundle=_with(_other("api", ("80", "TCP"))), release="1.22"),
    Case(_INTERNAL, bundle=_with(_other("api", ("81", "TCP"))), release="1.26", shown=False),
    Case(_SERVICE, bundle=_with(BoundService("a/x.yaml", "Service web", _ID, "", (("80", "TCP"),))), shown=False),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the other Services of the same load balancer."""
    given = service.annotation("load-balancer-id") if service.handled else None
    others = service.others(given.text.strip()) if given is not None and given.text else []
    if given is None or not others:
        return
    own = (service.manifest.path, service.manifest.subject)
    before = [one for one in others if (one.path, one.subject) < own]
    yield from _clash(service, before) or _unshared(service, given, before)


def _clash(service: ServiceView, before: list[BoundService]) -> list[Problem]:
    """The ports that a Service named before this one has already."""
    found = []
    for index, port in enumerate(service.service.ports):
        rival = next((one for one in before if (str(port.port), port.protocol) in one.ports), None)
        if rival is not None:
            found.append(
                Problem(
                    service.span_of("spec", "ports", index, "port"),
                    f"{rival.subject} in {rival.path} has port {port.port}/{port.protocol} of the same load balancer",
                    "A port belongs to one Service: the one that comes second gets an error, again and again.",
                    "Choose another port, or give one of them a load balancer of its own.",
                )
            )
    return found


def _unshared(service: ServiceView, given: Annotation, before: list[BoundService]) -> list[Problem]:
    """Why the load balancer takes no further Service, or not this one."""
    version = octavia.api_version(service.bundle.octavia_release)
    if octavia.api_has("tags", version) is False and before:
        return [
            Problem(
                given.span,
                "Services cannot share a load balancer here: Octavia has no tags before its API 2.5 (Stein)",
                "Only the Service that made it keeps it.",
                "Take the annotation out, so that the Service gets a load balancer of its own.",
            )
        ]
    if service.internal is True and service.behaviours["internal-services-cannot-share"]:
        return [
            Problem(
                given.span,
                "an internal Service cannot share a load balancer, unless it is its own",
                f"The CCM refuses it since 1.27; {len(service.others(given.text or ''))} more of the linted Services name it.",
                "Take the annotation out, so that the Service gets a load balancer of its own.",
                severity=Severity.WARNING,
            )
        ]
    most = service.config("max-shared-lb")
    if isinstance(most, int) and len(before) >= max(most, 1):
        return [
            Problem(
                given.span,
                f"{len(before)} other Services have this load balancer, and max-shared-lb is {most}",
                "The CCM refuses the one that comes too late: `load balancer … already shared`.",
                "Raise max-shared-lb in cloud.conf, or take the annotation out.",
            )
        ]
    return []
