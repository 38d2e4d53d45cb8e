"""A load balancer without members because there are no NodePorts."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView

_FIELD = "allocateLoadBalancerNodePorts"


def check(service: ServiceView) -> Problems:
    """Look at the field, then for ports without a NodePort."""
    if not service.is_taken_for_ours or service.service.allocates or not service.is_settled:
        return
    without = [port for port in service.service.ports if not port.node_port]
    if not without or any(one.endswith(".nodePort") for one in service.service.open):
        return
    skips = service.behaviours["skips-port-zero"]
    named = ", ".join(f"{port.port}/{port.protocol}" for port in without[:3]) + (" …" if len(without) > 3 else "")
    yield Problem(
        service.span_of("spec", _FIELD),
        f"no NodePort, so the load balancer has no members for {named}"
        if skips
        else "no NodePort, so the CCM fails to reconcile the Service",
        "The load balancer only reaches nodes by their NodePorts."
        if skips
        else "The error is `Missing input for argument [ProtocolPort]`.",
        "Remove the field, or give every port a `nodePort`.",
        yaml_fixes.unsafe(service.manifest, "remove the field", service_fixes.remove_field(service, "spec", _FIELD)),
        severity=(None if skips else Severity.ERROR) if service.is_surely_ours else Severity.INFO,
    )
