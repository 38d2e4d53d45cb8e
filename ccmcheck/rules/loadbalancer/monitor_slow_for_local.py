"""Slow health monitors for Local Services.

What it does: finds health monitors that take more than a minute to mark a node as down.

Why: with externalTrafficPolicy Local a node drops connections as soon as its last pod of the Service is gone, which
happens at every rollout. Until the monitor detects it, the node's share of new connections fails.

What the CCM does: it sends the timers to Octavia. With amphora a node that fails its check is removed after at most `monitor-delay` ×
`monitor-max-retries-down`; with ovn a node without a pod does not answer, and each check also waits for
`monitor-timeout`.

Releases: 1.23 and newer, which support Local

Fix: writes the timers of the profile `upstream`, with ovn those of `balanced`.

Fix safety: unsafe because it changes when nodes are removed, and how many checks are sent

Source: HAProxy 2.6 on Octavia's configuration, measured; ovn-org/ovn controller/pinctrl.c; the limit of a minute is
a judgement
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.policy.create_monitor.timers import BALANCED, SLOW_SECONDS, UPSTREAM
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, other_timers, write_timers
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-slow-for-local", "Slow health monitors for Local Services", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=yes\nmonitor-delay=1m\nmonitor-timeout=30s\nmonitor-max-retries=3\n",
        at=(3, 15),
        fixed="[LoadBalancer]\ncreate-monitor=yes\nmonitor-delay=5s\nmonitor-timeout=3s\nmonitor-max-retries=1\n",
        unsafe=True,
        severity=Severity.INFO,
    ),
    Case(
        "[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\nmonitor-delay=20s\nmonitor-timeout=10s\n",
        at=(4, 15),
        fixed="[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\nmonitor-delay=10s\nmonitor-timeout=5s\nmonitor-max-retries=2\n",
        unsafe=True,
        severity=Severity.INFO,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=10\nmonitor-delay=10s\n",
        at=(4, 15),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=3\nmonitor-delay=5s\n",
        unsafe=True,
        severity=Severity.INFO,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=20s\nmonitor-timeout=10s\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=1m\nmonitor-timeout=30s\n", release="1.22"),
    Case("[LoadBalancer]\ncreate-monitor=false\nmonitor-delay=1m\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=${DELAY}\n", template=True),
    Case(
        "[LoadBalancer]\nlb-provider=${PROVIDER}\ncreate-monitor=true\nmonitor-delay=1m\n", template=True, shown=False
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Calculate how long detection takes."""
    lb = balancer(conf)
    if lb.monitor is not True or not lb.applies or not lb.delay or not lb.timeout or not lb.down:
        return
    seconds = lb.driver.gone_seconds(lb.delay, lb.timeout, lb.down)
    if seconds is None or seconds <= SLOW_SECONDS or not lb.timers or not behaves("supports-local", conf.release):
        return
    item = lb.items.get("monitor-delay") or lb.timers[0]
    profile = BALANCED if lb.driver.is_special else UPSTREAM
    yield Problem(
        item.span,
        f"a node without a pod stays in rotation for up to {seconds:g} s",
        "A Service with externalTrafficPolicy Local loses that node's share of new connections "
        "meanwhile, at every rollout.",
        "Write shorter timers, such as " + ", ".join(f"`{key} = {value}`" for key, value in profile.keys.items()) + ".",
        fixes.unsafe(conf, f"write the timers of the profile `{profile.name}`", *write_timers(conf, lb, profile)),
        # only Services with that policy are affected, and none is known here
        severity=Severity.INFO,
        notes=other_timers(lb, item, profile),
    )
