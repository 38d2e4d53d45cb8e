"""A CCM release with a bug in managed security groups."""

from __future__ import annotations

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.balancer import SECTION, BalancerSettings, balancer


class Bug(NamedTuple):
    """One bug in managed security groups.

    Attributes:
        behaviour: The behaviour of the releases that have it.
        label: What happens.
        detail: The consequence.
        ovn: True where only ovn is affected, False where only others are; None for all.
        octavia: True where only `use-octavia = true` is affected, False where only Neutron LBaaS is; None for both.
        monitor: Whether only Local Services with monitors are affected.
        subnetless: Whether only configurations with a network and without a subnet are affected.
    """

    behaviour: str
    label: str
    detail: str
    ovn: bool | None = None
    octavia: bool | None = None
    monitor: bool = False
    subnetless: bool = False


_BUGS = records(read_paragraphs(__file__, "manage_sg_bugs.txt"), Bug)


def check(conf: CloudConf) -> Problems:
    """Report the first bug of this release and provider, and the others beside it."""
    lb = balancer(conf)
    found = [one for one in _BUGS if lb.groups is True and lb.applies and _applies(one, conf, lb)]
    if not found:
        return
    bug, *others = found
    mended = {one.behaviour: fixed_in(one.behaviour, conf.release) for one in (bug, *others)}
    besides = [f"Besides, until {mended[one.behaviour]} {_subject(one)}{one.label}." for one in others]
    yield Problem(
        lb.items["manage-security-groups"].span,
        f"in CCM {conf.release.name} {_subject(bug).replace('it', 'this')}{bug.label}",
        " ".join([bug.detail, *besides]),
        "Write `subnet-id` or `member-subnet-id`."
        if bug.subnetless
        else f"Upgrade to {mended[bug.behaviour]} or newer.",
        # only Services with that policy are affected, and none is known here
        severity=Severity.INFO if bug.monitor else Severity.ERROR if bug.subnetless else None,
    )


def _subject(bug: Bug) -> str:
    return "" if bug.label.startswith("a ") else "it "


def _applies(bug: Bug, conf: CloudConf, lb: BalancerSettings) -> bool:
    is_there = behaves(bug.behaviour, conf.release)
    fits_driver = bug.ovn is None or (lb.driver.is_named and lb.driver.is_special is bug.ovn)
    fits_service = bug.octavia is None or conf.value(SECTION, "use-octavia") is bug.octavia
    has_monitors = not bug.monitor or lb.monitor is True
    return (
        is_there
        and fits_driver
        and fits_service
        and has_monitors
        and not (bug.subnetless and not _is_subnetless(conf, lb))
    )


def _is_subnetless(conf: CloudConf, lb: BalancerSettings) -> bool:
    """Whether Services get a network and no subnet, for sure: no class can give them one."""
    values = [conf.value(SECTION, key) for key in ("network-id", "subnet-id", "member-subnet-id")]
    has_classes = any(True for _ in conf.sections_named("LoadBalancerClass"))
    return (
        lb.driver.is_named
        and bool(values[0])
        and isinstance(values[0], str)
        and values[1:] == ["", ""]
        and not has_classes
    )
