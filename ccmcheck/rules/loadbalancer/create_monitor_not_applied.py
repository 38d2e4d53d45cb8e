"""create-monitor is on, and load balancers have no health monitor."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import balancer


def check(conf: CloudConf) -> Problems:
    """Count the load balancers without a monitor."""
    live = conf.run_context.live
    lb = balancer(conf)
    item = lb.items.get("create-monitor")
    if live is None or item is None or lb.monitor is not True:
        return
    wanting = [one for one in live.balancers.values() if one.wants_monitors and one.id]
    lacking = [one for one in wanting if any(difference.kind == "monitor" for difference in one.differences)]
    if lacking:
        have = "has" if len(lacking) == 1 else "have"
        yield Problem(
            item.entry.key_span,
            f"create-monitor is true, and {len(lacking)} of {len(wanting)} load balancers {have} no health monitor on a port",
            "The CCM makes monitors when it syncs a Service, and has no periodic sync.",
            "`ccmcheck cluster resync --all` shows what a sync corrects; the findings about the Services name each.",
        )
