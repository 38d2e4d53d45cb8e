"""What options, the configuration, profiles and files say together about the cloud and the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import merge
from ccmcheck.base.errors import WrongUse
from ccmcheck.cli.options import CloudArguments, load_profiles
from ccmcheck.cli.resolve import check_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.workspace.config import Config


def resolve_cloud(arguments: CloudArguments, config: Config) -> CloudArguments:
    """The options, completed by the configuration, with every release checked.

    Args:
        arguments: The options; they win.
        config: ccmcheck's own configuration.

    Raises:
        WrongUse: There is no such release, or a profile cannot be read.
    """
    from ccmcheck.catalog import octavia

    facts = merge(arguments.facts, config.facts)
    check_versions(facts.kubernetes_version, facts.octavia_release)
    if facts.ovn_octavia_release and not octavia.is_ovn_release(facts.ovn_octavia_release):
        raise WrongUse(
            f"`{facts.ovn_octavia_release}` is not a known release of ovn-octavia-provider",
            "Write a version such as 7.0.1, or a series such as wallaby or 2024.2.",
        )
    profiles = arguments.profiles if arguments.profiles.names else load_profiles(config.profile)
    return arguments._replace(facts=facts, profiles=profiles)


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
