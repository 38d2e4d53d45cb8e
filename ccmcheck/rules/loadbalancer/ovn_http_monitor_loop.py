"""HTTP health monitors that ovn rejects."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Look at the release, then at the configuration."""
    if not behaves("local-monitor-is-http-on-ovn", conf.release):
        return
    lb = balancer(conf)
    if lb.monitor is not True or not lb.driver.is_special or not lb.applies:
        return
    item = lb.items["create-monitor"]
    yield Problem(
        item.span,
        f"CCM {conf.release.name} requests an HTTP monitor for Local Services, and ovn rejects the load balancer",
        "The CCM retries forever; each attempt may leave a load balancer behind, until the quota is exhausted.",
        f"Upgrade to {fixed_in('local-monitor-is-http-on-ovn', conf.release)} or newer; until then write "
        "`false`, or use externalTrafficPolicy Cluster.",
        fixes.unsafe(conf, "write `false`", fixes.write_value(conf, item.entry, "false")),
        # only Services with that policy are affected, and none is known here
        severity=Severity.INFO,
    )
