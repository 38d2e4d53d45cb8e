"""monitor-timeout is not below monitor-delay.

What it does: finds health monitors whose timeout is not below their delay.

Why: the Octavia API reference requires a timeout below the delay. A longer one only delays the detection of
a hung node: with 5s/10s HAProxy took 41 to 44.5 s, with 5s/3s 26 to 30 s.

What the CCM does: it sends both unchanged, and Octavia accepts them; no release of either compares the two.

Releases: all

Fix: writes a timeout one second below the delay.

Fix safety: unsafe because it changes when nodes are marked down

Source: Octavia API reference, parameters.yaml; Octavia 19.0.0 run with both; HAProxy 2.6 on Octavia's
configuration, measured
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-timeout-ge-delay", "monitor-timeout is not below monitor-delay", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=10s\nmonitor-timeout=10s\n",
        at=(4, 17),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=10s\nmonitor-timeout=9s\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-timeout=30s\n",
        at=(3, 17),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-timeout=4s\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=2s\n",
        at=(3, 15),
        fixed="[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=2s\nmonitor-timeout=1s\n",
        unsafe=True,
    ),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=1s\nmonitor-timeout=1s\n", at=(4, 17), shown=False),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=10s\nmonitor-timeout=9s\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\n"),
    Case("[LoadBalancer]\ncreate-monitor=false\nmonitor-delay=5s\nmonitor-timeout=60s\n"),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=${DELAY}\nmonitor-timeout=60s\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=3\nmonitor-timeout=60s\n", shown=False),
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=500ms\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Compare the two."""
    lb = balancer(conf)
    if lb.delay is None or lb.timeout is None or lb.timeout < lb.delay or lb.delay <= 0:
        return
    if lb.monitor is False or not lb.applies:
        return
    own = lb.items.get("monitor-timeout")
    other = lb.items.get("monitor-delay")
    item = own or other
    if item is None:
        return
    fix = None
    help_text = "Write a longer `monitor-delay`."
    if lb.delay > 1:
        value = f"{lb.delay - 1}s"
        help_text = f"Write `monitor-timeout = {value}`, or a longer `monitor-delay`."
        edit = (
            fixes.write_value(conf, own.entry, value)
            if own is not None
            else fixes.add_key(conf, SECTION, "monitor-timeout", value, after=item.entry)
        )
        fix = fixes.unsafe(conf, f"write `monitor-timeout = {value}`", edit)
    yield Problem(
        item.span,
        f"the timeout of {lb.timeout} s is not below monitor-delay, {lb.delay} s"
        if own is not None
        else f"the default monitor-timeout, {lb.timeout} s, is not below this",
        "The Octavia API reference requires a timeout below the delay; a longer one only delays the "
        "detection of a hung node.",
        help_text,
        fix,
    )
