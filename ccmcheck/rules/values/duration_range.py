"""A health monitor time that is not a positive number of whole seconds.

What it does: finds health monitor times of zero or less, and times with a fraction of a second.

Why: Octavia uses whole seconds, so the CCM drops the fraction: `500ms` becomes 0 and `1500ms` becomes 1.

What the CCM does: it starts. With a delay of 0 Octavia accepts a new load balancer whose amphora then rejects the configuration:
the load balancer goes to ERROR and is created again and again. The monitor of an existing load balancer fails at each reconcile,
because the request omits the zero. Negative values are sent unchanged and rejected.

Releases: all

Fix: rounds up to the next whole second; deletes a time of zero or less, so that the default applies.

Fix safety: unsafe because it changes when nodes are marked down

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

META = Meta("duration-range", "A health monitor time that is not a positive number of whole seconds", Severity.WARNING)

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
                "a health monitor time must be at least one second",
                "A new load balancer goes to ERROR or is rejected, and the monitors of existing ones fail at every reconcile."
                if key == "monitor-delay" or value < 0
                else "The monitor of an existing load balancer cannot be created without a timeout, and fails at every reconcile.",
                f"Write whole seconds, or delete the line: the default is {default}.",
                fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
            )
            continue
        seconds = value // _SECOND
        yield Problem(
            item.span,
            f"the CCM drops the fraction and requests {seconds} s",
            "With a delay of 0 a new load balancer goes to ERROR, and updates of an existing monitor fail at every reconcile."
            if not seconds
            else "Octavia uses whole seconds.",
            f"Write `{seconds + 1}s`.",
            fixes.unsafe(conf, f"write `{seconds + 1}s`", fixes.write_value(conf, item.entry, f"{seconds + 1}s")),
        )
