"""The version of Kubernetes that an object gives its cluster: the in-tree provider has no other release.

Sources: cluster-api api/controlplane/kubeadm (``spec.version``); kubermatic/kubeone pkg/apis/kubeone (``versions``,
``cloudProvider.external``: "deploys the external CCM"; required since Kubernetes lost its own provider).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE, KubernetesVersion
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from ccmcheck.carriers.collector import Collector
    from ccmcheck.carriers.kubernetes_object import KubernetesObject

_VERSION = lazy_regex(r"v?1\.\d{1,3}(?:\.\d{1,3})?(?=[-+]|\Z)")
"""Nothing else of the text is ever shown."""
_KUBEONE = "KubeOneCluster"
_PATHS = {_KUBEONE: ("versions", "kubernetes"), "KubeadmControlPlane": ("spec", "version")}


def version_of(obj: KubernetesObject, collector: Collector) -> KubernetesVersion | None:
    """What an object says; None where it says nothing, or something renders it later."""
    path = _PATHS.get(obj.kind)
    node = obj.at(*path) if path is not None else None
    match = _VERSION.match(node.value) if isinstance(node, Scalar) else None
    if match is None or not isinstance(node, Scalar):
        return None
    return KubernetesVersion(match.group(), collector.path, collector.position(obj.source, node.content.start)[0])


def readers_of(obj: KubernetesObject, version: KubernetesVersion | None) -> tuple[str, ...]:
    """Who reads the cloud.conf of a cluster that installs the reader itself; empty where that is unknown."""
    if obj.kind != _KUBEONE or obj.at("cloudProvider", "external") is not None or version is None:
        return ()
    return () if kubernetes_has("no-in-tree-openstack", version.name) else (IN_TREE,)
