"""Which file knows which kind of object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers import capi, config_map, kubeadm, scs, secret, service, workload
from ccmcheck.carriers import generic as anything
from ccmcheck.carriers.objects import read_object
from ccmcheck.carriers.search import Around, Holder
from ccmcheck.yamlio import Mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.objects import Object
    from ccmcheck.carriers.search import Search
    from ccmcheck.yamlio import Node

FINDERS: dict[str, Callable[[Object], None]] = {
    "Secret": secret.find,
    "ConfigMap": config_map.find,
    "KubeadmControlPlane": kubeadm.find,
    "KubeadmControlPlaneTemplate": kubeadm.find,
    "KubeadmConfig": kubeadm.find,
    "KubeadmConfigTemplate": kubeadm.find,
    "DaemonSet": workload.find,
    "Deployment": workload.find,
    "StatefulSet": workload.find,
    "ReplicaSet": workload.find,
    "Pod": workload.find,
    "OpenStackCluster": capi.find_cluster,
    "OpenStackClusterTemplate": capi.find_cluster,
    "ClusterResourceSet": capi.find_resource_set,
    "Service": service.find,
}
"""The kinds that hold a text in a known place, or run the CCM; every other object is looked through as a whole."""

LINTED_KINDS: frozenset[str] = frozenset(
    {
        "ClusterResourceSet",
        "ConfigMap",
        "DaemonSet",
        "Deployment",
        "KubeadmConfig",
        "KubeadmConfigTemplate",
        "KubeadmControlPlane",
        "KubeadmControlPlaneTemplate",
        "Node",
        "OpenStackCluster",
        "OpenStackClusterTemplate",
        "Pod",
        "ReplicaSet",
        "Secret",
        "Service",
        "StatefulSet",
    }
)
"""The kinds that rules, or predictions, of their own are about."""


def visit(search: Search, level: Level, node: Node, holder: Holder | None = None) -> None:
    """Search one YAML node.

    Args:
        search: Collects what is found.
        level: The text that the node is in.
        node: A document's root, or a node within one that looks like an object.
        holder: The object whose text it is in, to which everything belongs that is no object itself.
    """
    kind = text_of(node.get("kind")) if isinstance(node, Mapping) else None
    if kind is None or not isinstance(node, Mapping):
        scs.find(search, level, node)
        anything.look_through(Around(search, level, holder or Holder(anything.shape(node))), node)
        return
    search.kinds[kind] = None
    found = read_object(search, level, node, kind)
    if kind in LINTED_KINDS:
        search.objects.append(found)
    FINDERS.get(kind, anything.find)(found)
