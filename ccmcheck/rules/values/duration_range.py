"""A health monitor time that is not a positive number of whole seconds."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, unreadable
from ccmcheck.rules._support.balancer import balancer

_SECOND = 1_000_000_000


def check(conf: CloudConf) -> Problems:
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
        whole = _whole(conf, key, seconds)
        yield Problem(
            item.span,
            f"the CCM drops the fraction and requests {seconds} s",
            "With a delay of 0 a new load balancer goes to ERROR, and updates of an existing monitor fail at every reconcile."
            if not seconds
            else "Octavia uses whole seconds.",
            f"Write `{whole}s`.",
            fixes.unsafe(conf, f"write `{whole}s`", fixes.write_value(conf, item.entry, f"{whole}s")),
        )


def _whole(conf: CloudConf, key: str, seconds: int) -> int:
    """The whole seconds to write instead: one more, unless the timeout would then not be below the delay."""
    lb = balancer(conf)
    if key == "monitor-delay":
        return max(seconds + 1, 0 if seconds or lb.timeout is None else max(lb.timeout, 1) + 1)
    return seconds if lb.delay and 0 < seconds < lb.delay <= seconds + 1 else seconds + 1
