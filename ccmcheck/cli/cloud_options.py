"""The options that say what the cloud and the cluster are like, shared by all commands that predict."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.cluster_facts import TOPOLOGIES, ClusterFacts, merge
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.options import SizeType, check_versions, profile_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.policy.profiles.standards import Standards
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests


_FACTS = (
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


class CloudArguments(NamedTuple):
    """The values of these options.

    Attributes:
        facts: Those about the cluster and the cloud.
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


def cloud_options(command: Callable[..., int]) -> Callable[..., int]:
    """``--octavia-release`` … ``--profile``, and how files are read: ``--template``, ``--max-size``.

    The command gets the former as one argument, ``cloud``, a `CloudArguments`.
    """

    @wraps(command)
    def wrapped(**options: Any) -> int:  # noqa: ANN401 - click hands over what the command's arguments declare
        values = {name: options.pop(name) for name in _FACTS}
        values["topology"] = TOPOLOGIES.get(values["topology"] or "", "")
        cloud = CloudArguments(ClusterFacts(**values), options.pop("replicas"), options.pop("profiles"))
        return command(cloud=cloud, **options)

    decorated: Callable[..., int] = wrapped
    for option in reversed(
        (
            click.option(
                "--octavia-release", metavar="R", default="", help="Octavia's series or version, 2024.1 or 14.0.0."
            ),
            click.option(
                "--ovn-octavia-release", metavar="R", default="", help="ovn-octavia-provider's series or version."
            ),
            click.option("--kubernetes-version", metavar="V", default="", help="The cluster's Kubernetes version."),
            click.option(
                "--cluster-name",
                metavar="NAME",
                help="The CCM's --cluster-name. Default: from its workload, else kubernetes.",
            ),
            click.option(
                "--nodes",
                type=click.IntRange(0, 10_000),
                metavar="N",
                help="How many nodes there are. Default: the Nodes among the files.",
            ),
            click.option(
                "--replicas",
                type=click.IntRange(0),
                metavar="N",
                help="How many pods each Service has. Default: from the workloads among the files.",
            ),
            click.option("--topology", type=click.Choice(list(TOPOLOGIES)), help="Octavia's loadbalancer_topology."),
            click.option(
                "--monitor-quota",
                type=click.IntRange(-1),
                metavar="N",
                help="How many health monitors the project may have.",
            ),
            click.option(
                "--monitors-used",
                type=click.IntRange(0),
                metavar="N",
                help="How many it has already, not counting those of these Services.",
            ),
            click.option("--template/--final", default=None, help="Whether something still renders the files later."),
            click.option("--max-size", type=SizeType(), help="Do not read files above this size. Default: 10MiB."),
        )
    ):
        decorated = option(decorated)
    return profile_options("Use the facts of this profile; several may be given.")(decorated)


def check_cloud(arguments: CloudArguments) -> None:
    """Check the releases that the options name.

    Raises:
        WrongUse: There is no such release.
    """
    from ccmcheck.catalog import octavia

    facts = arguments.facts
    check_versions(facts.kubernetes_version, facts.octavia_release)
    if facts.ovn_octavia_release and octavia.ovn_has("monitors", facts.ovn_octavia_release) is None:
        raise WrongUse(
            f"`{facts.ovn_octavia_release}` is not a known release of ovn-octavia-provider",
            "Write a version such as 7.0.1, or a series such as 2024.2.",
        )


def cluster_of(
    arguments: CloudArguments, objects: Sequence[KubernetesObject], workloads: Sequence[CcmPod]
) -> tuple[Manifests, CloudState]:
    """The manifests of a cluster, and the state of the cloud around it, as far as options, profiles and files tell."""
    from ccmcheck.predict.inputs.cluster import read_cluster

    return read_cluster(objects, workloads, arguments.merged, arguments.replicas)


def remarks(arguments: CloudArguments, gathered: Manifests) -> list[str]:
    """Remarks about the nodes: those that the CCM does not get, and a number that is ignored."""
    lines = [f"node {text}: not handed to the CCM" for text in gathered.left_out]
    nodes = arguments.facts.nodes
    if nodes is not None and gathered.nodes and nodes != len(gathered.nodes):
        lines.append(f"--nodes {nodes} is ignored: the files define {len(gathered.nodes)} Nodes")
    return lines
