"""A health monitor that breaks this Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.policy.create_monitor.records import Advice
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look up the decision matrix."""
    if not service.is_ours or service.monitor is not True:
        return
    row = service.row
    if row is None or row.advice is not Advice.OFF or row.when.protocol is not None:
        return
    annotation = service.monitor_annotation
    if annotation is None and row.when.policy is None:
        return  # not specific to this Service: reported by the rules about cloud.conf
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "false")
    actions = "; ".join(row.actions)
    yield Problem(
        annotation.span if annotation is not None else service.span_of("spec", "externalTrafficPolicy"),
        f"a health monitor breaks this Service: {row.why}",
        f"{'This annotation' if annotation is not None else 'create-monitor in cloud.conf'} asks for it "
        f"(`ccmcheck explain {row.id}`).",
        f'Set the annotation loadbalancer.openstack.org/enable-health-monitor: "false"; or {actions}.',
        yaml_fixes.unsafe(service.manifest, 'write the annotation `enable-health-monitor: "false"`', edit),
    )
