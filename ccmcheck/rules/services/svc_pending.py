"""A Service that gets no address."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.live import LiveService
from ccmcheck.rules._support.log_lines import advice
from ccmcheck.rules.views.service_view import ServiceView

_HANDED_OVER = ("accepted", "unknown")


def check(service: ServiceView) -> Problems:
    """Put together what is known of a Service without an address."""
    live = service.live
    if live is None or not live.is_pending:
        return
    yield Problem(
        service.span_of("metadata", "name"),
        f"has no address since it was created at {live.created}",
        " ".join(_chain(service, live)),
        _help(live),
    )


def _chain(service: ServiceView, live: LiveService) -> Iterator[str]:
    """From what happened to what explains it."""
    for event in live.events:
        often = f", {event.times} times" if event.times > 1 else ""
        last = f", the last time at {event.time}" if event.time else ""
        yield f"Event {event.reason}{often}{last}: {_sentence(event.message)}"
    if live.log:
        yield f"The CCM's log: {_sentence(live.log)}"
    reason = _reason(service)
    if reason:
        yield f"The configuration explains it: {_sentence(reason)}"
    elif not live.events and not live.log:
        unread = " and ".join(live.unread)
        yield f"{unread[0].upper()}{unread[1:]} could not be read." if unread else "No event about it is left."


def _reason(service: ServiceView) -> str:
    """What the prediction says of it; empty where it should have an address, or nothing is known."""
    options = service.options
    if options is not None and (options.unsupported or not options.use_octavia):
        return options.unsupported or "the CCM makes no load balancers with this cloud.conf"
    prediction = service.prediction
    if prediction is None or prediction.outcome.value in _HANDED_OVER:
        return ""
    return prediction.why or prediction.error


def _help(live: LiveService) -> str:
    if live.events or live.log:
        lines = (live.log, *(event.message for event in live.events))
        return advice(lines, "Correct what the message names; the CCM tries again by itself.")
    return "An event comes with the next try: change an annotation of the Service, and look at its events."


def _sentence(text: str) -> str:
    return text if text.endswith((".", "…")) else f"{text}."
