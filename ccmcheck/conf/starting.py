"""Whether a workload of the CCM ever runs: its nodes, their taints, and the file that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import folder_of, may_be_together
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod, NodeLabels, Toleration
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import CONTROL_PLANE_TAINT_ALONE, K3S_ROLE, PROVIDER_NAME, ROLES, UNINITIALIZED

_CONTROL_PLANE_WORD = lazy_regex(r"(?<![a-z])(?:master|control-?plane)(?![a-z])", re.IGNORECASE)
_KEEPS_OUT = ("NoSchedule", "NoExecute")
"""Effects of a taint that a pod has to tolerate to be scheduled."""
_PASSING = ("node.", "ToBeDeleted", "DeletionCandidate")
"""How the keys of taints begin that a program takes away again: node.kubernetes.io/not-ready, node.cilium.io/…"""
_TAINT_KEY = lazy_regex(r"CriticalAddonsOnly|dedicated|[a-z]{1,20}(?:[_-][a-z]{1,20}){0,3}+|[a-z.-]++/[a-z.-]++")
"""Keys that are names: others of a file are not shown in what is said of another one."""
_MOST_NODES = 1000
"""Nodes that each workload is compared with; of more nothing is said."""


class Taint(NamedTuple):
    """A taint of the nodes that a workload is scheduled to; nodes have it under one of its keys.

    Attributes:
        keys: The keys.
        value: Its value.
        strict: Whether a toleration has to name the value.
        effect: Its effect.
        on: How many Nodes of the files have it, which are all that the workload may run on; 0 where it is of new nodes.
    """

    keys: tuple[str, ...]
    value: str
    strict: bool
    effect: str = "NoSchedule"
    on: int = 0


class UnknownLabel(NamedTuple):
    """A label that a node selector asks for, and no node has.

    Attributes:
        name: The label.
        value: The value that is asked for.
        known: One that nodes have.
        other: The label that nodes have it under, where that is another one.
        made_by: What makes the nodes; empty for Nodes of files.
    """

    name: str
    value: str
    known: str
    other: str = ""
    made_by: str = ""

    @property
    def text(self) -> str:
        """What is wrong, for people."""
        return f"no node has `{self.name}`{'' if self.other else f' with {shown(self.value)}'}"

    @property
    def instead(self) -> str:
        """What nodes have, for people."""
        return f"only `{self.other}`" if self.other else shown(self.known)


def shown(value: str) -> str:
    """A label's value for people."""
    return f"the value `{value}`" if value else "an empty value"


def why_idle(pods: Sequence[CcmPod], nodes: Sequence[NodeLabels]) -> str:
    """Why no CCM runs; empty where one may.

    A workload that mounts nothing, or has no list of tolerations, may be a part of one.

    Args:
        pods: The workloads that may be the one.
        nodes: The labels of the Nodes in the files.
    """
    by_object: dict[str, str] = {}
    for pod in pods:
        by_object[pod.object] = by_object.get(pod.object) or _why_idle(pod, nodes)
    return next(iter(by_object.values())) if by_object and all(by_object.values()) else ""


def _why_idle(pod: CcmPod, nodes: Sequence[NodeLabels]) -> str:
    if pod.mounts and lacks_conf(pod):
        return "the CCM does not start: no volume of its container provides the file of --cloud-config"
    own, _ = nodes_of(pod, nodes)
    labels = unknown_labels(pod, own)
    if labels:
        return f"the CCM is never scheduled: {labels[0].text}"
    taints = untolerated(pod, own) if pod.placement is not None and pod.placement.names_tolerations else ()
    return f"the CCM is never scheduled to a new node: it has no toleration for `{taints[0].keys[0]}`" if taints else ""


def lacks_conf(pod: CcmPod) -> bool:
    """Whether no volume provides the file that ``--cloud-config`` names."""
    known = pod.placement is not None and not pod.placement.gets_volumes
    return known and pod.cloud_config.startswith("/") and pod.mount_at(pod.cloud_config) is None


def unknown_labels(pod: CcmPod, nodes: Sequence[NodeLabels]) -> list[UnknownLabel]:
    """What its node selector asks for in vain, of its nodes (`nodes_of`) or of k3s."""
    if pod.placement is None or not pod.placement.is_scheduled:
        return []
    found = []
    for name, value in pod.placement.selector or ():
        having = [node for node in nodes if name in dict(node.labels)]
        known = {dict(node.labels)[name] for node in having}
        if not known and name in ROLES:
            other = next(role for role in ROLES if role != name)
            having = [node for node in nodes if other in dict(node.labels)]
            if having:
                found.append(UnknownLabel(name, value, dict(having[0].labels)[other], other, made_by=having[0].made_by))
                continue
            known = {K3S_ROLE} if is_of_k3s(pod) else set()
        if known and value not in known:
            found.append(UnknownLabel(name, value, min(known), made_by=having[0].made_by if having else ""))
    return found


