"""Monitor retries out of Octavia's range.

What it does: finds `monitor-max-retries` and `monitor-max-retries-down` outside 1 to 10.

Why: Octavia rejects every load balancer with a monitor, and its Service stays pending.

What the CCM does: it sends any number; Octavia returns 400 and creates nothing.

Releases: all

Fix: writes the nearest number that Octavia accepts.

Fix safety: unsafe because load balancers are created that were rejected before

Source: openstack/octavia octavia/common/constants.py MIN_HM_RETRIES and MAX_HM_RETRIES, run with 19.0.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.octavia import RETRIES
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-range", "Monitor retries out of Octavia's range", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries = 30\n",
        at=(3, 23),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries = 10\n",
        unsafe=True,
    ),
    Case(
        '[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries="0"\n',
        at=(3, 21),
        fixed='[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries="1"\n',
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=11\n",
        at=(3, 26),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=10\n",
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries=10\nmonitor-max-retries-down=1\n"),
    Case("[LoadBalancer]\ncreate-monitor=false\nmonitor-max-retries=30\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries=3s\n", shown=False),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries=${RETRIES}0\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=11\n", release="v1.27.2"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=0\n", shown=False),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries=0\n", release="1.17", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at both counts."""
    lb = balancer(conf)
    if lb.monitor is False or not lb.applies:
        return
    low, high = RETRIES
    for key, value in (("monitor-max-retries", lb.retries), ("monitor-max-retries-down", lb.down)):
        if value is None or low <= value <= high or key not in lb.items:
            continue
        if not value and (key == "monitor-max-retries-down" or not lb.timers_by_default):
            continue  # reported by other rules: nothing is sent, or the CCM does not start
        item = lb.items[key]
        nearest = str(min(max(value, low), high))
        yield Problem(
            item.span,
            f"out of range: Octavia accepts {low} to {high}",
            "It rejects every load balancer with a monitor with 400, and the Service stays pending.",
            f"Write `{nearest}`.",
            fixes.unsafe(conf, f"write `{nearest}`", fixes.write_value(conf, item.entry, nearest)),
        )
