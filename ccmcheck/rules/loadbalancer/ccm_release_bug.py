"""A CCM release with a bug in load balancers that a later one mends."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.release_bugs import BUGS
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION, balancer


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the bugs of the release that apply to the configuration."""
    section = next(iter(conf.sections_named(SECTION)), None)
    if section is None or not balancer(conf).applies or conf.value(SECTION, "use-octavia") is False:
        return
    for bug in BUGS if not conf.may_hide_keys(SECTION) else ():
        if not behaves(bug.behaviour, conf.release) or (bug.on and conf.value(SECTION, bug.on) is not True):
            continue
        if any(conf.value(SECTION, key) != "" for key in bug.without):
            continue
        yield Problem(
            section.span,
            f"CCM {conf.release.name} {bug.label}",
            bug.detail,
            f"Upgrade to {fixed_in(bug.behaviour, conf.release)} or newer.",
            severity=None if bug.on else Severity.INFO,  # whether it shows depends on Services and servers
        )
