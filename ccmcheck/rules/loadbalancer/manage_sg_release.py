"""A CCM release with a bug in managed security groups.

What it does: finds `manage-security-groups = true` for releases in which that has no effect, blocks clients, or
loses its rules.

Why: the NodePorts are not open as expected.

What the CCM does: v1.19.0 to v1.23.4 with Octavia: no effect. 1.23 to 1.25: no rule for the health check node
port, so the monitors of Local Services mark every node as down. Up to 1.27 with ovn: the rules allow the member
subnet, but with ovn packets have the client's address. v1.28.0 to v1.30.1, v1.31.0 and v1.31.1 with ovn: a change of
nodes removes all NodePort rules, until the Service itself changes.

Releases: see above; by tag

Fix: none; upgrade.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go and loadbalancer_sg.go at each tag;
kubernetes/cloud-provider-openstack#1984, #2291, #2699
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.rules._support.balancer import SECTION, balancer
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("manage-sg-release", "A CCM release with a bug in managed security groups", Severity.WARNING)

BAD = (
    Case("[LoadBalancer]\nmanage-security-groups=true\n", at=(2, 24), release="v1.23.4"),
    Case("[LoadBalancer]\nlb-provider=ovn\nmanage-security-groups=true\n", at=(3, 24), release="1.27"),
    Case("[LoadBalancer]\nlb-provider = ovn\nmanage-security-groups = yes\n", at=(3, 26), release="v1.31.1"),
    Case("[LoadBalancer]\nlb-provider=ovn\nmanage-security-groups=true\n", at=(3, 24), release="1.29"),
    Case(
        "[LoadBalancer]\nmanage-security-groups=true\ncreate-monitor=true\n",
        at=(2, 24),
        release="1.25",
        severity=Severity.INFO,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nmanage-security-groups=true\nlb-provider=ovn\n"),
    Case("[LoadBalancer]\nmanage-security-groups=true\nlb-provider=ovn\n", release="v1.30.2"),
    Case("[LoadBalancer]\nmanage-security-groups=true\n", release="1.28"),
    Case("[LoadBalancer]\nmanage-security-groups=true\ncreate-monitor=false\n", release="1.25"),
    Case("[LoadBalancer]\nmanage-security-groups=true\nuse-octavia=false\n", release="1.22"),
    Case("[LoadBalancer]\nmanage-security-groups=false\n", release="1.22"),
    Case("[LoadBalancer]\nmanage-security-groups=true\nlb-provider=${P}\n", release="1.29", template=True),
)


class Bug(NamedTuple):
    """One bug in managed security groups.

    Attributes:
        behaviour: The behaviour of the releases that have it.
        ovn: True where only ovn is affected, False where only others are; None for all.
        octavia: Whether only `use-octavia = true` is affected.
        monitor: Whether only Local Services with monitors are affected.
        label: What happens.
        detail: The consequence.
    """

    behaviour: str
    ovn: bool | None
    octavia: bool
    monitor: bool
    label: str
    detail: str


_BUGS = (
    Bug(
        "managed-groups-do-nothing",
        None,
        True,
        False,
        "has no effect with Octavia: the CCM returns before it creates the rules",
        "NodePorts stay closed unless other security groups open them.",
    ),
    Bug(
        "managed-groups-shut-ovn-clients-out",
        True,
        False,
        False,
        "opens the NodePorts to the member subnet only, but with ovn packets have the client's address",
        "Clients outside that subnet are blocked.",
    ),
    Bug(
        "managed-groups-emptied-by-node-changes",
        True,
        False,
        False,
        "a change of nodes removes all NodePort rules, with ovn",
        "All traffic stops until the Service is changed.",
    ),
    Bug(
        "managed-groups-without-check-port",
        False,
        False,
        True,
        "does not open the health check node port: the monitors of Local Services mark every node as down",
        "A Service with externalTrafficPolicy Local gets no traffic unless that port is opened otherwise.",
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the first bug of this release and provider."""
    lb = balancer(conf)
    if lb.groups is not True or not lb.applies:
        return
    for bug in _BUGS:
        if not behaves(bug.behaviour, conf.release):
            continue
        if bug.ovn is not None and (not lb.driver.is_named or lb.driver.is_special is not bug.ovn):
            continue
        if bug.octavia and conf.value(SECTION, "use-octavia") is not True:
            continue
        if bug.monitor and lb.monitor is not True:
            continue
        yield Problem(
            lb.items["manage-security-groups"].span,
            f"in CCM {conf.release.name} this {bug.label}"
            if not bug.label.startswith("a ")
            else f"in CCM {conf.release.name} {bug.label}",
            bug.detail,
            f"Upgrade to {fixed_in(bug.behaviour, conf.release)} or newer.",
            # only Services with that policy are affected, and none is known here
            severity=Severity.INFO if bug.monitor else None,
        )
        return
