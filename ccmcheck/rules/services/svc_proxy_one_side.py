"""PROXY on one side only."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import Listening
from ccmcheck.catalog.data.proxy_listeners import LISTENERS
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support.pools import PROXY, has_proxy_and_forwarded, proxied
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Compare the annotation with what lets the program behind the Service expect a header."""
    if not service.handled or service.is_partial or has_proxy_and_forwarded(service):
        return
    override = proxied(service)
    if override is None and (service.proxy != "" or service.annotation(PROXY) is not None):
        return
    found = {(one.program, _expects(one, service)) for one in service.listening if one is not None}
    if len(found) != 1 or None in service.listening:
        return
    ((program, expects),) = found
    listener = LISTENERS[program]
    if override is not None and expects is False:
        yield Problem(
            override.span,
            f"the load balancer sends a PROXY header, and {program} is not set to expect one",
            "It takes the header for the request: clients get 400, or their TLS handshake fails."
            + ("" if listener.requires else " Only a route of TCP passes the header on, to pods that must expect it."),
            f"Write {listener.remedy}; or remove the annotation.",
        )
    elif override is None and expects and listener.requires and service.is_taken_for_ours:
        yield Problem(
            service.span_of("spec", "type"),
            f"{program} expects a PROXY header, and the load balancer sends none",
            "It ends every connection.",
            f'Give the Service the annotation `{PREFIX}{PROXY}: "true"`, or switch it off in {program}.',
        )


def _expects(listening: Listening, service: ServiceView) -> bool | None:
    """Whether a program expects a header; None where that is unknown."""
    find, namespace = service.manifest.owners.selected, service.service.namespace
    named = {one.listening for name in listening.reads for one in find(namespace, {"": name})}
    parts = [listening, *(one for one in named if one is not None)]
    if len(parts) != len(listening.reads) + 1 or any(one.is_open for one in parts):
        return None
    if any(listening.program in one.on for one in parts):
        return True
    return False if any(listening.program in one.off for one in parts) else None
