"""Health monitor timers without health monitors.

What it does: finds `monitor-*` keys in a file whose `create-monitor` is off or not set.

Why: timers suggest that monitors are intended; often `create-monitor` was forgotten.

What the CCM does: it uses the timers for Services with the annotation
`loadbalancer.openstack.org/enable-health-monitor: "true"` only.

Releases: 1.18 and newer

Fix: adds `create-monitor = true` where the key is missing and the decision matrix agrees; none where the key
is `false`.

Fix safety: unsafe because every load balancer gets monitors at the next restart of the CCM

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go, 1.18 and newer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules._support.ignored import is_misnamed
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("monitor-timers-dead", "Health monitor timers without health monitors", Severity.INFO)

BAD = (
    Case("[LoadBalancer]\ncreate-monitor=false\nmonitor-timeout=3s\nmonitor-delay=5s\n", at=(3, 1)),
    Case(
        "[LoadBalancer]\nmonitor-max-retries = 3\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nmonitor-max-retries = 3\ncreate-monitor = true\n",
        unsafe=True,
    ),
    Case("[LoadBalancer]\nlb-provider=ovn\nmonitor-delay=10s\n", at=(3, 1), release="1.24", shown=False),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-delay=5s\n"),
    Case("[LoadBalancer]\ncreate-monitor=false\n"),
    Case("[LoadBalancer]\nmonitor-delay=5s\n", release="1.17"),
    Case("[LoadBalancer]\nmonitor-delay=5s\n{% if monitor %}\ncreate-monitor=true\n{% endif %}\n", template=True),
    Case("[LoadBalancer]\nmonitor-delay=5s\ncreate-montior=true\n", shown=False),
    Case("[LoadBalancer]\nmonitor-delay=5s\nenabled=false\n", shown=False),
    Case("[LoadBalancer]\nmonitor-delay=5s\ncreate-monitor=ture\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at create-monitor where there are timers."""
    lb = balancer(conf)
    if lb.monitor is not False or not lb.applies or not lb.timers_by_default:
        return
    timers = lb.timers
    if not timers:
        return
    absent = "create-monitor" not in lb.items
    if absent and (conf.may_hide_keys(SECTION) or is_misnamed(conf, SECTION, "create-monitor")):
        return
    from ccmcheck.policy.create_monitor.verdict import for_config

    fix = None
    if absent and for_config(conf.release, lb.driver_family, lb.serial).value:
        edit = fixes.add_key(conf, SECTION, "create-monitor", "true")
        fix = fixes.unsafe(conf, "write `create-monitor = true`", edit)
    yield Problem(
        timers[0].entry.key_span,
        "unused: create-monitor is " + ("not set and defaults to false" if absent else "false"),
        'Only Services with the annotation `loadbalancer.openstack.org/enable-health-monitor: "true"` use the timers.',
        "Write `create-monitor = true`, or delete the timers.",
        fix,
    )
