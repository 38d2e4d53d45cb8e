"""An algorithm that amphora does not do.

What it does: finds `lb-method = SOURCE_IP_PORT` with the provider amphora.

Why: nobody gets what is written: a new load balancer runs plain round robin.

What the CCM does: since 1.21 it creates a load balancer in one call; Octavia takes that, and amphora renders the
algorithm as round robin. A pool that is created or changed in a call of its own is refused with 501: for ports that
are added to a Service, say.

Releases: all

Fix: writes `ROUND_ROBIN`, which is what runs now.

Fix safety: unsafe because `SOURCE_IP`, or the provider ovn, may have been meant

Source: openstack/octavia amphora_driver/v2/driver.py, 19.0.0, run both ways; the rendered HAProxy configuration
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import octavia
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("amphora-source-ip-port", "An algorithm that amphora does not do", Severity.WARNING)

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
    if item is None or lb.driver != "amphora" or not lb.method or not lb.judged:
        return
    taken = octavia.methods("amphora")
    if lb.method in taken or lb.method not in octavia.methods("ovn"):
        return
    yield Problem(
        item.span,
        "amphora does not do this: a new load balancer runs plain round robin, and a pool of its own is refused",
        "Octavia checks the algorithm only where a pool is created or changed by itself, and answers 501 then.",
        f"Write one of {', '.join(f'`{word}`' for word in taken)}, or `lb-provider = ovn`.",
        fixes.unsafe(conf, f"write `{taken[0]}`", fixes.write_value(conf, item.entry, taken[0])),
    )
