"""A node selector of the CCM that no node has."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.data.cluster import ROLES
from ccmcheck.conf.starting import is_of_k3s, nodes_of, unknown_labels
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping

_ALSO = "; servers of k3s and RKE2 with the taint CriticalAddonsOnly want a toleration for it, too"


def check(manifest: Manifest) -> Problems:
    """Compare the selector with the labels of the nodes."""
    ccm = workload(manifest)
    selector = ccm.spec.get("nodeSelector") if ccm is not None else None
    if ccm is None or not isinstance(selector, Mapping):
        return
    nodes, are_sure = nodes_of(ccm.pod, manifest.run_context.node_labels, manifest.pods)
    where = " in the chart's value nodeSelector" if ccm.pod.made_by else ""
    role = next((key for key, _ in selector.items if key.value in ROLES), None)
    if where and role is not None and nodes and not any(name in ROLES for node in nodes for name, _ in node.labels):
        yield Problem(
            role.content,
            f"no Node in the files has `{role.value}`",
            "Where the control plane is hosted elsewhere, no Node is of it, and the pod is never scheduled: new nodes stay tainted.",
            f"Where that is so, write `{role.value}: null`{where}.",
            severity=Severity.INFO,
        )
    for label in unknown_labels(ccm.pod, nodes):
        key = selector.key(label.name)
        whose = "the nodes of k3s and RKE2 have" if is_of_k3s(ccm.pod) else "the Nodes in the files have"
        whose = f"those that {label.made_by} makes have" if label.made_by else whose
        do = f'Write `{label.other or label.name}: "{label.known}"`{where}'
        if label.other and where and label.name == ROLES[0]:
            do += f", and `{label.name}: null`, as Helm lays the values over the chart's default"
        yield Problem(
            (key or selector).content,
            f"{label.text}: {whose} {label.instead}",
            f"{'' if are_sure else 'If these Nodes are of its cluster: '}The pod is never scheduled: without a CCM new nodes stay tainted, and Services get no load balancer.",
            f"{do}{_ALSO if is_of_k3s(ccm.pod) else ''}.",
            severity=None if are_sure else Severity.INFO,
        )
