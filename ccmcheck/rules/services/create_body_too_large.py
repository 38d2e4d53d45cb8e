"""A create request larger than Octavia accepts."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.octavia import BODY_LIMIT, BODY_PARTS
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Add up the sizes of the request's parts."""
    nodes, ports = service.nodes, len(service.service.ports)
    limit, since = BODY_LIMIT
    if nodes is None or not ports or not service.is_ours or not service.behaviours["creates-in-one-call"]:
        return
    if octavia.at_least(service.run_context.facts.octavia_release, since) is not True:
        return
    if service.config("provider-requires-serial-api-calls") is not False or service.word(
        "node-selector", "node-selector"
    ):
        return
    whole, listener, member = BODY_PARTS
    size = whole + (ports - 1) * listener + ports * nodes * member
    if size > limit:
        yield Problem(
            service.key_span_of("spec", "ports"),
            f"{ports} port{'s' * (ports > 1)} on {nodes} nodes make a request of about {size} bytes; Octavia accepts {limit}",
            "It returns 413, and the Service gets no load balancer.",
            "Select fewer nodes with `node-selector`, or write `provider-requires-serial-api-calls = true` in cloud.conf.",
        )
