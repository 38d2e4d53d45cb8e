"""Health monitor timers that an old CCM requires."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.create_monitor.timers import UPSTREAM
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer, has_timers_by_default

_NEEDED = ("monitor-delay", "monitor-timeout", "monitor-max-retries")


def check(conf: CloudConf) -> Problems:
    """Report the missing timers."""
    if has_timers_by_default(conf) or not conf.for_provider:
        return
    lb = balancer(conf)
    if lb.monitor is not True:
        return
    values = {
        "monitor-delay": conf.value(SECTION, "monitor-delay"),
        "monitor-timeout": conf.value(SECTION, "monitor-timeout"),
    }
    values["monitor-max-retries"] = lb.retries
    missing = [key for key in _NEEDED if values[key] == 0]
    if not missing:
        return
    switch = lb.items["create-monitor"].entry
    edits = [
        fixes.write_value(conf, lb.items[key].entry, UPSTREAM.keys[key])
        if key in lb.items
        else fixes.add_key(conf, SECTION, key, UPSTREAM.keys[key], after=switch)
        for key in missing
    ]
    yield Problem(
        switch.key_span,
        f"the provider of {conf.release.name} does not start: {', '.join(missing)} not set",
        f"The log says `{missing[0]} not set in cloud provider config`; these releases have no defaults, "
        "and 0 counts as not set.",
        "Write " + ", ".join(f"`{key} = {UPSTREAM.keys[key]}`" for key in missing) + ".",
        fixes.safe(conf, "write the timers", *edits),
    )
