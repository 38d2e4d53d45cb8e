"""Health monitors break in CCM v1.23.0.

What it does: finds `create-monitor = true` for v1.23.0.

Why: at the first change of nodes all members of all Local Services go down: a total outage.

What the CCM does: the update of the members omits their `monitor_port`, so the HTTP check for the health
check node port goes to the NodePort.

Releases: v1.23.0 only

Fix: none; upgrade to v1.23.1 or newer.

Source: kubernetes/cloud-provider-openstack#1749; SovereignCloudStack/k8s-cluster-api-provider#411
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-occm-1230", "Health monitors break in CCM v1.23.0", Severity.WARNING)

BAD = (
    Case("[LoadBalancer]\ncreate-monitor=true\n", at=(2, 16), release="v1.23.0"),
    Case("[LoadBalancer]\nlb-provider = octavia\ncreate-monitor\n", at=(3, 1), release="v1.23.0"),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\n", release="v1.23.1"),
    Case("[LoadBalancer]\ncreate-monitor=true\n", release="1.23"),
    Case("[LoadBalancer]\ncreate-monitor=true\n", release="v1.22.2"),
    Case("[LoadBalancer]\ncreate-monitor=false\n", release="v1.23.0"),
    Case("[LoadBalancer]\ncreate-monitor=${MONITOR}\n", release="v1.23.0", template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
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
