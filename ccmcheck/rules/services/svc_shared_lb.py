"""Services that cannot share a load balancer."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules.views.service_manifest import WrittenAnnotation
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the other Services of the same load balancer."""
    annotation = service.annotation("load-balancer-id")
    if annotation is None or not service.sharers_before or not service.handled:
        return
    if service.taken_ports:
        yield from _conflicts(service)
    elif service.refused_guest:
        yield _refused(service, annotation, service.refused_guest)


def _conflicts(service: ServiceView) -> Problems:
    """The ports that an earlier Service has already."""
    for index, port in enumerate(service.service.ports):
        rival = service.taken_ports.get((port.port, port.protocol))
        if rival is not None:
            yield Problem(
                service.span_of("spec", "ports", index, "port"),
                f"{rival.subject} in {rival.path} uses port {port.port}/{port.protocol} of the same load balancer",
                "A listener belongs to one Service: the CCM fails to reconcile the one that comes second.",
                "Choose another port, or give one of them its own load balancer.",
            )


def _refused(service: ServiceView, annotation: WrittenAnnotation, refusal: str) -> Problem:
    """Why this Service cannot share the load balancer."""
    count = len(service.sharers_before)
    if refusal == "NO_TAGS":
        return Problem(
            annotation.span,
            "Services cannot share a load balancer here: Octavia has no tags before API 2.5 (Stein)",
            "Only the Service that created it can use it.",
            "Remove the annotation, so that the Service gets its own load balancer.",
        )
    if refusal == "INTERNAL":
        return Problem(
            annotation.span,
            "an internal Service cannot share another Service's load balancer",
            f"The CCM rejects it since 1.27; {'one other Service' if count == 1 else f'{count} other Services'} came first.",
            "Remove the annotation, so that the Service gets its own load balancer.",
            severity=Severity.WARNING,
        )
    return Problem(
        annotation.span,
        f"{count} other Services share this load balancer, and max-shared-lb is {service.config('max-shared-lb')}",
        "The CCM rejects further Services: `load balancer … already shared`.",
        "Increase max-shared-lb in cloud.conf, or remove the annotation.",
    )
