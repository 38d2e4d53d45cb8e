"""Load balancers of Neutron LBaaS."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION
from ccmcheck.rules._support.ignored import is_merged, is_misnamed

_CLOSED = (
    "Its load balancers' ports have the project's default security group, which keeps clients out: there "
    "`manage-security-groups = true` opens the Services' ports."
)


def check(conf: CloudConf) -> Problems:
    """Look for the key that chooses it; without the key, where there are Services, at the default of the release."""
    item = conf.last(SECTION, "use-octavia")
    section = next((one for one in conf.sections_named(SECTION) if one.entries), None)
    if section is None or not conf.for_provider or conf.value(SECTION, "use-octavia") is not False:
        return
    if item is None and (not conf.run_context.services or is_merged(conf) or is_misnamed(conf, SECTION, "use-octavia")):
        return
    yield Problem(
        section.span if item is None else item.span,
        ("" if item is not None else "`use-octavia` is not set, so ")
        + "load balancers are asked of Neutron LBaaS, which OpenStack no longer has since Train",
        "In a cloud with Octavia alone every Service ends with `Resource not found`, and Neutron LBaaS has no UDP."
        + (" " + _CLOSED if conf.value(SECTION, "manage-security-groups") is False else ""),
        "Where the cloud has Octavia write `use-octavia = true`; load balancers that Neutron LBaaS has made are not taken over.",
    )
