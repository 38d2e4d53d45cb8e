"""Services that cannot share a load balancer."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import SharingService
from ccmcheck.catalog import octavia
from ccmcheck.rules._support import spelling
from ccmcheck.rules.views.service_manifest import WrittenAnnotation
from ccmcheck.rules.views.service_view import ServiceView


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


def _rejections(service: ServiceView, annotation: WrittenAnnotation, before: list[SharingService]) -> list[Problem]:
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
