"""A duration that the CCM cuts down to whole seconds, or one that no monitor can have.

What it does: finds health monitor times at or below zero, and times that are not whole seconds.

Why: Octavia counts in whole seconds, so the CCM drops the rest: `500ms` becomes 0 and `1500ms` becomes 1.

What the CCM does: it starts. With a delay of 0 Octavia accepts a new load balancer whose amphora then refuses the configuration:
the load balancer ends in ERROR and is made again and again. The monitor of an existing load balancer fails at each reconcile,
because the request leaves the zero out. Negative values are sent as they are and refused.

Releases: all

Fix: rounds up to the next whole second; a time at or below zero is deleted, so that the default applies.

Fix safety: unsafe because it changes when nodes are taken out

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go (int(Duration.Seconds())), all releases; Octavia API 19.0.0 run
with the body that the CCM sends
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("duration-range", "A health monitor time that is not whole seconds", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\nmonitor-delay = 500ms\n", at=(2, 17), fixed="[LoadBalancer]\nmonitor-delay = 1s\n", unsafe=True
    ),
    Case(
        "[LoadBalancer]\nmonitor-timeout=1.5s\n", at=(2, 17), fixed="[LoadBalancer]\nmonitor-timeout=2s\n", unsafe=True
    ),
    Case(
        "[LoadBalancer]\nmonitor-delay=0\nmonitor-timeout=3s\n",
        at=(2, 15),
        fixed="[LoadBalancer]\nmonitor-timeout=3s\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nmonitor-delay=-5s # never\n",
        at=(2, 15),
        fixed="[LoadBalancer]\n# never\n",
        unsafe=True,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nmonitor-delay = 1m30s\nmonitor-timeout=5000ms\n"),
    Case("[LoadBalancer]\nmonitor-delay=500ms\nmonitor-delay=5s\n", shown=False),
    Case("[Metadata]\nrequest-timeout=500ms\n"),
    Case("[LoadBalancer]\nmonitor-delay=${DELAY}ms\n", template=True),
    Case("[LoadBalancer]\nmonitor-delay=3\n", shown=False),
)

_SECOND = 1_000_000_000


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at both times of the health monitor."""
    for key in ("monitor-delay", "monitor-timeout"):
        item = conf.last("LoadBalancer", key)
        if item is None or item.spec is None:
            continue
        value = conf.typed(item)
        if not isinstance(value, int) or (value > 0 and value % _SECOND == 0):
            continue
        if value <= 0:
            default = unreadable.default_of(item.spec)
            yield Problem(
                item.span,
                "no time that a health monitor can work with",
                "A new load balancer ends in ERROR or is refused, and the monitors of the existing ones fail at every reconcile."
                if key == "monitor-delay" or value < 0
                else "A monitor of an existing load balancer cannot be made without a timeout, and fails at every reconcile.",
                f"Write a whole number of seconds, or delete the line: the default is {default}.",
                fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
            )
            continue
        seconds = value // _SECOND
        yield Problem(
            item.span,
            f"the CCM drops the fraction and asks Octavia for {seconds} s",
            "A delay of 0 puts a new load balancer in ERROR, and updates of an existing monitor fail at every reconcile."
            if not seconds
            else "Octavia counts in whole seconds.",
            f"Write `{seconds + 1}s`.",
            fixes.unsafe(conf, f"write `{seconds + 1}s`", fixes.write_value(conf, item.entry, f"{seconds + 1}s")),
        )
