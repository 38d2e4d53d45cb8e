"""Managed security groups in a release where they have a hole.

What it does: finds `manage-security-groups = true` for releases in which that does nothing, shuts clients out, or
loses its rules.

Why: the NodePorts are not open as everybody believes.

What the CCM does: v1.19.0 to v1.23.4 with Octavia: nothing at all. 1.23 to 1.25: no rule for the health check node
port, so that the monitors of Local Services find every node down. Up to 1.27 with ovn: the rules let the member
subnet in, but ovn's packets come from the clients. v1.28.0 to v1.30.1, v1.31.0 and v1.31.1 with ovn: a change of
nodes removes all NodePort rules, until the Service itself changes.

Releases: see above; by tag

Fix: none; upgrade.

Fix safety: (none)

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

META = Meta("manage-sg-release", "Managed security groups in a release where they have a hole", Severity.WARNING)

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


class Hole(NamedTuple):
    """One way in which managed groups fail.

    Attributes:
        behaviour: In which releases.
        ovn: True where only ovn is hit, False where only others are; None for all.
        octavia: Whether only `use-octavia = true` is hit.
        monitor: Whether only Local Services with monitors are hit.
        label: What happens.
        detail: What that means.
    """

    behaviour: str
    ovn: bool | None
    octavia: bool
    monitor: bool
    label: str
    detail: str


_HOLES = (
    Hole(
        "managed-groups-do-nothing",
        None,
        True,
        False,
        "does nothing with Octavia: the CCM returns before it makes the rules",
        "NodePorts stay closed unless somebody else opened them.",
    ),
    Hole(
        "managed-groups-shut-ovn-clients-out",
        True,
        False,
        False,
        "opens the NodePorts to the member subnet only, but ovn's packets come from the clients",
        "No client outside that subnet gets through.",
    ),
    Hole(
        "managed-groups-emptied-by-node-changes",
        True,
        False,
        False,
        "a change of nodes removes every NodePort rule again, with ovn",
        "All traffic stops until the Service itself is changed.",
    ),
    Hole(
        "managed-groups-without-check-port",
        False,
        False,
        True,
        "opens no health check node port, so that the monitors of Local Services find every node down",
        "A Service with externalTrafficPolicy Local gets no traffic unless that port is opened by other means.",
    ),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Find the first hole of this release and provider."""
    lb = balancer(conf)
    if lb.groups is not True or not lb.judged:
        return
    for hole in _HOLES:
        if not behaves(hole.behaviour, conf.release):
            continue
        if hole.ovn is not None and (lb.driver is None or (lb.driver == "ovn") is not hole.ovn):
            continue
        if hole.octavia and conf.value(SECTION, "use-octavia") is not True:
            continue
        if hole.monitor and lb.monitor is not True:
            continue
        yield Problem(
            lb.items["manage-security-groups"].span,
            f"in CCM {conf.release.name} this {hole.label}"
            if not hole.label.startswith("a ")
            else f"in CCM {conf.release.name} {hole.label}",
            hole.detail,
            f"Upgrade to {fixed_in(hole.behaviour, conf.release)} or newer.",
            # no Service with that policy is known
            severity=Severity.INFO if hole.monitor else None,
        )
        return
