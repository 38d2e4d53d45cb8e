"""Health monitors are disabled where they are recommended."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, has_requirement


def check(conf: CloudConf) -> Problems:
    """Look up the decision matrix where the key is false."""
    lb = balancer(conf)
    if lb.monitor is not False or not lb.applies or "create-monitor" not in lb.items:
        return
    if has_requirement(conf, "create-monitor"):
        return
    from ccmcheck.policy.create_monitor.verdict import for_config

    verdict = for_config(conf.release, lb.driver_family, lb.serial)
    row = verdict.for_any
    if not verdict.value or row is None:
        return
    item = lb.items["create-monitor"]
    yield Problem(
        item.span,
        "create-monitor is false: load balancers do not check their nodes",
        f"{row.why[0].upper()}{row.why[1:]} (`ccmcheck explain {row.id}`); Services with "
        "externalTrafficPolicy Local always need health monitors.",
        'Write `true`, and the annotation `loadbalancer.openstack.org/enable-health-monitor: "false"` '
        "on Services that must not have a monitor.",
        fixes.unsafe(conf, "write `true`", fixes.write_value(conf, item.entry, "true")),
        # no Service is known that would fail
        severity=Severity.INFO,
    )
