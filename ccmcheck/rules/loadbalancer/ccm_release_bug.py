"""A CCM release with a bug that a later one mends."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.release_bugs import BUGS
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules._support.ignored import is_ccm_file


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the bugs of the release that apply to the configuration."""
    for bug in BUGS:
        section = next(iter(conf.sections_named(bug.section)), None)
        if section is None or conf.may_hide_keys(bug.section) or not behaves(bug.behaviour, conf.release):
            continue
        if bug.section == SECTION and not balancer(conf).applies:
            continue
        if bug.section == SECTION and not bug.neutron and conf.value(SECTION, "use-octavia") is False:
            continue
        if not is_ccm_file(conf) or (bug.on and conf.value(bug.section, bug.on) is not True):
            continue
        excluding = [key for key in bug.without if conf.value(bug.section, key) != ""]
        if excluding or (bug.given and conf.value(bug.section, bug.given) == ""):
            continue
        yield Problem(
            section.span,
            f"CCM {conf.release.name} {bug.label}",
            bug.detail,
            f"Upgrade to {fixed_in(bug.behaviour, conf.release)} or newer.",
            severity=None if bug.on else Severity.INFO,  # whether it shows depends on Services and servers
        )
