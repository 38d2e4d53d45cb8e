"""Cluster API's objects that hold no cloud.conf but decide what one says: OpenStackClusters, ClusterResourceSets."""

from __future__ import annotations

from ccmcheck.carriers import generic
from ccmcheck.carriers.base import CapiCluster, ResourceSet
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog.data.cluster import NODE_PORTS
from ccmcheck.yamlio import Mapping, Scalar, Sequence, kubernetes_scalar, text_of

_RULES = ("allNodesSecurityGroupRules", "clusterNodesSecurityGroupRules", "workerNodesSecurityGroupRules")
"""Lists of rules for workers; the first became the second in v1beta2 of Cluster API Provider OpenStack."""


def find_cluster(obj: KubernetesObject, carrier: Carrier) -> None:
    """Read an OpenStackCluster, or a template of one."""
    template = obj.kind.endswith("Template")
    spec = obj.at("spec", "template", "spec") if template else obj.at("spec")
    if not isinstance(spec, Mapping):
        return  # a reference to one
    source, name = obj.source, obj.at("metadata", "name")
    known = isinstance(name, Scalar) and not template and not source.has_mark(name)
    carrier.collector.clusters.append(
        CapiCluster(obj.path, obj.subject, obj.name if known else "", _node_ports(source, spec))
    )
    generic.find(obj, carrier)


def _node_ports(source: SourceText, spec: Mapping) -> bool | None:
    """Whether the managed groups open the NodePorts to others than the cluster's own nodes.

    ``managedSecurityGroups: true`` of the older API says nothing of the release, and up to 0.10 all were open.
    """
    groups = spec.get("managedSecurityGroups")
    if not isinstance(groups, Mapping) or source.has_mark(groups):
        return None
    rules = [rule for name in _RULES if isinstance(node := groups.get(name), Sequence) for rule in node.items]
    return any(isinstance(rule, Mapping) and _opens(rule) for rule in rules)


def _opens(rule: Mapping) -> bool:
    if text_of(rule.get("direction")) != "ingress" or rule.get("remoteManagedGroups") is not None:
        return False
    low, high = (_port(rule, name) for name in ("portRangeMin", "portRangeMax"))
    return (low or 0) <= NODE_PORTS[0] and (high or NODE_PORTS[1]) >= NODE_PORTS[0]


def _port(rule: Mapping, name: str) -> int | None:
    node = rule.get(name)
    value = kubernetes_scalar(node) if isinstance(node, Scalar) else None
    return value if isinstance(value, int) else None


def find_resource_set(obj: KubernetesObject, carrier: Carrier) -> None:
    """Read a ClusterResourceSet."""
    resources = obj.at("spec", "resources")
    if not isinstance(resources, Sequence):
        return
    secrets = [
        obj.source.value_of(name)
        for item in resources.items
        if isinstance(item, Mapping)
        and text_of(item.get("kind")) == "Secret"
        and isinstance(name := item.get("name"), Scalar)
    ]
    carrier.collector.resource_sets.append(ResourceSet(obj.path, obj.subject, obj.namespace, tuple(secrets)))
