"""An SCTP health monitor, which ovn does not support."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look for SCTP ports with ovn."""
    if (
        not service.is_ours
        or "SCTP" not in service.protocols
        or "SCTP" in (service.driver.monitors or ("SCTP",))
        or service.monitor is not True
    ):
        return
    if not service.behaviours["monitor-annotation"]:
        return
    index = next(number for number, port in enumerate(service.service.ports) if port.protocol == "SCTP")
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "false")
    yield Problem(
        service.span_of("spec", "ports", index, "protocol"),
        "the ovn provider does not support SCTP monitors: it rejects the whole load balancer",
        "It supports TCP and UDP-CONNECT monitors only, and returns 501 for every attempt.",
        'Set the annotation loadbalancer.openstack.org/enable-health-monitor: "false".',
        yaml_fixes.safe(service.manifest, 'write the annotation `enable-health-monitor: "false"`', edit),
    )
