"""What a profile states: wishes about keys of cloud.conf, and facts of the cloud. Records alone; see `ccmcheck.policy`.

They stand below all rooms that carry them about, so that nobody needs the reader of profiles who only asks for a fact.
"""

from __future__ import annotations

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple

TOPOLOGIES = {"single": "SINGLE", "active-standby": "ACTIVE_STANDBY"}
"""Octavia's loadbalancer_topology, by the words that people write."""


SOFT = ("usual", "recommended")
"""Checks that say what is common or advised where nothing else is wanted; no finding comes of them."""


class Condition(NamedTuple):
    """What must hold for a wish to be asked: the CCM uses a value for another key."""

    section: str
    key: str
    value: str


class Requirement(NamedTuple):
    """What a profile wants of one key. Its values may be secrets; see `ccmcheck.policy.profiles.words`.

    Attributes:
        profile: The name of the profile that states it.
        section: As the catalogue writes it.
        key: As the catalogue writes it.
        check: A name in `ccmcheck.policy.profiles.checks.CHECKS`.
        values: The values that the check names.
        low: The least that is wanted; empty for no limit.
        high: The most that is wanted; empty for no limit.
        default: The one to write where several values would do; None for none.
        since: The first CCM release that it is asked of; empty for all.
        until: The last one; empty for all.
        when: What must hold besides.
        severity: How much it matters.
        reason: Why, for people.
        source: Where that can be read.
    """

    profile: str
    section: str
    key: str
    check: str
    values: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    default: str | None = None
    since: str = ""
    until: str = ""
    when: tuple[Condition, ...] = ()
    severity: Severity = Severity.WARNING
    reason: str = ""
    source: str = ""

    def __repr__(self) -> str:
        return f"<Wish {self.section}.{self.key}: {self.check}>"  # the values may be secrets


class Facts(NamedTuple):
    """What a profile tells of the cloud and the cluster; what is None or empty is unknown.

    Attributes:
        octavia_release: Octavia's series or version.
        ovn_octavia_release: ovn-octavia-provider's series or version.
        kubernetes_version: The cluster's.
        topology: Octavia's loadbalancer_topology, ``SINGLE`` or ``ACTIVE_STANDBY``.
        nodes: How many nodes there are.
        pod_cidrs: The pods' networks.
        node_cidrs: The nodes' networks.
        member_cidrs: The networks of the load balancers' members.
        proxy_mode: kube-proxy's mode, or what stands in for it.
        cluster_name: The CCM's ``--cluster-name``.
        providers: The Octavia providers that are enabled; None when unknown.
        monitor_quota: How many health monitors the project may have, -1 for no limit.
        monitors_used: How many it has already.
        udp_interval: Octavia's ``udp_connect_min_interval_health_monitor``, in seconds.
    """

    octavia_release: str = ""
    ovn_octavia_release: str = ""
    kubernetes_version: str = ""
    topology: str = ""
    nodes: int | None = None
    pod_cidrs: tuple[str, ...] = ()
    node_cidrs: tuple[str, ...] = ()
    member_cidrs: tuple[str, ...] = ()
    proxy_mode: str = ""
    cluster_name: str = ""
    providers: tuple[str, ...] | None = None
    monitor_quota: int | None = None
    monitors_used: int | None = None
    udp_interval: int | None = None

    def under(self, others: Facts) -> Facts:
        """The same with all that others tell in its place.

        Args:
            others: Facts that win.
        """
        return Facts._make(
            mine if theirs in ("", None, ()) else theirs for mine, theirs in zip(self, others, strict=True)
        )


class Profile(NamedTuple):
    """One profile with all that it extends.

    Attributes:
        name: A built-in's name, or a file's without its ending.
        title: What it is, in a few words.
        extends: The names of the profiles that it stands on.
        note: What else is to be known.
        source: Where its choices can be read.
        facts: Of the cloud.
        requirements: In the order of their profiles, each key's last one.
        path: The file; empty for a built-in.
    """

    name: str
    title: str = ""
    extends: tuple[str, ...] = ()
    note: str = ""
    source: str = ""
    facts: Facts = Facts()
    requirements: tuple[Requirement, ...] = ()
    path: str = ""
