"""Slow health monitors for Local Services."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.create_monitor.timers import BALANCED, SLOW_SECONDS, UPSTREAM
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, other_timers, write_timers


def check(conf: CloudConf) -> Problems:
    """Calculate how long detection takes."""
    lb = balancer(conf)
    if lb.monitor is not True or not lb.applies or not lb.delay or not lb.timeout or not lb.down:
        return
    seconds = lb.driver.gone_seconds(lb.delay, lb.timeout, lb.down)
    if seconds is None or seconds <= SLOW_SECONDS or not lb.timers or not behaves("supports-local", conf.release):
        return
    item = lb.items.get("monitor-delay") or lb.timers[0]
    profile = BALANCED if lb.driver.is_special else UPSTREAM
    yield Problem(
        item.span,
        f"a node without a pod stays in rotation for up to {seconds:g} s",
        "A Service with externalTrafficPolicy Local loses that node's share of new connections "
        "meanwhile, at every rollout.",
        "Write shorter timers, such as " + ", ".join(f"`{key} = {value}`" for key, value in profile.keys.items()) + ".",
        fixes.unsafe(conf, f"write the timers of the profile `{profile.name}`", *write_timers(conf, lb, profile)),
        # only Services with that policy are affected, and none is known here
        severity=Severity.INFO,
        notes=other_timers(lb, item, profile),
    )
