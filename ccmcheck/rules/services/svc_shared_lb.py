"""Services that cannot share a load balancer.

What it does: finds Services with the same `load-balancer-id` that have the same port and protocol, that are more than `max-shared-lb`, or that
are internal.

Why: the last of them gets no load balancer.

What the CCM does: it tags the load balancer with each Service, and rejects those above `max-shared-lb`, internal ones (1.27), and ports
that another Service has. Without tags, before Octavia's API 2.5, load balancers cannot be shared.

Releases: 1.23 and newer

Fix: none; give the Service a load balancer of its own, other ports, or raise `max-shared-lb`.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaLoadBalancer; #2978, #2675, #2891
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext, SharingService
from ccmcheck.catalog import octavia
from ccmcheck.rules._support import spelling
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


def _with(*others: SharingService) -> RunContext:
    return RunContext(sharing_services={_ID: others})


def _other(name: str, *ports: tuple[str, str]) -> SharingService:
    return SharingService(f"a/{name}.yaml", f"Service {name}", _ID, "", ports)


_INTERNAL = _SERVICE.replace("spec:", '    service.beta.kubernetes.io/openstack-internal-load-balancer: "true"\nspec:')
_CONF = "[LoadBalancer]\nlb-provider = amphora\n"

BAD = (
    Case(_SERVICE, at=(9, 13), run_context=_with(_other("api", ("80", "TCP")))),
    Case(
        _SERVICE,
        at=(5, 50),
        conf=_CONF,
        run_context=_with(_other("api", ("81", "TCP")), _other("mail", ("25", "TCP"))),
    ),
    Case(_INTERNAL, at=(5, 50), run_context=_with(_other("api", ("81", "TCP"))), severity=Severity.WARNING),
    Case(
        _SERVICE,
        at=(5, 50),
        run_context=_with(_other("api"))._replace(facts=ClusterFacts(octavia_release="rocky")),
        shown=False,
    ),
)
GOOD = (
    Case(
        _SERVICE.replace(_ID, "<id>"),
        run_context=RunContext(
            sharing_services={"<id>": (_other("api", ("80", "TCP"))._replace(balancer="<id>"),)},
        ),
        shown=False,
    ),
    Case(_SERVICE, run_context=_with(_other("api", ("81", "TCP")))),
    Case(_SERVICE, run_context=_with(_other("api", ("80", "UDP")))),
    Case(_SERVICE),
    Case(
        _SERVICE,
        conf=_CONF + "max-shared-lb = 3\n",
        run_context=_with(_other("api", ("81", "TCP")), _other("mail", ("25", "TCP"))),
    ),
    Case(_SERVICE, run_context=_with(_other("api", ("80", "TCP"))), release="1.22"),
    Case(_INTERNAL, run_context=_with(_other("api", ("81", "TCP"))), release="1.26", shown=False),
    Case(
        _SERVICE, run_context=_with(SharingService("a/x.yaml", "Service web", _ID, "", (("80", "TCP"),))), shown=False
    ),
)


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the other Services of the same load balancer."""
    annotation = service.annotation("load-balancer-id") if service.handled else None
    others = service.others(annotation.text.strip()) if annotation is not None and annotation.text else []
    if annotation is None or not others or spelling.placeholder(annotation.text or ""):
        return
    own = (service.manifest.path, service.manifest.subject)
    before = [other for other in others if (other.path, other.subject) < own]
    yield from _port_conflicts(service, before) or _rejections(service, annotation, before)


def _port_conflicts(service: ServiceView, before: list[SharingService]) -> list[Problem]:
    """The ports that an earlier Service has already."""
    problems = []
    for index, port in enumerate(service.service.ports):
        rival = next((other for other in before if (str(port.port), port.protocol) in other.ports), None)
        if rival is not None:
            problems.append(
                Problem(
                    service.span_of("spec", "ports", index, "port"),
                    f"{rival.subject} in {rival.path} has port {port.port}/{port.protocol} of the same load balancer",
                    "A port can only belong to one Service: the other one fails at every reconcile.",
                    "Choose another port, or give one of them its own load balancer.",
                )
            )
    return problems


def _rejections(service: ServiceView, annotation: Annotation, before: list[SharingService]) -> list[Problem]:
    """Why this Service cannot share the load balancer."""
    version = octavia.api_version(service.run_context.facts.octavia_release)
    if octavia.api_has("tags", version) is False and before:
        return [
            Problem(
                annotation.span,
                "Services cannot share a load balancer here: Octavia has no tags before API 2.5 (Stein)",
                "Only the Service that created it can use it.",
                "Remove the annotation, so that the Service gets its own load balancer.",
            )
        ]
    if service.internal is True and service.behaviours["internal-services-cannot-share"]:
        return [
            Problem(
                annotation.span,
                "an internal Service cannot share another Service's load balancer",
                f"The CCM rejects it since 1.27; {len(service.others(annotation.text or ''))} other linted Services have it.",
                "Remove the annotation, so that the Service gets its own load balancer.",
                severity=Severity.WARNING,
            )
        ]
    most = service.config("max-shared-lb")
    if isinstance(most, int) and len(before) >= max(most, 1):
        return [
            Problem(
                annotation.span,
                f"{len(before)} other Services share this load balancer, and max-shared-lb is {most}",
                "The CCM rejects further Services: `load balancer … already shared`.",
                "Increase max-shared-lb in cloud.conf, or remove the annotation.",
            )
        ]
    return []
