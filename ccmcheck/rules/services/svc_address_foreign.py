"""An address that is not that of the CCM's load balancer."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at who wrote the address, and who has it, too."""
    live = service.live
    if live is None or not service.is_ours:
        return
    name = service.span_of("metadata", "name")
    if live.writer:
        yield Problem(
            name,
            f"its address was written by field manager `{live.writer}`, not by the CCM",
            "Both handle Services without a class, and write over each other.",
            "Set a `loadBalancerClass` on the Services of the other controller, or start it for one class alone.",
        )
    if live.twins:
        yield Problem(
            name,
            f"publishes an address that Service {' and '.join(live.twins)} publishes, too, from another load balancer",
            "One address belongs to one load balancer: at one of them the status is wrong or old.",
            "`ccmcheck cluster lint --octavia` shows whose it is; `ccmcheck cluster resync` writes the status again.",
        )
