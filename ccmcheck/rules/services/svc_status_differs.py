"""An address of another kind than the configuration gives."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.live_status import status_difference
from ccmcheck.rules.views.service_view import ServiceView

_DECIDING = ("proxy-protocol", "hostname")
"""The annotations without one of which the CCM publishes an IP, with ipMode VIP."""


def check(service: ServiceView) -> Problems:
    """Compare what is published with what would be."""
    live, cluster = service.live, service.run_context.live
    if live is None or not live.addresses or cluster is None or any(config.use for config in cluster.configs):
        return
    (_, hostname, mode), *_ = live.addresses
    if not (hostname or mode == "Proxy" or any(map(service.annotation, _DECIDING))):
        return  # an IP is published for all others, and a prediction costs more than all the rest
    difference = status_difference(live.addresses, service.prediction)
    if difference is None:
        return
    has = f"{'' if difference.has == 'ipMode' else 'the '}{difference.has} {difference.value}"
    yield Problem(
        service.span_of("metadata", "name"),
        f"has {has} in its status; the CCM would publish {difference.would_be} now",
        "Clients use the old one: the CCM wrote it with another release, cloud.conf or annotation.",
        "Change any annotation of the Service, and the CCM reconciles it.",
    )
