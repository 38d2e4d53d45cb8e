"""Load balancers of Neutron LBaaS."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Span
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules._support.ignored import is_merged, is_misnamed


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the key that chooses it."""
    item = conf.last(SECTION, "use-octavia")
    if item is None:
        if (place := _unset(conf)) is not None:
            yield Problem(
                Span(place.start, place.end),
                f"`use-octavia` is not set, and CCM {conf.release.name} then asks Neutron LBaaS for load balancers",
                "OpenStack has no Neutron LBaaS since Train: every Service ends with `Resource not found`. CCM 1.18 and newer "
                "ask Octavia by default.",
                "Write `use-octavia = true` where the cloud has Octavia.",
            )
        return
    if item.spec is None or not conf.for_provider or conf.typed(item) is not False:
        return
    yield Problem(
        item.span,
        "load balancers are asked of Neutron LBaaS, which OpenStack no longer has since Train",
        "In a cloud with Octavia alone every Service ends with `Resource not found`, and Neutron LBaaS balances TCP only.",
        "Write `use-octavia = true`; load balancers that Neutron LBaaS has made are not taken over.",
    )


def _unset(conf: CloudConf) -> Span | None:
    """The section that lacks the key, in a file of a CCM that does not ask Octavia by default."""
    section = next((one for one in conf.sections_named(SECTION) if one.subsection is None and one.entries), None)
    if section is None or conf.value(SECTION, "use-octavia") is not False or not balancer(conf).applies:
        return None
    is_open = conf.may_hide_keys(SECTION) or is_misnamed(conf, SECTION, "use-octavia") or is_merged(conf)
    return None if is_open else section.span
