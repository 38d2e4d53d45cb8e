"""A key that has no effect with ovn."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.balancer import SECTION, balancer

_KEYS = ("flavor-id", "availability-zone")


def check(conf: CloudConf) -> Problems:
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
