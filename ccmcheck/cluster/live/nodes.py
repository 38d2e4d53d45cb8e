"""What only a running cluster says of nodes: which of them become members, and what keeps the others out."""

from __future__ import annotations

from collections.abc import Collection

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, cluster_names, live_records, manifest_data, ranges

MOST_REPORTED = 20
"""Nodes that are judged by themselves; what is wrong with more of them is the same."""
_KINDS = ("InternalIP", "ExternalIP")


def live_node(obj: Document) -> live_records.LiveNode:
    """What a Node says.

    Args:
        obj: The object.
    """
    node, left_out = manifest_data.read_node(obj)
    taints = mappings(mapping(obj.get("spec")).get("taints"))
    families = {ranges.family(address) for kind, address in node.addresses if kind in _KINDS}
    return live_records.LiveNode(
        left_out,
        any((taint.get("key"), taint.get("value")) == cluster_names.UNINITIALIZED for taint in taints),
        text(mapping(obj.get("spec")).get("providerID")),
        tuple(sorted(families - {0})),
        any(role in node.labels for role in cluster_names.ROLES),
        _ready(obj),
    )


def _ready(obj: Document) -> bool | None:
    conditions = mappings(mapping(obj.get("status")).get("conditions"))
    return next(
        (condition.get("status") == "True" for condition in conditions if condition.get("type") == "Ready"), None
    )


class Common(NamedTuple):
    """What is known of all nodes together.

    Attributes:
        families: The IP families that any of them has.
        all_left_out: Whether none of them becomes a member.
        none_ready: Whether none of them is ready, and all say so.
    """

    families: frozenset[int]
    all_left_out: bool
    none_ready: bool


def common(nodes: Collection[live_records.LiveNode]) -> Common:
    """What is known of some nodes together."""
    families = frozenset(family for node in nodes for family in node.families)
    return Common(families, all(node.left_out for node in nodes), all(node.ready is False for node in nodes))


def is_odd(node: live_records.LiveNode, of_all: Common, region: str = "") -> bool:
    """Whether there is anything to say of a node.

    Args:
        node: The node.
        of_all: What is known of all nodes.
        region: The cloud.conf's; empty where it is not known.
    """
    return bool(
        not node.provider_id
        or of_all.none_ready
        or (region and node.region and node.region != region)
        or (node.left_out and (not node.is_control_plane or of_all.all_left_out))
        or node.uninitialized
        or (node.provider_id and not node.provider_id.startswith(f"{cluster_names.PROVIDER_NAME}://"))
        or not of_all.families.issubset(node.families)
    )
