"""Health checks of Local Services use the wrong port in serial mode."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Look for the combination."""
    lb = balancer(conf)
    if lb.serial is True and lb.monitor is True and lb.driver.is_named and not lb.driver.is_special and lb.applies:
        yield Problem(
            lb.items["provider-requires-serial-api-calls"].span,
            "members are created without a monitor_port, so the checks of Local Services use the wrong port",
            "All members of a Service with externalTrafficPolicy Local are down unless its pods answer /healthz at the "
            "NodePort with 200; Services with Cluster are not affected.",
            "Give Local Services the annotation `loadbalancer.openstack.org/enable-health-monitor: "
            '"false"`, or use Cluster.',
            # only Services with that policy are affected, and none is known here
            severity=Severity.INFO,
        )
