"""A node selector of the CCM that no node has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.catalog.data.cluster import K3S_ROLE, ROLES
from ccmcheck.rules._support.workload import is_of_k3s, workload
from ccmcheck.yamlio import Mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.rules._support.workload import Workload
    from ccmcheck.rules.views.manifest import Manifest


_MOST_NODES = 1000
"""Nodes that each workload is compared with; of more nothing is said."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the selector with the labels of the nodes: those of files below the workload's folder, or of k3s."""
    ccm = workload(manifest)
    selector = ccm.spec.get("nodeSelector") if ccm is not None else None
    if ccm is None or not isinstance(selector, Mapping) or manifest.has_mark(selector):
        return
    if len(manifest.run_context.node_labels) > _MOST_NODES:
        return
    for key, node in selector.items:
        value = text_of(node) or ""
        others = _labels(manifest, ccm, key.value)
        if not others or value in others:
            continue
        known = min(others)
        whose = "the nodes of k3s and RKE2 have" if is_of_k3s(ccm.pod) else "the Nodes in the files have"
        where = " in the chart's value nodeSelector" if ccm.pod.made_by else ""
        yield Problem(
            key.content,
            f"no node has `{key.value}` with {_shown(value)}: {whose} {_shown(known)}",
            "The pod is never scheduled: without a CCM new nodes stay tainted, and Services get no load balancer.",
            f'Write `{key.value}: "{known}"`{where}.',
        )


def _labels(manifest: Manifest, ccm: Workload, name: str) -> set[str]:
    """The values that nodes have under a name; none where that is not known."""
    folder = folder_of(manifest.path)
    below = f"{folder}/" if folder else ""
    own = {
        value
        for node in manifest.run_context.node_labels
        if node.path.startswith(below)
        for key, value in node.labels
        if key == name
    }
    return own or ({K3S_ROLE} if is_of_k3s(ccm.pod) and name in ROLES else set())


def _shown(value: str) -> str:
    return f"the value `{value}`" if value else "an empty value"
