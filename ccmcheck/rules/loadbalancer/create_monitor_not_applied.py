"""create-monitor is on, and load balancers have no health monitor.

What it does: counts in a running cluster the load balancers that should have health monitors by cloud.conf and have none in
Octavia.

Why: the file says that dead nodes leave the load balancers, and they do not.

What the CCM does: it makes monitors when it syncs a Service. It has no periodic sync, so a monitor that was deleted in Octavia,
or whose creation failed, stays away until the Service changes, the nodes change (since 1.26.4, 1.27.3 and 1.28.1) or the CCM
restarts.

Releases: 1.18 and newer

Fix: none; `ccmcheck cluster resync` triggers a sync of Services

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaHealthMonitor; kubernetes/cloud-provider-openstack#1597,
#2370, #2962
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveBalancer, LiveCluster, LiveDifference
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "create-monitor-not-applied",
    "create-monitor is on, and load balancers have no health monitor",
    Severity.WARNING,
    per_release=False,
)


def _run(*, lacking: int, having: int, wants: bool = True) -> RunContext:
    missing = (LiveDifference("monitor", "pool of port 80", "none", "TCP", 80),)
    balancers = {
        f"Service a/{number}": LiveBalancer(
            f"Service a/{number}", "1c0d8b6e", differences=missing if number < lacking else (), wants_monitors=wants
        )
        for number in range(lacking + having)
    }
    return RunContext(live=LiveCluster(balancers=balancers))


_CONF = "[LoadBalancer]\ncreate-monitor = true\n"
BAD = (Case(_CONF, at=(2, 1), run_context=_run(lacking=14, having=6)),)
GOOD = (
    Case(_CONF, run_context=_run(lacking=0, having=20)),
    Case(_CONF),
    Case("[LoadBalancer]\ncreate-monitor = false\n", run_context=_run(lacking=1, having=0, wants=False)),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Count the load balancers without a monitor."""
    live = conf.run_context.live
    lb = balancer(conf)
    item = lb.items.get("create-monitor")
    if live is None or item is None or lb.monitor is not True:
        return
    wanting = [one for one in live.balancers.values() if one.wants_monitors and one.id]
    lacking = [one for one in wanting if one.lacks_monitors]
    if lacking:
        have = "has" if len(lacking) == 1 else "have"
        yield Problem(
            item.entry.key_span,
            f"create-monitor is true, and {len(lacking)} of {len(wanting)} load balancers {have} no health monitor on a port",
            "The CCM makes monitors when it syncs a Service, and has no periodic sync.",
            "The findings about the Services name them, and what corrects each.",
        )
