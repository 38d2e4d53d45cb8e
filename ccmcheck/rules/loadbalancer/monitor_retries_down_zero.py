"""monitor-max-retries-down = 0 causes an update at every reconcile."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.octavia import DEFAULT_RETRIES_DOWN
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
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
