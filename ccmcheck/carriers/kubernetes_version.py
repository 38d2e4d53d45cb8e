"""The version of Kubernetes that an object gives its cluster: the in-tree provider has no other release.

Sources: cluster-api api/controlplane/kubeadm (``spec.version``); kubermatic/kubeone pkg/apis/kubeone (``versions``,
``cloudProvider.external``: "deploys the external CCM"; required since Kubernetes lost its own provider).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import IN_TREE, KubernetesVersion
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from ccmcheck.carriers.collector import Collector
    from ccmcheck.carriers.kubernetes_object import KubernetesObject

_KUBEONE = "KubeOneCluster"
_PATHS = {_KUBEONE: ("versions", "kubernetes"), "KubeadmControlPlane": ("spec", "version")}


def version_of(obj: KubernetesObject, collector: Collector) -> KubernetesVersion | None:
    """What an object says; None where it says nothing, or something renders it later."""
    path = _PATHS.get(obj.kind)
    node = obj.at(*path) if path is not None else None
    if not isinstance(node, Scalar) or not node.value.lstrip("v")[:1].isdigit():
        return None
    return KubernetesVersion(node.value, collector.path, collector.position(obj.source, node.content.start)[0])


def readers_of(obj: KubernetesObject, version: KubernetesVersion | None) -> tuple[str, ...]:
    """Who reads the cloud.conf of a cluster that installs the reader itself; empty where that is unknown."""
    if obj.kind != _KUBEONE or obj.at("cloudProvider", "external") is not None or version is None:
        return ()
    return () if kubernetes_has("no-in-tree-openstack", version.name) else (IN_TREE,)
