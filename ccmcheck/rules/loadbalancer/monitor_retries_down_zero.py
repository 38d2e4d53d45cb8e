"""monitor-max-retries-down = 0 causes an update at every reconcile.

What it does: finds `monitor-max-retries-down = 0`.

Why: every reconcile sends an update that changes nothing, for every port of every Service, and locks the load balancer
for its duration.

What the CCM does: it omits the zero from the request, Octavia stores its default of 3, the CCM finds 3 instead of
0 and updates the monitor, again without the field.

Releases: where the key exists: v1.26.4, v1.27.3, v1.28.1 and newer

Fix: deletes the line; Octavia keeps using 3.

Fix safety: safe because Octavia's behaviour stays the same

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go ensureOctaviaHealthMonitor; gophercloud UpdateOpts,
run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.octavia import DEFAULT_RETRIES_DOWN
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta(
    "monitor-retries-down-zero", "monitor-max-retries-down = 0 causes an update at every reconcile", Severity.WARNING
)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down = 0\nlb-provider=amphora\n",
        at=(3, 28),
        fixed="[LoadBalancer]\ncreate-monitor=true\nlb-provider=amphora\n",
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=0x0",
        at=(3, 26),
        fixed="[LoadBalancer]\ncreate-monitor=true",
        release="v1.26.4",
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=3\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=0\n", release="v1.28.0"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=${DOWN}\n", template=True),
    Case("[LoadBalancer]\nmonitor-max-retries-down=0\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the zero."""
    lb = balancer(conf)
    if lb.down != 0 or lb.monitor is False or not lb.applies:
        return
    item = lb.items.get("monitor-max-retries-down")
    if item is not None:
        yield Problem(
            item.span,
            f"the CCM does not send 0: Octavia uses {DEFAULT_RETRIES_DOWN}, and the CCM updates the monitor at every reconcile",
            "Each update locks the load balancer for a moment and changes nothing.",
            f"Delete the line; Octavia's own default is {DEFAULT_RETRIES_DOWN}.",
            fixes.safe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
        )
