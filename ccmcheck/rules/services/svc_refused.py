"""A Service that Octavia refuses."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules._support.source_ranges import source_ranges
from ccmcheck.rules.views.service_view import ServiceView

_REPORTED = frozenset({
    "connection_limit", "delay", "flavor_id", "lb_algorithm", "max_retries", "max_retries_down", "protocol", "provider",
    "session_persistence", "subnet_id", "timeout", "type", "vip_network_id", "vip_port_id", "vip_subnet_id",
})  # fmt: skip
"""Fields of requests whose refusals other rules report, at the key or annotation that sets them."""

_LOOK = "`ccmcheck predict` shows the request; `--release` shows what another release sends."
_ADVICE = {
    413: "Select fewer nodes with `node-selector`, or write `provider-requires-serial-api-calls = true` in cloud.conf."
}


def check(service: ServiceView) -> Problems:
    """Report the first refusal of the prediction, unless a rule about its field does."""
    if not service.is_surely_ours or not _may_be_refused(service):
        return
    prediction = service.prediction
    for refusal in prediction.refusals[:1] if prediction is not None else ():
        field = refusal.field.rpartition(".")[2]
        if field in _REPORTED:
            return
        ranges = source_ranges(service) if field == "allowed_cidrs" else None
        yield Problem(
            ranges.span if ranges is not None and ranges.ranges else service.span_of("metadata", "name"),
            f"{refusal.by} refuses it: {refusal.said}",
            "The Service stays without a load balancer; the CCM tries again and again, with the same answer.",
            "Leave ranges of the Service's IP family only."
            if ranges is not None and refusal.status == 400
            else _ADVICE.get(refusal.status, _LOOK),
        )


def _may_be_refused(service: ServiceView) -> bool:
    """Whether a check outside `_REPORTED` applies: a prediction costs more than all the rest."""
    return bool(
        service.run_context.facts.octavia_release
        or service.service.address
        or source_ranges(service).ranges
        or (service.driver.refuses and not service.behaviours["knows-ovn"])
    )
