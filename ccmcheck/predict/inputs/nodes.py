"""Nodes as the CCM sees them: their address as a member, and which of them are selected.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go (nodeAddressForLB, filterNodes); k8s.io/cloud-provider
controllers/service/controller.go (nodeIncludedPredicate).
"""

from __future__ import annotations

from ccmcheck.catalog import Release
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.predict.inputs import ranges
from ccmcheck.predict.inputs.cloud_state import Node

EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers"
"""The label that keeps a node out of all load balancers (the service controller's own)."""

NOT_EXCLUDED = ("0", "f", "F", "false", "FALSE", "False")
"""Its values with which releases from 1.34.0 on keep the node in (strconv.ParseBool); before, any value excludes."""

MASTER = "node-role.kubernetes.io/master"
"""The label of the control plane's nodes, which the releases up to 1.20 leave out for it."""
CONTROL_PLANE = "node-role.kubernetes.io/control-plane"

_MOST_IN_192_0_2 = 254


def handed_over(nodes: tuple[Node, ...] | None, release: Release) -> tuple[Node, ...] | None:
    """Those of some nodes that the service controller of a release hands to the CCM; None for unknown ones.

    Args:
        nodes: The nodes; those that no release hands over are left out already.
        release: The release.
    """
    labels = []
    if behaves("leaves-masters-out", release):
        labels.append(MASTER)
    if not behaves("exclude-label-has-value", release):
        labels.append(EXCLUDED)
    if nodes is None or not labels:
        return nodes
    return tuple(node for node in nodes if not any(label in node.labels for label in labels))


def address_of(node: Node, family: int) -> str:
    """A node's address as a member: the first InternalIP, else the first ExternalIP, of the family; empty for none."""
    for kind in ("InternalIP", "ExternalIP"):
        for type_, address in node.addresses:
            if type_ == kind and (not family or ranges.family(address) == family):
                return address
    return ""


def selectors(text: str) -> tuple[tuple[str, str], ...]:
    """``key=value,key`` as ``util.StringToMap`` reads it: spaces around ``=`` belong to key and value."""
    labels: dict[str, str] = {}
    for part in text.strip().split(","):
        key, equals, value = part.strip().partition("=")
        if equals or key:
            labels[key] = value
    return tuple(labels.items())


def selected(nodes: tuple[Node, ...], labels: tuple[tuple[str, str], ...]) -> tuple[Node, ...]:
    """The nodes that have all labels."""
    if not labels:
        return nodes
    return tuple(
        node
        for node in nodes
        if node.labels and all(key in node.labels and (not value or node.labels[key] == value) for key, value in labels)
    )


def placeholder_nodes(count: int) -> tuple[Node, ...]:
    """Nodes of which only the number is known, with made-up names and documentation addresses of both families."""
    nodes = []
    for number in range(1, count + 1):
        four = f"192.0.2.{number}" if number <= _MOST_IN_192_0_2 else f"198.18.{number >> 8 & 255}.{number & 255}"
        addresses = (("InternalIP", four), ("InternalIP", f"2001:db8::{number:x}"))
        nodes.append(Node(f"node-{number}", addresses, {"": ""}, made_up=True))
    return tuple(nodes)
