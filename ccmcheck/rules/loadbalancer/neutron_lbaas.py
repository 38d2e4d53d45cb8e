"""Load balancers of Neutron LBaaS."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the key that chooses it."""
    item = conf.last(SECTION, "use-octavia")
    if item is None or item.spec is None or not conf.for_provider or conf.typed(item) is not False:
        return
    yield Problem(
        item.span,
        "load balancers are asked of Neutron LBaaS, which OpenStack no longer has since Train",
        "In a cloud with Octavia alone every Service ends with `Resource not found`, and Neutron LBaaS balances TCP only.",
        "Write `use-octavia = true`; load balancers that Neutron LBaaS has made are not taken over.",
    )
