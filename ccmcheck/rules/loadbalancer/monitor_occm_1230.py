"""Health monitors break in CCM v1.23.0."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Look at the release first."""
    if not behaves("monitor-port-lost", conf.release):
        return
    lb = balancer(conf)
    if lb.monitor is True and lb.applies:
        fixed = fixed_in("monitor-port-lost", conf.release)
        yield Problem(
            lb.items["create-monitor"].span,
            f"CCM {conf.release.name} loses the members' monitor_port when nodes change",
            "All members of Services with externalTrafficPolicy Local go down then.",
            f"Upgrade to {fixed} or newer; until then write `false`.",
        )
