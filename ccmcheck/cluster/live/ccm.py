"""The CCM of a cluster: the workload that runs it, its release and flags, and the object that its cloud.conf is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from ccmcheck.cluster.access.documents import ObjectFile, mapping, mappings, moment, namespace_of, object_file, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, carriers, cluster_names, images, lazy_regex

LIVE = carriers.FindOptions(template=False)
"""Nothing renders what an API server holds: ``${NAME}`` is just that."""
_MIRROR = "kubernetes.io/config.mirror"
_VARIABLE = lazy_regex(r"\$\((\w+)\)")
_CONTROLLERS = frozenset({"DaemonSet", "ReplicaSet", "StatefulSet", "Job"})


class Ccm(NamedTuple):
    """One workload that runs the CCM.

    Attributes:
        file: The workload as a file.
        pod: What the linter reads in it: image, release, flags, mounts.
        container: The CCM's container by its name.
        object: The workload as the API server sent it.
        own: Its pods as the API server sent them; empty where they could not be read.
        waits: The image of its template, where no pod runs it; empty where one does, or none is known to run.
    """

    file: ObjectFile
    pod: carriers.CcmPod
    container: str
    object: Document = {}  # noqa: RUF012 - never changed
    own: tuple[Document, ...] = ()
    waits: str = ""

    @property
    def starts(self) -> tuple[datetime, ...]:
        """When the containers that run now were started."""
        return tuple(start for pod in self.own for start in _starts(pod, self.container))

    @property
    def pods(self) -> tuple[str, ...]:
        """The names of its pods."""
        return tuple(map(name_of, self.own))


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
    ccms: list[Ccm] = []
    stopped: list[Ccm] = []
    made = _by_label(pods)
    for workload in filter(may_run_ccm, workloads):
        for ccm in _read(workload):
            is_off = mapping(workload.get("spec")).get("replicas") == 0
            (stopped if is_off else ccms).append(_as_it_runs(ccm, _pods_of(workload, made)))
    statics: dict[tuple[str, ...], Ccm] = {}
    for pod in pods:
        if _is_free(pod) and may_run_ccm(pod):
            for ccm in _read(pod):
                # a static pod is the same on each node, except for its name
                key = (_without_node(pod), ccm.pod.image, ccm.pod.cloud_config, ccm.pod.cluster_name)
                known = statics.get(key, ccm)
                statics[key] = known._replace(own=(*known.own, pod))
    return [*ccms, *statics.values()] or stopped


def may_run_ccm(workload: Document) -> bool:
    """Whether the program of the CCM stands in a workload's containers, which is cheap to see."""
    for container in mappings(spec_of(workload).get("containers")):
        words = [container.get("image")]
        for name in ("command", "args"):
            words += container[name] if isinstance(container.get(name), list) else ()
        if any(isinstance(word, str) and cluster_names.PROGRAM in word for word in words):
            return True
    return False


def other_controller(workload: Document) -> str:
    """The name of another controller of load balancers that a workload runs; empty for none."""
    containers = mappings(spec_of(workload).get("containers"))
    return next(filter(None, (images.controller_of(text(container.get("image"))) for container in containers)), "")


def _as_it_runs(ccm: Ccm, own: Sequence[Document]) -> Ccm:
    """A workload with its pods, and with the image that they run: its template may be one that cannot be pulled."""
    running = {_image(pod, ccm.container) for pod in own if any(_starts(pod, ccm.container))}
    if len(running) != 1 or ccm.pod.image in running:
        return ccm._replace(own=tuple(own))
    runs = next(_read(_with_image(ccm.object, ccm.container, running.pop())), ccm)
    return runs._replace(object=ccm.object, own=tuple(own), waits=ccm.pod.image)


def _with_image(workload: Document, container: str, image: str) -> Document:
    spec = spec_of(workload)
    containers = [
        {**one, "image": image} if one.get("name") == container else one for one in mappings(spec["containers"])
    ]
    outer = mapping(workload.get("spec"))
    template = {**mapping(outer.get("template")), "spec": {**spec, "containers": containers}}
    return {**workload, "spec": {**outer, "template": template}}


def _image(pod: Document, container: str) -> str:
    containers = mappings(spec_of(pod).get("containers"))
    return next((text(one.get("image")) for one in containers if one.get("name") == container), "")


