"""A health monitor that breaks this Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.annotation_values import LONGEST, RANGES
from ccmcheck.catalog.service_annotations import integer
from ccmcheck.policy.create_monitor.records import Advice
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Look at the monitor's times, and up in the decision matrix."""
    if not service.is_ours or service.monitor is not True:
        return
    for name, longest in LONGEST.items():
        given = service.annotation(name)
        value = integer(given.text) if given is not None and given.text is not None else None
        if given is not None and value is not None and longest <= value <= (RANGES[name][1] or value):
            yield Problem(
                given.span,
                f"the unit is seconds: {value} s",
                "A node that does not answer stays in the load balancer for that long, or longer.",
                f'For {value} milliseconds write `"{value // 1000}"`.',
            )
    row = service.row
    if row is None or row.advice is not Advice.OFF or row.when.protocol is not None:
        return
    annotation = service.monitor_annotation
    if annotation is None and row.when.policy is None:
        return  # not specific to this Service: reported by the rules about cloud.conf
    edit = service_fixes.set_annotation(service, "enable-health-monitor", "false")
    yield Problem(
        annotation.span if annotation is not None else service.span_of("spec", "externalTrafficPolicy"),
        f"a health monitor breaks this Service: {row.why}",
        f"{'This annotation' if annotation is not None else 'create-monitor in cloud.conf'} asks for it "
        f"(`ccmcheck explain {row.id}`).",
        f'Set the annotation loadbalancer.openstack.org/enable-health-monitor: "false"; or {"; ".join(row.actions)}.',
        yaml_fixes.unsafe(service.manifest, 'write the annotation `enable-health-monitor: "false"`', edit),
    )
