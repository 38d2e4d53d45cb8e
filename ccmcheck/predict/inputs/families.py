"""The IP family that the API server gives a Service which names none: that of the cluster's first service range.

Source: kubernetes pkg/registry/core/service/storage/storage.go (defaultOnReadIPFamilies) and alloc.go beside it
(initIPFamilyFields); Cluster API's ``spec.clusterNetwork.services``; kubeadm's ``networking.serviceSubnet``;
kube-apiserver's flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.cloud_state import Node
from ccmcheck.predict.inputs.fields import Opaque, at
from ccmcheck.predict.inputs.manifests import ServiceObject, plain
from ccmcheck.predict.inputs.service import Service

_FLAG = "service-cluster-ip-range"
_KUBEADM = {
    "ClusterConfiguration": (),
    "KubeadmControlPlane": ("spec", "kubeadmConfigSpec", "clusterConfiguration"),
    "KubeadmControlPlaneTemplate": ("spec", "template", "spec", "kubeadmConfigSpec", "clusterConfiguration"),
}
"""The kinds that hold kubeadm's ClusterConfiguration, and where."""

_UNKNOWN = "ipFamilies is assumed to be IPv4: neither a service range nor the Nodes' addresses tell it"
_RANGE_KINDS = frozenset({"Cluster", "Pod", *_KUBEADM})
"""The kinds that may name the service ranges."""


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
