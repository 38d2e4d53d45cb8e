"""Whether a workload of the CCM ever runs: its nodes, their taints, and the file that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod, NodeLabels, Toleration
from ccmcheck.catalog.data.cluster import CONTROL_PLANE_TAINT_ALONE, K3S_ROLE, ROLES, UNINITIALIZED

_CONTROL_PLANE_WORD = lazy_regex(r"(?<![a-z])(?:master|control-?plane)(?![a-z])", re.IGNORECASE)
_MOST_NODES = 1000
"""Nodes that each workload is compared with; of more nothing is said."""


class Taint(NamedTuple):
    """A taint of the nodes that a workload is scheduled to; nodes have it under one of its keys.

    Attributes:
        keys: The keys.
        value: Its value.
        strict: Whether a toleration has to name the value.
    """

    keys: tuple[str, ...]
    value: str
    strict: bool


class UnknownLabel(NamedTuple):
    """A label that a node selector asks for, and no node has.

    Attributes:
        name: The label.
        value: The value that is asked for.
        known: One that nodes have.
    """

    name: str
    value: str
    known: str

    @property
    def text(self) -> str:
        """What is wrong, for people."""
        return f"no node has `{self.name}` with {shown(self.value)}"


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
    labels = unknown_labels(pod, nodes)
    if labels:
        return f"the CCM is never scheduled: {labels[0].text}"
    taints = untolerated(pod) if pod.placement is not None and pod.placement.names_tolerations else ()
    return f"the CCM is never scheduled to a new node: it has no toleration for `{taints[0].keys[0]}`" if taints else ""


def lacks_conf(pod: CcmPod) -> bool:
    """Whether no volume provides the file that ``--cloud-config`` names."""
    known = pod.placement is not None and not pod.placement.gets_volumes
    return known and pod.cloud_config.startswith("/") and pod.mount_at(pod.cloud_config) is None


def unknown_labels(pod: CcmPod, nodes: Sequence[NodeLabels]) -> list[UnknownLabel]:
    """What its node selector asks for in vain: of the Nodes in files below the workload's folder, or of k3s."""
    if pod.placement is None or not pod.placement.is_scheduled or len(nodes) > _MOST_NODES:
        return []
    found = []
    for name, value in pod.placement.selector or ():
        known = _values(pod, nodes, name)
        if known and value not in known:
            found.append(UnknownLabel(name, value, min(known)))
    return found


def _values(pod: CcmPod, nodes: Iterable[NodeLabels], name: str) -> set[str]:
    """The values that nodes have under a name; none where that is not known."""
    folder = folder_of(pod.path)
    below = f"{folder}/" if folder else ""
    own = {value for node in nodes if node.path.startswith(below) for key, value in node.labels if key == name}
    return own or ({K3S_ROLE} if is_of_k3s(pod) and name in ROLES else set())


def is_of_k3s(pod: CcmPod) -> bool:
    """Whether k3s or RKE2 installs a workload: their controller makes a release of Helm of each HelmChart."""
    return pod.made_by.partition(" ")[0] == "HelmChart"


def untolerated(pod: CcmPod) -> list[Taint]:
    """The taints of its nodes that it does not tolerate; a CCM with a kubeconfig may run outside of its cluster."""
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
    return [taint for taint in taints if not any(_tolerates(one, taint) for one in given)]


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
    if toleration.effect not in ("", "NoSchedule"):
        return False
    if not toleration.key:
        return exists
    return toleration.key in taint.keys and (exists or not taint.strict or toleration.value == taint.value)
