"""Workloads that run the CCM: which release, which file it is told to read, and what is mounted where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.carriers.base import CcmPod, Mount
from ccmcheck.carriers.images import is_ccm_image, release_of
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.objects import Object
    from ccmcheck.yamlio import Node

_FLAG = re.compile(r"--cloud-config(?:=|\s+)[\"']?([^\s\"']+)")
_VARIABLE = re.compile(r"\$\((\w+)\)")


def find(found: Object) -> None:
    """Look for a container that runs the CCM.

    Args:
        found: A Pod, or an object with a template for Pods.
    """
    pod = found.at("spec") if found.kind == "Pod" else found.at("spec", "template", "spec")
    if not isinstance(pod, Mapping):
        return
    for container in _maps(pod.get("containers")):
        image = container.get("image")
        if not isinstance(image, Scalar) or not is_ccm_image(image.value):
            continue
        said = found.level.said(image)
        found.search.pods.append(
            CcmPod(
                found.search.path,
                found.subject,
                found.namespace,
                said,
                release_of(said),
                _cloud_config(container),
                tuple(_mounts(container, pod)),
            )
        )


def _maps(node: Node | None) -> Iterator[Mapping]:
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                yield item


def _cloud_config(container: Mapping) -> str:
    """The value of ``--cloud-config``, with the container's environment put in (Kubernetes, ``$(NAME)``)."""
    words = [
        text_of(item) or ""
        for name in ("command", "args")
        if isinstance(node := container.get(name), Sequence)
        for item in node.items
    ]
    match = _FLAG.search(" ".join(words))
    if match is None:
        return ""
    environment = {
        text_of(entry.get("name")): text_of(entry.get("value")) or "" for entry in _maps(container.get("env"))
    }
    return _VARIABLE.sub(lambda name: environment.get(name[1]) or name[0], match[1])


def _mounts(container: Mapping, pod: Mapping) -> Iterator[Mount]:
    volumes = {text_of(volume.get("name")): volume for volume in _maps(pod.get("volumes"))}
    for mount in _maps(container.get("volumeMounts")):
        path = text_of(mount.get("mountPath")) or ""
        sub_path = text_of(mount.get("subPath")) or ""
        volume = volumes.get(text_of(mount.get("name")))
        source, name = _source(volume) if volume is not None else ("", "")
        if path:
            yield Mount(path, source, name, sub_path)


def _source(volume: Mapping) -> tuple[str, str]:
    if "secret" in (names := {key.value for key, _ in volume.items}):
        return "Secret", text_of(field(volume, "secret", "secretName")) or ""
    if "configMap" in names:
        return "ConfigMap", text_of(field(volume, "configMap", "name")) or ""
    if "hostPath" in names:
        return "hostPath", text_of(field(volume, "hostPath", "path")) or ""
    return next((key.value for key, _ in volume.items if key.value != "name"), ""), ""
