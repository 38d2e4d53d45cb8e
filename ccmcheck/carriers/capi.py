"""Cluster API's objects that hold no cloud.conf but decide what one says: OpenStackClusters, ClusterResourceSets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers import generic as anything
from ccmcheck.carriers.base import CapiCluster, ResourceSet
from ccmcheck.catalog.data.cluster import NODE_PORTS
from ccmcheck.yamlio import Mapping, Scalar, Sequence, kubernetes_scalar, text_of

if TYPE_CHECKING:
    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.objects import Object

_RULES = ("allNodesSecurityGroupRules", "clusterNodesSecurityGroupRules", "workerNodesSecurityGroupRules")
"""Lists of rules for workers; the first became the second in v1beta2 of Cluster API Provider OpenStack."""


def find_cluster(found: Object) -> None:
    """Read an OpenStackCluster, or a template of one.

    Args:
        found: The object.
    """
    template = found.kind.endswith("Template")
    spec = found.at("spec", "template", "spec") if template else found.at("spec")
    if not isinstance(spec, Mapping):
        return  # a reference to one
    level, name = found.level, found.at("metadata", "name")
    known = isinstance(name, Scalar) and not template and not level.has_mark(name)
    found.search.clusters.append(
        CapiCluster(found.search.path, found.subject, found.name if known else "", _node_ports(level, spec))
    )
    anything.find(found)


def _node_ports(level: Level, spec: Mapping) -> bool | None:
    """Whether the managed groups open the NodePorts to others than the cluster's own nodes.

    ``managedSecurityGroups: true`` of the older API says nothing of the release, and up to 0.10 all were open.
    """
    groups = spec.get("managedSecurityGroups")
    if not isinstance(groups, Mapping) or level.has_mark(groups):
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


def find_resource_set(found: Object) -> None:
    """Read a ClusterResourceSet.

    Args:
        found: The object.
    """
    resources = found.at("spec", "resources")
    if not isinstance(resources, Sequence):
        return
    secrets = [
        found.level.said(name)
        for item in resources.items
        if isinstance(item, Mapping)
        and text_of(item.get("kind")) == "Secret"
        and isinstance(name := item.get("name"), Scalar)
    ]
    found.search.resource_sets.append(ResourceSet(found.search.path, found.subject, found.namespace, tuple(secrets)))
