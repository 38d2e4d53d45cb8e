"""The result of a reconcile: names, floating IP, rules, status, annotations, events, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.predict.records import Outcome
from ccmcheck.predict.requests.floating import EXTERNAL_NETWORK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.records import Event, Floating, Prediction

_LONGEST = 255
_MOST_RULES = 12


def afterwards(found: Prediction) -> Iterator[tuple[str, str]]:
    """Describe the result.

    Yields:
        A title of at most eleven characters, and the text.
    """
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        return
    if found.name:
        yield "name", found.name + (f", truncated at {_LONGEST} characters" if len(found.name) == _LONGEST else "")
    if found.outcome is not Outcome.ERROR:
        yield "floating IP", floating(found.floating)
    rules = found.rules or ()
    for rule in rules[:_MOST_RULES]:
        yield "rule", f"{rule.ethertype} {rule.protocol.lower()}/{rule.port} from {rule.remote}: {rule.why}"
    if len(rules) > _MOST_RULES:
        yield "rule", f"and {len(rules) - _MOST_RULES} more"
    yield from status(found)
    for name, value in found.written.items():
        yield "annotation", f"{name}: {value}"
    for event in found.events:
        yield "event", event_text(event)


def status(found: Prediction) -> Iterator[tuple[str, str]]:
    """What the Service's status says."""
    for one in found.published:
        mode = f", ipMode {one.ip_mode}" if one.ip_mode else ""
        yield "status", (f"hostname {one.hostname}" if one.hostname else f"ip {one.ip}") + mode


def floating(one: Floating) -> str:
    """Where the floating IP comes from."""
    if not one.wanted:
        return f"none: {one.why}" if one.why else "none"
    if one.network == EXTERNAL_NETWORK:
        where = one.source
    else:
        where = f"network {one.network}" + (f" ({one.source})" if one.source else "")
    parts = [f"{one.address} in {where}" if one.address else f"from {where}"]
    if one.subnet:
        parts.append(f"subnet {one.subnet}")
    if one.subnet_name:
        parts.append(f"a subnet of the name {one.subnet_name}")
    if one.subnet_tags:
        parts.append(f"a subnet with the tags {one.subnet_tags}")
    return ", ".join(parts)


def event_text(event: Event) -> str:
    """An event in a line."""
    message = event.message if len(event.message) <= 200 else event.message[:197] + "…"
    return f"{event.kind} {event.reason}: {message}"
