"""The result of a reconcile: names, floating IP, rules, status, annotations, events, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.predict.records import EXTERNAL_NETWORK, Event, Floating, Outcome, Prediction

_LONGEST = 255
_MOST_RULES = 12


def afterwards(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """Describe the result.

    Yields:
        A title of at most eleven characters, and the text.
    """
    if prediction.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        return
    if prediction.name:
        yield (
            "name",
            prediction.name + (f", truncated at {_LONGEST} characters" if len(prediction.name) == _LONGEST else ""),
        )
    if prediction.outcome is not Outcome.ERROR:
        yield "floating IP", floating(prediction.floating)
    if prediction.members:
        yield "members", ", ".join(prediction.members)
    rules = prediction.rules or ()
    for rule in rules[:_MOST_RULES]:
        yield "rule", f"{rule.ethertype} {rule.protocol.lower()}/{rule.port} from {rule.remote}: {rule.why}"
    if len(rules) > _MOST_RULES:
        yield "rule", f"and {len(rules) - _MOST_RULES} more"
    yield from status(prediction)
    for name, value in prediction.written.items():
        yield "annotation", f"{name}: {value}"
    for event in prediction.events:
        yield "event", event_text(event)


def noted_members(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """The members where something is to be said of one."""
    if any(", " in member for member in prediction.members):
        yield "members", ", ".join(prediction.members)


def status(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """What the Service's status says."""
    for ingress in prediction.published:
        mode = f", ipMode {ingress.ip_mode}" if ingress.ip_mode else ""
        yield "status", (f"hostname {ingress.hostname}" if ingress.hostname else f"ip {ingress.ip}") + mode


def floating(floating_ip: Floating) -> str:
    """Where the floating IP comes from."""
    if not floating_ip.wanted:
        return f"none: {floating_ip.why}" if floating_ip.why else "none"
    if floating_ip.network == EXTERNAL_NETWORK:
        where = floating_ip.source
    else:
        where = f"network {floating_ip.network}" + (f" ({floating_ip.source})" if floating_ip.source else "")
    parts = [f"{floating_ip.address} in {where}" if floating_ip.address else f"from {where}"]
    if floating_ip.subnet:
        parts.append(f"subnet {floating_ip.subnet}")
    if floating_ip.subnet_name:
        parts.append(f"a subnet of the name {floating_ip.subnet_name}")
    if floating_ip.subnet_tags:
        parts.append(f"a subnet with the tags {floating_ip.subnet_tags}")
    return ", ".join(parts)


def event_text(event: Event) -> str:
    """An event in a line."""
    message = event.message if len(event.message) <= 200 else event.message[:197] + "…"
    return f"{event.kind} {event.reason}: {message}"
