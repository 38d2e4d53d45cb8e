"""What is known of the cluster and of the OpenStack cloud around a cloud.conf, and how several sources are merged.

Every command merges in the same order; for each fact, the first source that knows it wins:

1. the options of the command line (``--octavia-release`` …);
2. the configuration (``ccmcheck.toml``), in the commands that read it;
3. the profiles, of which the last wins;
4. the files: how many Nodes they define, ``--cluster-name`` of the CCM's workload;
5. a default of the CCM or of Octavia, where there is one (`ccmcheck.predict.inputs.cloud_state.CloudState`).

Members are addresses, not a number: where the files define Nodes, a prediction uses these Nodes, whatever count the
other sources give, and reports a different ``--nodes`` as ignored.
"""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple

TOPOLOGIES = {"single": "SINGLE", "active-standby": "ACTIVE_STANDBY"}
"""Octavia's loadbalancer_topology, by the words of options and profiles."""

UNKNOWN = ("", None, ())
"""The values of a fact that is not known."""


class ClusterFacts(NamedTuple):
    """Facts of the cluster and the cloud; what is empty or None is unknown.

    Attributes:
        octavia_release: Octavia's series or version.
        ovn_octavia_release: ovn-octavia-provider's series or version.
        kubernetes_version: The cluster's.
        topology: Octavia's loadbalancer_topology, ``SINGLE`` or ``ACTIVE_STANDBY``.
        nodes: The number of nodes.
        pod_cidrs: The pods' networks.
        node_cidrs: The nodes' networks.
        member_cidrs: The networks of the load balancers' members.
        proxy_mode: kube-proxy's mode, ``none`` for a replacement.
        cluster_name: The CCM's ``--cluster-name``; it may be empty, which no option, profile or file can say.
        providers: The Octavia providers that are enabled.
        monitor_quota: The project's quota of health monitors, -1 for no limit.
        monitors_used: How many health monitors the project has already, not counting those of the Services at hand.
        udp_interval: Octavia's ``udp_connect_min_interval_health_monitor``, in seconds.
        refused_protocols: The protocols of Services that the platform makes no load balancer for.
        service_cidrs: The Services' networks, the first one first.
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
    cluster_name: str | None = None
    providers: tuple[str, ...] | None = None
    monitor_quota: int | None = None
    monitors_used: int | None = None
    udp_interval: int | None = None
    refused_protocols: tuple[str, ...] = ()
    service_cidrs: tuple[str, ...] = ()

    def known(self) -> dict[str, object]:
        """The facts that are known, by field."""
        return {name: value for name, value in self._asdict().items() if value not in UNKNOWN}


NO_FACTS = ClusterFacts()
"""Nothing is known."""


def merge(*sources: ClusterFacts) -> ClusterFacts:
    """Merge facts; for each fact, the first source that knows it wins."""
    facts: dict[str, object] = {}
    for source in reversed(sources):
        facts.update(source.known())
    return NO_FACTS._replace(**facts)  # type: ignore[arg-type]  # the fields' own values
