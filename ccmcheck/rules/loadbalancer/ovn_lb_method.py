"""A load balancing algorithm that ovn does not support.

What it does: finds `lb-provider = ovn` with no `lb-method`, or one that ovn does not support.

Why: Octavia rejects every load balancer; Services stay pending.

What the CCM does: it requests `ROUND_ROBIN` unless `lb-method` is set, and Octavia returns 501.

Releases: all

Fix: writes `lb-method = SOURCE_IP_PORT`.

Fix safety: safe because no load balancer can be created as it is, and every release of the ovn provider supports
this algorithm

Source: openstack/ovn-octavia-provider driver.py _check_for_supported_algorithms, all tags; 11.0.0 (2026.2) supports
SOURCE_IP too
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("ovn-lb-method", "A load balancing algorithm that ovn does not support", Severity.ERROR)

BAD = (
    Case(
        "[LoadBalancer]\nlb-provider = ovn\ncreate-monitor = true\n",
        at=(2, 15),
        fixed="[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n",
    ),
    Case(
        '[LoadBalancer]\nlb-method="ROUND_ROBIN"\nlb-provider="ovn"\n',
        at=(2, 11),
        fixed='[LoadBalancer]\nlb-method="SOURCE_IP_PORT"\nlb-provider="ovn"\n',
    ),
    Case(
        "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP\n",
        at=(3, 11),
        fixed="[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
        run_context=RunContext(facts=ClusterFacts(octavia_release="2024.1")),
    ),
    Case(
        "[LoadBalancer]\r\nlb-provider=ovn\r\n",
        at=(2, 13),
        fixed="[LoadBalancer]\r\nlb-provider=ovn\r\nlb-method=SOURCE_IP_PORT\r\n",
        release="1.17",
        shown=False,
    ),
    Case(
        "[LoadBalancer]\nlb-method=\nlb-provider=ovn\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nlb-method=SOURCE_IP_PORT\nlb-provider=ovn\n",
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP\n"),
    Case(
        "[LoadBalancer]\nlb-provider=ovn\nlb-method=SOURCE_IP\n",
        run_context=RunContext(facts=ClusterFacts(octavia_release="19.0.0")),
    ),
    Case("[LoadBalancer]\nlb-provider=amphora\n"),
    Case("[LoadBalancer]\nlb-provider=ovn\nlb-method=${METHOD}\n", template=True),
    Case("[LoadBalancer]\nlb-provider=ovn\n%{ if method }\nlb-method=x\n%{ endif }\n", template=True),
    Case("[LoadBalancer]\nlb-provider=ovn\nLBMethod=SOURCE_IP_PORT\n", shown=False),
    Case("[LoadBalancer]\nlb-provider=ovn\nlb-method=source_ip_port\n", shown=False),
    Case("[LoadBalancer]\nlb-provider=ovn\nenabled=false\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the algorithm where the provider is ovn."""
    lb = balancer(conf)
    if not lb.driver.is_special or lb.method is None or not lb.applies:
        return
    words = allowed_values(SECTION, "lb-method", conf.release)
    if lb.method and words is not None and lb.method not in words.words:
        return  # not an algorithm of Octavia: reported by enum-bad
    if lb.method and lb.driver.takes(lb.method, conf.run_context.facts.octavia_release) is not False:
        return
    best = next(iter(lb.driver.methods or ()))
    item = lb.items.get("lb-method")
    if item is None:
        item = lb.items["lb-provider"]
        label = f"without lb-method the CCM requests {lb.method or 'ROUND_ROBIN'}, which ovn does not support"
        edit = fixes.add_key(conf, SECTION, "lb-method", best, after=item.entry)
    else:
        label = "not supported by ovn" if lb.method else "an empty algorithm is sent as it is and rejected"
        edit = None if item.opaque else fixes.write_value(conf, item.entry, best)
    yield Problem(
        item.span,
        label,
        "Octavia rejects every load balancer, and the Services stay pending.",
        f"Write `lb-method = {best}`.",
        fixes.safe(conf, f"write `lb-method = {best}`", edit),
    )