def config_place(pod: carriers.CcmPod) -> ConfigPlace:
    """Where a CCM reads its cloud.conf, by its flag and its mounts."""
    path = pod.cloud_config
    mount = pod.mount_at(path) if path else None
    if mount is None:
        return ConfigPlace("", "", "", path)
    if mount.source == "hostPath":
        inside = path[len(mount.path.rstrip("/")) :]
        return ConfigPlace(mount.source, mount.name.rstrip("/") + inside, "", path)
    return ConfigPlace(mount.source, mount.name, mount.key_at(path), path)


def config_places(ccm: Ccm) -> list[ConfigPlace]:
    """Where a CCM may read its cloud.conf: of the sources of a projected volume any may hold it."""
    place = config_place(ccm.pod)
    if place.kind != "projected":
        return [place]
    mount = ccm.pod.mount_at(place.path)
    inside = (mount.sub_path or place.path[len(mount.path.rstrip("/")) + 1 :]) if mount is not None else ""
    named, whole = [], []
    for source in _projected(ccm, mount.path if mount is not None else ""):
        for field, kind in (("secret", "Secret"), ("configMap", "ConfigMap")):
            held = mapping(source.get(field))
            keys = [text(item.get("key")) for item in mappings(held.get("items")) if item.get("path") == inside]
            if keys:
                named.append(ConfigPlace(kind, text(held.get("name")), keys[0], place.path))
            elif held and not held.get("items"):
                whole.append(ConfigPlace(kind, text(held.get("name")), inside, place.path))
    return named or whole or [place]


def _projected(ccm: Ccm, path: str) -> list[Document]:
    """The sources of the projected volume that is mounted at a path."""
    spec = spec_of(ccm.object)
    names = {
        one.get("name")
        for container in mappings(spec.get("containers"))
        if container.get("name") == ccm.container
        for one in mappings(container.get("volumeMounts"))
        if one.get("mountPath") == path
    }
    volumes = [mapping(one.get("projected")) for one in mappings(spec.get("volumes")) if one.get("name") in names]
    return [source for volume in volumes for source in mappings(volume.get("sources"))]


def variable_source(ccm: Ccm) -> tuple[str, str, str, str] | None:
    """Where the variable in ``--cloud-config`` comes from: kind, name and key, and the variable; None for none."""
    match = _VARIABLE.search(ccm.pod.cloud_config)
    containers = [one for one in mappings(spec_of(ccm.object).get("containers")) if one.get("name") == ccm.container]
    for entry in mappings(containers[0].get("env")) if match is not None and containers else ():
        for field, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
            held = mapping(mapping(entry.get("valueFrom")).get(field))
            if held and match is not None and entry.get("name") == match[1]:
                return kind, text(held.get("name")), text(held.get("key")), match[0]
    return None


def _read(workload: Document) -> Iterator[Ccm]:
    file = object_file(workload)
    pods = carriers.find(file.path, file.text, LIVE._replace(explicit=True)).pods
    if pods:
        yield Ccm(file, pods[0], _container(workload, pods[0].image), object=workload)


def spec_of(workload: Document) -> Document:
    """The spec of the pods of a workload."""
    spec = mapping(workload.get("spec"))
    return spec if workload.get("kind") == "Pod" else mapping(mapping(spec.get("template")).get("spec"))


def _container(workload: Document, image: str) -> str:
    containers = mappings(spec_of(workload).get("containers"))
    return next((text(container.get("name")) for container in containers if container.get("image") == image), "")


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
        if namespace_of(pod) == namespace_of(workload)
        and wanted.items() <= {label for label in pod["metadata"]["labels"].items() if isinstance(label[1], str)}
    ]


def _starts(pod: Document, container: str) -> Iterator[datetime]:
    """When the container that runs in a pod was started."""
    for status in mappings(mapping(pod.get("status")).get("containerStatuses")):
        if status.get("name") == container:
            started = moment(mapping(mapping(status.get("state")).get("running")).get("startedAt"))
            if started is not None:
                yield started


def name_of(pod: Document) -> str:
    """The name of an object."""
    return text(mapping(pod.get("metadata")).get("name"))


def _without_node(pod: Document) -> str:
    return name_of(pod).removesuffix("-" + text(mapping(pod.get("spec")).get("nodeName")))
