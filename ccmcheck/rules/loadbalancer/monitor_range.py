"""Monitor retries out of Octavia's range."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.octavia import RETRIES
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
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
