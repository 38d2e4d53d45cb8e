"""A Service that nothing can answer."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the endpoints, and at the addresses of the nodes."""
    live = service.live
    if live is None or live.going or not service.is_ours:
        return
    name = service.span_of("metadata", "name")
    if live.families:
        yield Problem(
            name,
            f"has the IP family {' and '.join(live.families)}, and no node has an address of it",
            "The load balancer gets no member.",
            "Give the nodes such addresses, where the kubelets' `--node-ip` names one, one of each family; or write another "
            "`ipFamilies`.",
        )
    elif live.ready == 0 and live.endpoints:
        yield Problem(
            name,
            f"none of its {live.endpoints} pods is ready" if live.endpoints > 1 else "its pod is not ready",
            "Every node refuses its connections.",
            "`kubectl describe` of the pods says what their readiness waits for.",
        )
    elif live.ready == 0:
        yield Problem(
            name,
            "its selector matches no pod",
            "Every node refuses its connections.",
            "Compare the selector with the labels of the pods, or scale them up.",
        )
