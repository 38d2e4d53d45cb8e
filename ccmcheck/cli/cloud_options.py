"""The options that say what the cloud and the cluster are like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.cluster_facts import TOPOLOGIES, ClusterFacts, merge
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import CLUSTER, as_record, option
from ccmcheck.cli.options import KUBERNETES_VERSION, NODES, OCTAVIA_RELEASE, nodes_option, profile_option

if TYPE_CHECKING:
    from ccmcheck.policy.profiles.standards import Standards


class CloudArguments(NamedTuple):
    """What the cloud and the cluster are like; see `cloud_options`.

    Attributes:
        facts: What the options say about them.
        replicas: ``--replicas``.
        profiles: ``--profile``.
    """

    facts: ClusterFacts
    replicas: int | None
    profiles: Standards

    @property
    def is_empty(self) -> bool:
        """Whether none of the options is given."""
        return not self.facts.known() and self.replicas is None and not self.profiles.names

    @property
    def merged(self) -> ClusterFacts:
        """The facts of the options, and below them those of the profiles."""
        return merge(self.facts, self.profiles.facts)


FACTS = (
    "octavia_release",
    "ovn_octavia_release",
    "kubernetes_version",
    "cluster_name",
    "nodes",
    "topology",
    "monitor_quota",
    "monitors_used",
)
"""The options that give a field of `ClusterFacts`."""


def _cloud_arguments(**values: Any) -> CloudArguments:  # noqa: ANN401 - click's
    facts = {name: values[name] for name in FACTS}
    facts["topology"] = TOPOLOGIES.get(facts["topology"] or "", "")
    return CloudArguments(ClusterFacts(**facts), values.get("replicas"), values["profiles"])


_BEFORE_NODES = (
    OCTAVIA_RELEASE,
    option(
        "--ovn-octavia-release",
        section=CLUSTER,
        default="",
        metavar="R",
        help="ovn-octavia-provider's series or version.",
    ),
    KUBERNETES_VERSION,
    option(
        "--cluster-name",
        section=CLUSTER,
        default="",
        metavar="NAME",
        help="The CCM's --cluster-name. Default: from its workload, else kubernetes.",
    ),
)
_REPLICAS = option(
    "--replicas",
    section=CLUSTER,
    type=click.IntRange(0),
    metavar="N",
    help="How many pods each Service has. Default: from the workloads among the files.",
)
_AFTER_NODES = (
    option("--topology", section=CLUSTER, type=click.Choice(list(TOPOLOGIES)), help="Octavia's loadbalancer_topology."),
    option(
        "--monitor-quota",
        section=CLUSTER,
        type=click.IntRange(-1),
        metavar="N",
        help="How many health monitors the project may have.",
    ),
    option(
        "--monitors-used",
        section=CLUSTER,
        type=click.IntRange(0),
        metavar="N",
        help="How many it has already, besides those of the Services here.",
    ),
    profile_option("Use the facts of this profile; repeatable."),
)

cloud_options = as_record(
    "cloud",
    _cloud_arguments,
    *_BEFORE_NODES,
    NODES,
    _REPLICAS,
    *_AFTER_NODES,
    fields=(*FACTS, "replicas", "profiles"),
)
"""Gives the command ``cloud``, a `CloudArguments`."""

live_cloud_options = as_record(
    "cloud",
    _cloud_arguments,
    *_BEFORE_NODES,
    nodes_option("the Nodes of the cluster"),
    *_AFTER_NODES,
    fields=(*FACTS, "profiles"),
)
"""The same where a running cluster says how many nodes and pods there are."""
