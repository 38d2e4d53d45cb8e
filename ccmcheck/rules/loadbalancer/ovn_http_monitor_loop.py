"""HTTP health monitors that ovn rejects.

What it does: finds `lb-provider = ovn` with `create-monitor = true`, for releases that request HTTP monitors from ovn.

Why: each attempt for a Service with externalTrafficPolicy Local leaves a broken load balancer behind, until the
quota is exhausted.

What the CCM does: from 1.23 it requests an HTTP monitor for Local Services, whatever the provider; ovn supports TCP
and UDP-CONNECT only. Since 1.26 it requests TCP from ovn.

Releases: 1.23 to 1.25

Fix: writes `create-monitor = false`.

Fix safety: unsafe because other Services lose their monitors

Source: kubernetes/cloud-provider-openstack#2039, #2225
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("ovn-http-monitor-loop", "HTTP health monitors that ovn rejects", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\n",
        at=(3, 16),
        fixed="[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=false\n",
        unsafe=True,
        release="1.25",
        severity=Severity.INFO,
    ),
    Case(
        '[LoadBalancer]\ncreate-monitor = "yes"\nlb-provider = "ovn"\n',
        at=(2, 18),
        fixed='[LoadBalancer]\ncreate-monitor = "false"\nlb-provider = "ovn"\n',
        unsafe=True,
        release="v1.23.1",
        severity=Severity.INFO,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\n", release="v1.26.0"),
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\n", release="1.22"),
    Case("[LoadBalancer]\nlb-provider=ovn\n", release="1.25"),
    Case("[LoadBalancer]\ncreate-monitor=true\n", release="1.25"),
    Case("[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=${M}\n", release="1.25", template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the release, then at the configuration."""
    if not behaves("local-monitor-is-http-on-ovn", conf.release):
        return
    lb = balancer(conf)
    if lb.monitor is not True or not lb.driver.is_special or not lb.applies:
        return
    item = lb.items["create-monitor"]
    yield Problem(
        item.span,
        f"CCM {conf.release.name} requests an HTTP monitor for Local Services, and ovn rejects the load balancer",
        "The CCM retries forever; each attempt may leave a load balancer behind, until the quota is exhausted.",
        f"Upgrade to {fixed_in('local-monitor-is-http-on-ovn', conf.release)} or newer; until then write "
        "`false`, or use externalTrafficPolicy Cluster.",
        fixes.unsafe(conf, "write `false`", fixes.write_value(conf, item.entry, "false")),
        # only Services with that policy are affected, and none is known here
        severity=Severity.INFO,
    )
