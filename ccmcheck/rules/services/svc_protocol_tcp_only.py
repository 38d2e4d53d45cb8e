"""A port that the in-tree provider or an old CCM cannot balance."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look for a port of another protocol."""
    if not service.handled:
        return
    refused = service.service.refused(service.run_context.facts.refused_protocols)
    if refused is not None:
        protocol, path, do = refused
        text = f"the platform makes no load balancer for {protocol}; this Service stays pending"
        yield Problem(service.span_of(*path), text, "The profile says so.", do)
        return
    if service.is_partial:
        return
    if service.is_in_tree:
        reader, first = "the in-tree provider", "v1.17.0 of the cloud-controller-manager"
    elif service.confs and not service.behaviours["other-than-tcp"]:
        reader, first = f"the CCM {service.release.name}", "v1.17.0"
    else:
        return
    for number, port in enumerate(service.service.ports):
        if port.protocol in ("UDP", "SCTP"):
            yield Problem(
                service.span_of("spec", "ports", number, "protocol"),
                f"{reader} makes load balancers for TCP alone; this Service gets none",
                "Every attempt ends with `only TCP LoadBalancer is supported for openstack load balancers`.",
                f"{port.protocol} works from {first} on.",
            )
            return
