"""A health monitor delay below the minimum for UDP."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView

_KIND = "UDP-CONNECT"
_ANNOTATION = "health-monitor-delay"


def check(service: ServiceView) -> Problems:
    """Report the delay that Octavia rejects, by the prediction."""
    if not service.is_ours or "UDP" not in service.protocols or service.monitor is not True:
        return
    prediction = service.prediction
    refusals = prediction.refusals if prediction is not None else ()
    refused = next((one for one in refusals if one.field.endswith("healthmonitor.delay")), None)
    if refused is None or _KIND not in refused.why:
        return
    delay = service.annotation(_ANNOTATION)
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "UDP")
    yield Problem(
        delay.span if delay is not None else service.span_of("spec", "ports", index, "protocol"),
        refused.why,
        "Octavia rejects the whole load balancer, including TCP ports.",
        f"Write a longer `{_ANNOTATION if delay is not None else 'monitor-delay'}`.",
    )