def nodes_of(
    pod: CcmPod, nodes: Sequence[NodeLabels], pods: Sequence[CcmPod] = ()
) -> tuple[Sequence[NodeLabels], bool]:
    """The nodes in files that a workload may run on, and whether they are sure to be its cluster's.

    Args:
        pod: The workload.
        nodes: The nodes of the run.
        pods: The workloads of the run: where all are in one folder, and all Nodes in another, these may be theirs.
    """
    if len(nodes) > _MOST_NODES:
        return (), True
    folder = folder_of(pod.path)
    below = f"{folder}/" if folder else ""
    own = [node for node in nodes if node.path.startswith(below)]
    others = () if own else may_be_together(pods, nodes, _may_be_ours)
    return own or others, not others


def _may_be_ours(node: NodeLabels) -> bool:
    """Whether a Node of another folder may be of a cluster with a CCM: it is not another cloud's."""
    return not node.made_by and node.provider_id.partition(":")[0] in ("", PROVIDER_NAME, "rke2", "k3s")


def is_of_k3s(pod: CcmPod) -> bool:
    """Whether k3s or RKE2 installs a workload: their controller makes a release of Helm of each HelmChart."""
    return pod.made_by.partition(" ")[0] == "HelmChart"


def untolerated(pod: CcmPod, nodes: Sequence[NodeLabels] = ()) -> list[Taint]:
    """The taints of its nodes that it does not tolerate; a CCM with a kubeconfig may run outside of its cluster.

    Args:
        pod: The workload.
        nodes: Its nodes (`nodes_of`).
    """
    placement = pod.placement
    if placement is None or not placement.is_scheduled or placement.tolerations is None:
        return []
    if placement.kubeconfig and ((mount := pod.mount_at(placement.kubeconfig)) is None or mount.source != "hostPath"):
        return []
    given = placement.tolerations
    name, value = UNINITIALIZED
    taints = [Taint((name,), value, strict=True)]
    # k3s and RKE2 do not taint their servers unless they are told to
    if not any(map(_is_role_of_its_own, given)) and not is_of_k3s(pod):
        role = next((role for role in ROLES if role in placement.roles), "")
        taints += [Taint(_taints_of(pod, role), "", strict=False)] if role else []
    names = frozenset(name for name, _ in placement.selector or ())
    taints += _taints_of_all(nodes, names, [key for taint in taints for key in taint.keys])
    return [taint for taint in taints if not any(_tolerates(one, taint) for one in given)]


def _taints_of_all(nodes: Iterable[NodeLabels], names: frozenset[str], known: Sequence[str]) -> list[Taint]:
    """The taints that every Node has that it may run on, but those that come and go by themselves, and known ones.

    What a selector's value is to be is another matter: a Node with its labels may be one that it is meant for.
    """
    fit = [node for node in nodes if not node.made_by and names <= set(dict(node.labels))]
    return [
        Taint((key,), value, strict=True, effect=effect, on=len(fit))
        for key, value, effect in (fit[0].taints if fit else ())
        if effect in _KEEPS_OUT and key not in known and not key.startswith(_PASSING)
        if value in ("", "true") and _TAINT_KEY.fullmatch(key)
        if all((key, value, effect) in node.taints for node in fit)
    ]


def _is_role_of_its_own(toleration: Toleration) -> bool:
    """Whether a taint is tolerated that stands for the control plane in the place of the role's: ``dedicated=master``.

    Magnum's nodes have that one (magnum/drivers/common/templates/kubernetes/fragments/configure-kubernetes-master.sh).
    """
    if toleration.effect not in ("", "NoSchedule"):
        return False
    key, value = toleration.key, toleration.value
    return "kubernetes.io/" not in key and _CONTROL_PLANE_WORD.search(f"{key} {value}") is not None


def _taints_of(pod: CcmPod, role: str) -> tuple[str, ...]:
    """The taint of nodes with the label of a role, which before Kubernetes 1.25 was that of another role, or both."""
    release = catalog.release(pod.release) if pod.release else catalog.newest()
    return (role,) if release.at_least(CONTROL_PLANE_TAINT_ALONE) else ROLES


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    exists = toleration.operator == "Exists"
    if toleration.effect not in ("", taint.effect):
        return False
    if not toleration.key:
        return exists
    return toleration.key in taint.keys and (exists or not taint.strict or toleration.value == taint.value)


def version_of_nodes(nodes: Iterable[NodeLabels]) -> str:
    """The version of Kubernetes that all of some Nodes tell; empty where they differ, or nothing tells it.

    Workers alone may be older than the cluster, hence one of the control plane must be among them.
    """
    told = [one for one in nodes if one.kubelet]
    is_one = len({minor_of(one.kubelet) for one in told}) == 1
    return told[0].kubelet if is_one and any(name in ROLES for one in told for name, _ in one.labels) else ""
