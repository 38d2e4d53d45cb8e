"""A timeout in seconds instead of milliseconds."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the four timeouts."""
    if not service.handled or (service.driver.is_special and service.behaviours["knows-ovn"]):
        return
    for name, shortest in SHORTEST.items():
        annotation = service.annotation(name)
        value = integer(annotation.text) if annotation is not None and annotation.text is not None else None
        if annotation is None or value is None:
            continue
        least, most = RANGES[name]
        if value < least or (most is not None and value > most):
            yield Problem(
                annotation.span,
                f"{value} ms is out of range: Octavia accepts {least} to {most} ms",
                "Octavia rejects the whole load balancer, so the Service stays pending.",
                f"Write a number from {least} to {most}, in quotes.",
                severity=Severity.ERROR,
            )
        elif 0 < value < shortest:
            yield Problem(
                annotation.span,
                f"the unit is milliseconds: {value} ms",
                "Connections that are idle for that long are closed."
                if name.endswith("-data")
                else "HAProxy waits no longer than that, and takes the node for dead.",
                f'For {value} seconds write `"{value * 1000}"`.',
            )
