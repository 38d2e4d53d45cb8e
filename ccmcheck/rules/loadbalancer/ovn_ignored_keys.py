"""A key that has no effect with ovn.

What it does: finds `flavor-id` and `availability-zone` with `lb-provider = ovn`.

Why: load balancers do not have that flavor, and are not in that zone.

What the CCM does: since 1.22 it omits both from requests to ovn, the zone with a warning in the log for each Service.

Releases: 1.22 and newer

Fix: deletes the line.

Fix safety: unsafe because another provider may be intended

Source: cloud-provider-openstack pkg/util/openstack/loadbalancer.go IsOctaviaFeatureSupported
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("ovn-ignored-keys", "A key that has no effect with ovn", Severity.WARNING)

_CONF = "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
_ID = "0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"

BAD = (
    Case(f"{_CONF}flavor-id = {_ID}\n", at=(4, 1), fixed=_CONF, unsafe=True),
    Case(f"{_CONF}availability-zone = az1\n", at=(4, 1), fixed=_CONF, unsafe=True),
)
GOOD = (
    Case(f"{_CONF}flavor-id = {_ID}\n".replace("ovn", "amphora")),
    Case(f"{_CONF}flavor-id = {_ID}\n", release="1.21"),
    Case(f"{_CONF}flavor-id =\n"),
    Case(f"{_CONF}flavor-id = {_ID}\nenabled = false\n", shown=False),
)

_KEYS = ("flavor-id", "availability-zone")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at both keys where the provider is ovn."""
    lb = balancer(conf)
    if not lb.driver.is_special or not lb.applies or not behaves("knows-ovn", conf.release):
        return
    for key in _KEYS:
        item = conf.last(SECTION, key)
        if item is None or not item.entry.value:
            continue
        edit = None if item.opaque else fixes.delete_key(conf, item.entry)
        yield Problem(
            item.entry.key_span,
            "has no effect: the CCM does not send it to ovn",
            "Load balancers of ovn have neither flavor nor availability zone.",
            "Remove it, or use another provider.",
            fixes.unsafe(conf, f"delete `{key}`", edit),
        )
