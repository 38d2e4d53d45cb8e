"""Health monitor timers that an old CCM requires.

What it does: finds `create-monitor = true` without all of `monitor-delay`, `monitor-timeout` and
`monitor-max-retries`, for releases in which these have no defaults.

Why: the CCM does not start.

What the CCM does: it fails with ``monitor-delay not set in cloud provider config``, or the same for the other two; a
value of 0 counts as not set. Since 1.18 the timers have defaults and the check was removed.

Releases: 1.17 and older, and the legacy in-tree provider

Fix: adds the timers with the defaults of later releases.

Fix safety: safe because the CCM cannot start as it is

Source: cloud-provider-openstack pkg/cloudprovider/providers/openstack/openstack.go checkOpenStackOpts, v1.14.0 to
v1.17.0; kubernetes/kubernetes#48347
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.policy.create_monitor.timers import UPSTREAM
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer, has_timers_by_default
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-timers-missing-legacy", "Health monitor timers that an old CCM requires", Severity.ERROR)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor = true\n",
        at=(2, 1),
        fixed="[LoadBalancer]\ncreate-monitor = true\nmonitor-delay = 5s\nmonitor-timeout = 3s\nmonitor-max-retries = 1\n",
        release="1.17",
    ),
    Case(
        "[LoadBalancer]\ncreate-monitor=yes\nmonitor-delay=1m\nmonitor-timeout=30s\nmonitor-max-retries=0\n",
        at=(2, 1),
        fixed="[LoadBalancer]\ncreate-monitor=yes\nmonitor-delay=1m\nmonitor-timeout=30s\nmonitor-max-retries=1\n",
        release="1.16",
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor = true\n"),
    Case("[LoadBalancer]\ncreate-monitor = true\n", release="1.18"),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=1m\nmonitor-timeout=30s\nmonitor-max-retries=3\n",
        release="1.17",
    ),
    Case("[LoadBalancer]\ncreate-monitor=false\n", release="1.17"),
    Case(
        "[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=5\nmonitor-timeout=3s\nmonitor-max-retries=1\n",
        release="1.17",
        shown=False,
    ),
    Case("[LoadBalancer]\ncreate-monitor=true\n$TIMERS\n{{ timers }}\n", release="1.17", template=True),
)

_NEEDED = ("monitor-delay", "monitor-timeout", "monitor-max-retries")


def check(conf: CloudConf) -> Iterator[Problem]:
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
