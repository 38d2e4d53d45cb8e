"""Health checks of Local Services use the wrong port in serial mode.

What it does: finds `provider-requires-serial-api-calls = true` together with `create-monitor = true`, without ovn.

Why: every Service with externalTrafficPolicy Local loses all its members.

What the CCM does: for such a Service it creates an HTTP monitor for /healthz, but in serial mode it creates members
without a `monitor_port`, so the check goes to the traffic's NodePort instead of the health check node port.

Releases: 1.28 and newer, where the key exists

Fix: none in this file; the annotation `loadbalancer.openstack.org/enable-health-monitor: "false"` on the Services,
or externalTrafficPolicy Cluster.

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer_serial.go, 1.28 to 1.36; read, not run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "monitor-serial-local", "Health checks of Local Services use the wrong port in serial mode", Severity.WARNING
)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nprovider-requires-serial-api-calls=true\n",
        at=(3, 36),
        severity=Severity.INFO,
    ),
    Case(
        "[LoadBalancer]\nlb-provider=f5\nprovider-requires-serial-api-calls\ncreate-monitor=yes\n",
        at=(3, 1),
        severity=Severity.INFO,
        release="1.32",
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nprovider-requires-serial-api-calls=false\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\nprovider-requires-serial-api-calls=true\n"),
    Case("[LoadBalancer]\ncreate-monitor=false\nprovider-requires-serial-api-calls=true\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nprovider-requires-serial-api-calls=true\n", release="1.27"),
    Case(
        "[LoadBalancer]\nlb-provider={{ p }}\ncreate-monitor=true\nprovider-requires-serial-api-calls=true\n",
        template=True,
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the combination."""
    lb = balancer(conf)
    if lb.serial is True and lb.monitor is True and lb.driver.is_named and not lb.driver.is_special and lb.applies:
        yield Problem(
            lb.items["provider-requires-serial-api-calls"].span,
            "members are created without a monitor_port, so the checks of Local Services use the wrong port",
            "All members of a Service with externalTrafficPolicy Local go down; Services with Cluster are not affected.",
            "Give Local Services the annotation `loadbalancer.openstack.org/enable-health-monitor: "
            '"false"`, or use Cluster.',
            # only Services with that policy are affected, and none is known here
            severity=Severity.INFO,
        )
