"""An invalid health check node port or NodePort."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules.views.service_view import ServiceView

_ABOUT = ("check port", "port range")


def check(service: ServiceView) -> Problems:
    """Report the faults of the Service about these ports."""
    if service.service.type != "LoadBalancer" or not service.is_settled or service.is_accepted:
        return
    for fault in service.service.faults:
        if fault.about not in _ABOUT:
            continue
        out_of_range = fault.about == "port range"
        yield Problem(
            service.span_of(*fault.path),
            fault.text,
            "The API server rejects it, unless its own range is wider."
            if out_of_range
            else "The API server rejects it.",
            fault.help or "Remove it: Kubernetes allocates a free port.",
            severity=None if out_of_range else Severity.ERROR,
        )
