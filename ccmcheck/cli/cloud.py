"""What options, the configuration and profiles say together about the cloud and the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.profile import TOPOLOGIES
from ccmcheck.cli.resolve import check_versions, load_profiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.predict.inputs.cloud import Cloud
    from ccmcheck.predict.inputs.manifests import Gathered
    from ccmcheck.workspace.config import Config


def resolve_cloud(arguments: CloudArguments, config: Config) -> CloudArguments:
    """The options, completed by the configuration, with every release checked.

    Args:
        arguments: The options; they win.
        config: ccmcheck's own configuration.

    Raises:
        WrongUse: There is no such release, or a profile cannot be read.
    """
    complete = arguments._replace(
        octavia_release=arguments.octavia_release or config.octavia_release,
        kubernetes_version=arguments.kubernetes_version or config.kubernetes_version,
        nodes=arguments.nodes if arguments.nodes is not None else config.nodes,
        profiles=arguments.profiles if arguments.profiles.names else load_profiles(config.profile),
    )
    check_cloud(complete)
    return complete


def check_cloud(arguments: CloudArguments) -> None:
    """Check the names of releases.

    Args:
        arguments: The options.

    Raises:
        WrongUse: There is no such release.
    """
    from ccmcheck.catalog import octavia

    check_versions(arguments.kubernetes_version, arguments.octavia_release)
    if arguments.ovn_octavia_release and octavia.ovn_has("monitors", arguments.ovn_octavia_release) is None:
        raise WrongUse(
            f"`{arguments.ovn_octavia_release}` is not a known ovn-octavia-provider release",
            "Write a version such as 7.0.1, or a series such as 2024.2.",
        )


def nodes_of(arguments: CloudArguments) -> int | None:
    """How many nodes there are, as options tell, or else profiles; None when unknown."""
    return arguments.nodes if arguments.nodes is not None else arguments.profiles.facts.nodes


def surroundings(
    arguments: CloudArguments, objects: Sequence[Object], pods: Sequence[CcmPod]
) -> tuple[Gathered, Cloud]:
    """What files hold of a cluster, and the cloud around it, as far as options, files and profiles tell.

    Args:
        arguments: The options; they win.
        objects: What the files hold.
        pods: The CCM's workloads among them.
    """
    from ccmcheck.predict.inputs.manifests import gather

    gathered = gather(objects, nodes_of(arguments))
    if arguments.replicas is not None:
        # so many pods and no more, also where the files have one on every node
        counted = (
            met._replace(service=met.service._replace(replicas=arguments.replicas, everywhere=False))
            for met in gathered.services
        )
        gathered = gathered._replace(services=tuple(counted))
    return gathered, _cloud(arguments, gathered, pods)


def remarks(arguments: CloudArguments, gathered: Gathered) -> list[str]:
    """What there is to say of the nodes.

    Args:
        arguments: The options.
        gathered: What the files hold.
    """
    found = [f"node {text}: not handed to the CCM" for text in gathered.left_out]
    if arguments.nodes is not None and gathered.nodes and arguments.nodes != len(gathered.nodes):
        found.append(f"--nodes {arguments.nodes} is ignored: the files define {len(gathered.nodes)} Nodes")
    return found


def _cloud(arguments: CloudArguments, gathered: Gathered, pods: Sequence[CcmPod]) -> Cloud:
    from ccmcheck.predict.inputs.cloud import told_by
    from ccmcheck.workspace.gathering import stand_ins

    known = told_by(arguments.profiles.facts)
    count = nodes_of(arguments)
    named = next((pod.cluster_name for pod in pods if pod.cluster_name), "")
    return known._replace(
        cluster=arguments.cluster_name or named or known.cluster,
        nodes=gathered.nodes or (None if count is None else stand_ins(count)),
        node_count=None,
        octavia=arguments.octavia_release or known.octavia,
        ovn=arguments.ovn_octavia_release or known.ovn,
        kubernetes=arguments.kubernetes_version or known.kubernetes,
        topology=TOPOLOGIES.get(arguments.topology or "", known.topology),
        monitor_quota=arguments.monitor_quota if arguments.monitor_quota is not None else known.monitor_quota,
        monitors_used=arguments.monitors_used if arguments.monitors_used is not None else known.monitors_used,
    )
