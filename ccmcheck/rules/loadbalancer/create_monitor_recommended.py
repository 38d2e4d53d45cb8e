"""Health monitors are disabled where they are recommended.

What it does: finds `create-monitor = false` where the decision matrix recommends `true`.

Why: since 1.27 the service controller keeps nodes that are not ready in the load balancer, because it relies on
the load balancer's health checks (KEP-3458). Without monitors a dead node keeps its share of the traffic until its
Node object is deleted.

What the CCM does: it creates no health monitors, and deletes those it created before.

Releases: 1.27 and newer; with ovn 1.26 and newer

Fix: writes `true`.

Fix safety: unsafe because every load balancer gets monitors at the next restart of the CCM

Source: ccmcheck's decision matrix; kubernetes/enhancements KEP-3458; kubernetes/cloud-provider-openstack#2866
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.profile import Requirement
from ccmcheck.carriers.base import RunContext
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer, has_requirement
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("create-monitor-recommended", "Health monitors are disabled where they are recommended", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-monitor = false\n",
        at=(2, 18),
        fixed="[LoadBalancer]\ncreate-monitor = true\n",
        unsafe=True,
        severity=Severity.INFO,
    ),
    Case(
        '[LoadBalancer]\nlb-provider=ovn\ncreate-monitor="no"\n',
        at=(3, 16),
        fixed='[LoadBalancer]\nlb-provider=ovn\ncreate-monitor="true"\n',
        unsafe=True,
        release="v1.26.0",
        severity=Severity.INFO,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor = true\n"),
    Case("[LoadBalancer]\nlb-provider=amphora\n"),
    Case("[LoadBalancer]\ncreate-monitor = false\n", release="1.26"),
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=false\n", release="1.25"),
    Case("[LoadBalancer]\nenabled=no\ncreate-monitor=false\n"),
    Case("[LoadBalancer]\nlb-provider=${PROVIDER}\ncreate-monitor=false\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=${MONITOR}\n", template=True),
    Case("[LoadBalancer]\ncreate-monitor=f\n", shown=False),
    Case(
        "[LoadBalancer]\ncreate-monitor = false\n",
        run_context=RunContext(
            requirements=(Requirement("site", "LoadBalancer", "create-monitor", "equals", ("false",)),)
        ),
        shown=False,
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look up the decision matrix where the key is false."""
    lb = balancer(conf)
    if lb.monitor is not False or not lb.applies or "create-monitor" not in lb.items:
        return
    if has_requirement(conf, "create-monitor"):
        return
    from ccmcheck.policy.create_monitor.verdict import for_config

    verdict = for_config(conf.release, lb.driver_family, lb.serial)
    row = verdict.for_any
    if not verdict.value or row is None:
        return
    item = lb.items["create-monitor"]
    yield Problem(
        item.span,
        "load balancers do not check their nodes",
        f"{row.why[0].upper()}{row.why[1:]} ({row.id}); Services with "
        "externalTrafficPolicy Local always need health monitors.",
        'Write `true`, and the annotation `loadbalancer.openstack.org/enable-health-monitor: "false"` '
        "on Services that must not have a monitor.",
        fixes.unsafe(conf, "write `true`", fixes.write_value(conf, item.entry, "true")),
        # no Service is known that would fail
        severity=Severity.INFO,
    )
