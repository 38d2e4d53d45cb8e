"""The CCM of a cluster: the workload that runs it, its release and flags, and the object that its cloud.conf is in."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import ObjectFile, mapping, mappings, object_file, text
from ccmcheck.cluster.core import NamedTuple, carriers, mounts
from ccmcheck.cluster.live.ownership import moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.core import carriers

LIVE = carriers.FindOptions(template=False)
"""Nothing renders what an API server holds: ``${NAME}`` is just that."""
_MIRROR = "kubernetes.io/config.mirror"
_CONTROLLERS = frozenset({"DaemonSet", "ReplicaSet", "StatefulSet", "Job"})


class Ccm(NamedTuple):
    """One workload that runs the CCM.

    Attributes:
        file: The workload as a file.
        pod: What the linter reads in it: image, release, flags, mounts.
        container: The CCM's container by its name.
        starts: When the containers that run now were started; empty where their pods could not be read.
        object: The workload as the API server sent it.
        pods: The names of the pods that run it now.
    """

    file: ObjectFile
    pod: carriers.CcmPod
    container: str
    starts: tuple[datetime, ...] = ()
    object: Document = {}  # noqa: RUF012 - never changed
    pods: tuple[str, ...] = ()


class ConfigPlace(NamedTuple):
    """Where a CCM reads its cloud.conf.

    Attributes:
        kind: ``Secret`` or ``ConfigMap``; another source of a volume, such as ``hostPath``, or empty without one.
        name: The object's name; the path on the node for ``hostPath``.
        key: The key; empty where the volume does not hold the file.
        path: The path in the container; empty without ``--cloud-config``.
    """

    kind: str
    name: str
    key: str
    path: str


def find_ccms(workloads: Iterable[Document], pods: Sequence[Document]) -> list[Ccm]:
    """The workloads that run the CCM, each once: the pods of a DaemonSet are its own, static pods one a node.

    Args:
        workloads: DaemonSets and Deployments.
        pods: The pods of the same namespace.
    """
    found: list[Ccm] = []
    made = _by_label(pods)
    for workload in workloads:
        if _is_scaled_to_nothing(workload):
            continue
        for ccm in _read(workload):
            own = _pods_of(workload, made)
            starts = [start for pod in own for start in _starts(pod, ccm.container)]
            found.append(ccm._replace(starts=tuple(starts), pods=tuple(map(_name, own))))
    statics: dict[tuple[str, ...], Ccm] = {}
    for pod in pods:
        if _is_free(pod):
            for ccm in _read(pod):
                # a static pod is the same on each node, except for its name
                key = (_without_node(pod), ccm.pod.image, ccm.pod.cloud_config, ccm.pod.cluster_name)
                known = statics.get(key, ccm)
                running = (*known.starts, *_starts(pod, ccm.container))
                statics[key] = known._replace(starts=running, pods=(*known.pods, _name(pod)))
    return [*found, *statics.values()]


def config_place(pod: carriers.CcmPod) -> ConfigPlace:
    """Where a CCM reads its cloud.conf, by its flag and its mounts."""
    path = pod.cloud_config
    mount = mounts.covering(pod, path) if path else None
    if mount is None:
        return ConfigPlace("", "", "", path)
    if mount.source == "hostPath":
        inside = path[len(mount.path.rstrip("/")) :]
        return ConfigPlace(mount.source, mount.name.rstrip("/") + inside, "", path)
    return ConfigPlace(mount.source, mount.name, mounts.key_at(mount, path), path)


def _read(workload: Document) -> Iterator[Ccm]:
    file = object_file(workload)
    pods = carriers.find(file.path, file.text, LIVE._replace(explicit=True)).pods
    if pods:
        yield Ccm(file, pods[0], _container(workload, pods[0].image), object=workload)


def _spec(workload: Document) -> Document:
    spec = mapping(workload.get("spec"))
    return spec if workload.get("kind") == "Pod" else mapping(mapping(spec.get("template")).get("spec"))


def _container(workload: Document, image: str) -> str:
    containers = mappings(_spec(workload).get("containers"))
    return next((text(one.get("name")) for one in containers if one.get("image") == image), "")


def _is_scaled_to_nothing(workload: Document) -> bool:
    return mapping(workload.get("spec")).get("replicas") == 0


def _owners(pod: Document) -> list[Document]:
    return mappings(mapping(pod.get("metadata")).get("ownerReferences"))


def _is_free(pod: Document) -> bool:
    """Whether a pod is a workload of its own: a static one, or one that nothing creates again."""
    annotations = mapping(mapping(pod.get("metadata")).get("annotations"))
    return _MIRROR in annotations or not any(text(owner.get("kind")) in _CONTROLLERS for owner in _owners(pod))


def _by_label(pods: Sequence[Document]) -> dict[tuple[str, str], list[Document]]:
    """The pods that a controller made, by each of their labels."""
    found: dict[tuple[str, str], list[Document]] = {}
    for pod in pods:
        for label in mapping(mapping(pod.get("metadata")).get("labels")).items() if not _is_free(pod) else ():
            if isinstance(label[1], str):
                found.setdefault(label, []).append(pod)
    return found


def _pods_of(workload: Document, by_label: Mapping[tuple[str, str], list[Document]]) -> list[Document]:
    """The pods that a workload made: by its selector, as a Deployment's pods belong to a ReplicaSet."""
    wanted = mapping(mapping(mapping(workload.get("spec")).get("selector")).get("matchLabels"))
    if not wanted or not all(isinstance(value, str) for value in wanted.values()):
        return []
    candidates = min((by_label.get(label, []) for label in wanted.items()), key=len)
    return [
        pod
        for pod in candidates
        if wanted.items() <= {label for label in pod["metadata"]["labels"].items() if isinstance(label[1], str)}
    ]


def _starts(pod: Document, container: str) -> Iterator[datetime]:
    """When the container that runs in a pod was started."""
    for status in mappings(mapping(pod.get("status")).get("containerStatuses")):
        if status.get("name") == container:
            started = moment(mapping(mapping(status.get("state")).get("running")).get("startedAt"))
            if started is not None:
                yield started


def _name(pod: Document) -> str:
    return text(mapping(pod.get("metadata")).get("name"))


def _without_node(pod: Document) -> str:
    return _name(pod).removesuffix("-" + text(mapping(pod.get("spec")).get("nodeName")))
