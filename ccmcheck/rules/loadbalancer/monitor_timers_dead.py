"""Health monitor timers without health monitors."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules._support.ignored import is_misnamed


def check(conf: CloudConf) -> Problems:
    """Look at create-monitor where there are timers."""
    lb = balancer(conf)
    if lb.monitor is not False or not lb.applies or not lb.timers_by_default:
        return
    timers = lb.timers
    if not timers:
        return
    absent = "create-monitor" not in lb.items
    if absent and (conf.may_hide_keys(SECTION) or is_misnamed(conf, SECTION, "create-monitor")):
        return
    from ccmcheck.policy.create_monitor.verdict import for_config

    fix = None
    if absent and for_config(conf.release, lb.driver_family, lb.serial).value:
        edit = fixes.add_key(conf, SECTION, "create-monitor", "true")
        fix = fixes.unsafe(conf, "write `create-monitor = true`", edit)
    yield Problem(
        timers[0].entry.key_span,
        "unused by default: create-monitor is " + ("not set and defaults to false" if absent else "false"),
        'Only Services with the annotation `loadbalancer.openstack.org/enable-health-monitor: "true"` use the timers.',
        "Write `create-monitor = true`, or delete the timers if no Service has the annotation.",
        fix,
    )
