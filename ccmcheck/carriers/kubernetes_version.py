"""The version of Kubernetes that an object gives its cluster: the in-tree provider has no other release."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE, KubernetesVersion
from ccmcheck.carriers.collector import Collector
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.catalog.data.deployments import EXTERNAL_PROVIDER_AT, KUBERNETES_VERSION_AT
from ccmcheck.yamlio import Scalar

_VERSION = lazy_regex(r"v?1\.\d{1,3}(?:\.\d{1,3})?(?=[-+]|\Z)")
"""Nothing else of the text is ever shown."""


def version_of(obj: KubernetesObject, collector: Collector) -> KubernetesVersion | None:
    """What an object says; None where it says nothing, or something renders it later."""
    nodes = (obj.at(*path) for path in KUBERNETES_VERSION_AT.get(obj.kind, ()))
    node = next((node for node in nodes if node is not None), None)
    match = _VERSION.match(node.value) if isinstance(node, Scalar) else None
    if match is None or not isinstance(node, Scalar):
        return None
    return KubernetesVersion(match.group(), collector.path, collector.position(obj.source, node.content.start)[0])


def readers_of(obj: KubernetesObject, version: KubernetesVersion | None) -> tuple[str, ...]:
    """Who reads the cloud.conf of a cluster that installs the reader itself; empty where that is unknown."""
    switch = EXTERNAL_PROVIDER_AT.get(obj.kind)
    if switch is None or obj.at(*switch) is not None or version is None:
        return ()
    return () if kubernetes_has("no-in-tree-openstack", version.name) else (IN_TREE,)
