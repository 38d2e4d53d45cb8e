"""A cluster from the objects of files, options and profiles: its manifests, and the state of the cloud around it.

The IP family that the API server gives a Service which names none: that of the cluster's first service range.

Source: kubernetes pkg/registry/core/service/storage/storage.go (defaultOnReadIPFamilies) and alloc.go beside it
(initIPFamilyFields); Cluster API's ``spec.clusterNetwork.services``; kubeadm's ``networking.serviceSubnet``;
kube-apiserver's flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.base.cluster_facts import ClusterFacts, merge
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.cloud_state import CloudState, Node
from ccmcheck.predict.inputs.fields import Opaque, at
from ccmcheck.predict.inputs.manifests import Manifests, ServiceObject, plain, read_manifests
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.inputs.service import Service

_FLAG = "service-cluster-ip-range"
_KUBEADM = {
    "ClusterConfiguration": (),
    "KubeadmControlPlane": ("spec", "kubeadmConfigSpec", "clusterConfiguration"),
    "KubeadmControlPlaneTemplate": ("spec", "template", "spec", "kubeadmConfigSpec", "clusterConfiguration"),
}
"""The kinds that hold kubeadm's ClusterConfiguration, and where."""

_UNKNOWN = "ipFamilies is assumed to be IPv4: neither a service range nor the Nodes' addresses tell it"
_ONLY_THESE = "the cluster is assumed to have no other Nodes than those among the files; --nodes N says how many join"
_RANGE_KINDS = frozenset({"Cluster", "Pod", *_KUBEADM})
"""The kinds that may name the service ranges."""
_NODE_MAKERS = frozenset({"Cluster", "KubeadmConfigTemplate", "OpenStackCluster"})
"""The kinds beside which Cluster API may make Nodes that are in no file."""


def with_families(
    services: Iterable[ServiceObject], objects: Iterable[KubernetesObject], facts: ClusterFacts, nodes: tuple[Node, ...]
) -> list[ServiceObject]:
    """Services with the family that the API server gives them.

    Args:
        services: The Services; those that name families keep them.
        objects: The objects of the files, some of which may name the service ranges.
        facts: What is known of the cluster.
        nodes: The Nodes of the files.
    """
    listed = list(services)
    if not any(_lacks(one.service) for one in listed):
        return listed
    family, assumed = _default(objects, facts, nodes)
    return [
        one._replace(service=_with_family(one.service, family, assumed)) if _lacks(one.service) else one
        for one in listed
    ]


def _lacks(service: Service) -> bool:
    return not service.families and not {"spec", "spec.ipFamilies"} & set(service.open)


def _with_family(service: Service, family: int, assumed: str) -> Service:
    said = (*service.assumed, assumed) if assumed else service.assumed
    return service._replace(families=(f"IPv{family}",) if family else (), assumed=said)


def _default(objects: Iterable[KubernetesObject], facts: ClusterFacts, nodes: tuple[Node, ...]) -> tuple[int, str]:
    """The family, and what is said where it is not certain; 0 where nothing tells, which is taken for IPv4."""
    known = facts.service_cidrs[:1] or tuple(_ranges_of_files(objects))
    families = {ranges.family(cidr) for cidr in known} - {0}
    if families:
        return (families.pop(), "") if len(families) == 1 else (0, _UNKNOWN)
    first = {
        next((ranges.family(address) for kind, address in node.addresses if kind == "InternalIP"), 0) for node in nodes
    }
    if len(first) != 1 or first == {0}:
        return 0, _UNKNOWN
    (family,) = first
    return family, f"ipFamilies is IPv{family}, as the Nodes' addresses: no service range is known"


def _ranges_of_files(objects: Iterable[KubernetesObject]) -> Iterator[str]:
    """The first service range that each object names."""
    for one in objects:
        if one.kind not in _RANGE_KINDS or (one.kind == "Pod" and not one.name.startswith("kube-apiserver")):
            continue
        for text in _texts(one.kind, plain(one.node, one.source)):
            if isinstance(text, str) and not isinstance(text, Opaque):
                yield text.split(",")[0].strip()
                break


def _texts(kind: str, data: object) -> Iterator[object]:
    if kind == "Cluster":
        yield from _listed(at(data, "spec", "clusterNetwork", "services", "cidrBlocks"))[:1]
    elif kind == "Pod":
        words = (
            str(word).lstrip("-")
            for container in _listed(at(data, "spec", "containers"))
            for word in (*_listed(at(container, "command")), *_listed(at(container, "args")))
        )
        yield from (word.removeprefix(f"{_FLAG}=") for word in words if word.startswith(f"{_FLAG}="))
    else:
        configuration = at(data, *_KUBEADM[kind])
        arguments = at(configuration, "apiServer", "extraArgs")
        if isinstance(arguments, dict):
            yield arguments.get(_FLAG)
        for argument in _listed(arguments):
            if at(argument, "name") == _FLAG:
                yield at(argument, "value")
        yield at(configuration, "networking", "serviceSubnet")


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


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
    if facts.nodes is None and manifests.left_out and not manifests.nodes and not _may_get_nodes(objects):
        facts = facts._replace(nodes=0)
        manifests = manifests._replace(services=tuple(map(_with_only_these_nodes, manifests.services)))
    manifests = manifests._replace(services=tuple(with_families(manifests.services, objects, facts, manifests.nodes)))
    if replicas is not None:
        # a DaemonSet among the files would put a pod on every node
        services = (
            item._replace(service=item.service._replace(replicas=replicas, everywhere=False))
            for item in manifests.services
        )
        manifests = manifests._replace(services=tuple(services))
    return manifests, cloud_around(workloads, facts, manifests.nodes)


def _with_only_these_nodes(item: ServiceObject) -> ServiceObject:
    service = item.service
    return item._replace(service=service._replace(assumed=(_ONLY_THESE, *service.assumed)))


def _may_get_nodes(objects: Iterable[KubernetesObject]) -> bool:
    return any(one.kind in _NODE_MAKERS for one in objects)


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
