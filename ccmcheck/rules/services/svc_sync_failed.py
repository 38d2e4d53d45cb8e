"""The CCM does not get done with a Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules._support.log_lines import advice
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the last event, and at how long the deletion takes."""
    live = service.live
    if live is None or live.is_pending or not (live.going or live.failing):
        return
    event = live.failing
    said = ""
    lines = [event.message] if event is not None else []
    if event is not None:
        often = f", {event.times} times" if event.times > 1 else ""
        last = f", the last time at {event.time}" if event.time else ""
        said = f"Event {event.reason}{often}{last}: {event.message}"
        said = said if said.endswith((".", "…")) else f"{said}."
    if live.going:
        yield Problem(
            service.span_of("metadata", "name"),
            f"is being deleted since {live.going}, and its load balancer is not gone",
            f"{said} Its finalizer waits for the CCM.".strip(),
            advice(lines, "Correct what the event or the CCM's log names.")
            + " Without the finalizer the load balancer would stay and cost.",
        )
    else:
        yield Problem(
            service.span_of("metadata", "name"),
            "the last sync failed, so that its load balancer is not as it should be",
            said,
            advice(lines, "Correct what the message names; the CCM tries again by itself."),
        )
