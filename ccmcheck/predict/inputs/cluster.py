"""A cluster from the objects of files, options and profiles: its manifests, and the state of the cloud around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccmcheck.base.cluster_facts import ClusterFacts, merge
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.families import with_families
from ccmcheck.predict.inputs.manifests import Manifests, read_manifests
from ccmcheck.predict.inputs.nodes import placeholder_nodes


def facts_of_files(workloads: Iterable[CcmPod], nodes: int | None = None) -> ClusterFacts:
    """What the files say of the cluster.

    Args:
        workloads: The CCM's workloads among them.
        nodes: How many Nodes they define; None where they define none.
    """
    name = next((pod.cluster_name for pod in workloads if pod.cluster_name), None)
    return ClusterFacts(cluster_name=name, nodes=nodes)


def read_cluster(
    objects: Sequence[KubernetesObject], workloads: Sequence[CcmPod], facts: ClusterFacts, replicas: int | None = None
) -> tuple[Manifests, CloudState]:
    """Read the manifests of a cluster.

    Args:
        objects: The objects of the files.
        workloads: The CCM's workloads among them.
        facts: What options and profiles say of the cluster.
        replicas: The number of pods of every Service; None to go by the workloads among the objects.

    Returns:
        The manifests, and the state of the cloud as far as the facts and the files tell.
    """
    manifests = read_manifests(objects, facts.nodes)
    manifests = manifests._replace(services=tuple(with_families(manifests.services, objects, facts, manifests.nodes)))
    if replicas is not None:
        # a DaemonSet among the files would put a pod on every node
        services = (
            item._replace(service=item.service._replace(replicas=replicas, everywhere=False))
            for item in manifests.services
        )
        manifests = manifests._replace(services=tuple(services))
    return manifests, cloud_around(workloads, facts, manifests.nodes)


def cloud_around(workloads: Iterable[CcmPod], facts: ClusterFacts, nodes: tuple[Node, ...] = ()) -> CloudState:
    """The cloud of a deployment: what options and profiles say of it, then what its files do."""
    return cloud_of(merge(facts, facts_of_files(workloads, len(nodes) or None)), nodes)


def cloud_of(facts: ClusterFacts, nodes: tuple[Node, ...] = ()) -> CloudState:
    """The cloud as far as the facts tell; placeholders are its nodes where their number alone is known.

    Args:
        facts: What is known.
        nodes: Its nodes; none where they are not known.
    """
    known = nodes or (None if facts.nodes is None else placeholder_nodes(facts.nodes))
    return CloudState(facts=facts._replace(nodes=None if known is None else len(known)), nodes=known)
