"""A load balancing algorithm that amphora does not support.

What it does: finds `lb-method = SOURCE_IP_PORT` with the provider amphora.

Why: the setting has no effect: a new load balancer uses plain round robin.

What the CCM does: since 1.21 it creates a load balancer in one call; Octavia accepts that, and amphora configures
round robin. A pool that is created or changed in a separate call is rejected with 501, for example for ports that
are added to a Service.

Releases: all

Fix: writes `ROUND_ROBIN`, which is in use now.

Fix safety: unsafe because `SOURCE_IP`, or the provider ovn, may be intended

Source: openstack/octavia amphora_driver/v2/driver.py, 19.0.0, run both ways; the rendered HAProxy configuration
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("amphora-source-ip-port", "A load balancing algorithm that amphora does not support", Severity.WARNING)

BAD = (
    Case(
        "[LoadBalancer]\nlb-method = SOURCE_IP_PORT\n",
        at=(2, 13),
        fixed="[LoadBalancer]\nlb-method = ROUND_ROBIN\n",
        unsafe=True,
    ),
    Case(
        '[LoadBalancer]\nlb-provider="octavia"\nlb-method="SOURCE_IP_PORT"\n',
        at=(3, 11),
        fixed='[LoadBalancer]\nlb-provider="octavia"\nlb-method="ROUND_ROBIN"\n',
        unsafe=True,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nlb-method=SOURCE_IP\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"),
    Case("[LoadBalancer]\nlb-provider=${PROVIDER}\nlb-method=SOURCE_IP_PORT\n", template=True),
    Case("[LoadBalancer]\nlb-method=SOURCE_IP_PORT\n", release="1.17"),
    Case("[LoadBalancer]\nlb-provider=f5\nlb-method=SOURCE_IP_PORT\n"),
    Case("[LoadBalancer]\nlbprovider=ovn\nlb-method=SOURCE_IP_PORT\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the algorithm where the provider is amphora."""
    lb = balancer(conf)
    item = lb.items.get("lb-method")
    if item is None or lb.method not in lb.driver.methods_of_create or not lb.applies:
        return
    supported = tuple(lb.driver.methods or ())
    yield Problem(
        item.span,
        "not supported by amphora: a new load balancer uses plain round robin, and a new pool is rejected",
        "Octavia checks the algorithm only where a pool is created or changed in a separate call, and returns 501 then.",
        f"Write one of {', '.join(f'`{word}`' for word in supported)}, or `lb-provider = ovn`.",
        fixes.unsafe(conf, f"write `{supported[0]}`", fixes.write_value(conf, item.entry, supported[0])),
    )
