"""monitor-timeout is not below monitor-delay."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer


def check(conf: CloudConf) -> Problems:
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
    key, value = ("monitor-timeout", lb.delay - 1) if lb.delay > 1 else ("monitor-delay", lb.timeout + 1)
    changed = lb.items.get(key)
    edit = (
        fixes.write_value(conf, changed.entry, f"{value}s")
        if changed is not None
        else fixes.add_key(conf, SECTION, key, f"{value}s", after=item.entry)
    )
    yield Problem(
        item.span,
        f"the timeout of {lb.timeout} s is not below monitor-delay, {lb.delay} s"
        if own is not None
        else f"the default monitor-timeout, {lb.timeout} s, is not below this",
        "The Octavia API reference requires a timeout below the delay; a longer one only delays the "
        "detection of a hung node.",
        f"Write `{key} = {value}s`{', or a longer `monitor-delay`' if key == 'monitor-timeout' else ''}.",
        fixes.unsafe(conf, f"write `{key} = {value}s`", edit),
    )
