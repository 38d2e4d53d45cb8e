"""Workloads that run the CCM: which release, which file it is told to read, and what is mounted where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import CcmPod, Mount
from ccmcheck.carriers.images import is_ccm_image, release_of
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.objects import Object
    from ccmcheck.yamlio import Node

_FLAG = r"--{}(?:=|\s+)[\"']?([^\s\"']+)"
_CLOUD_CONFIG = lazy_regex(_FLAG.format("cloud-config"))
_CLUSTER_NAME = lazy_regex(_FLAG.format("cluster-name"))
_NAME = lazy_regex(r"(?:^|[\s\"'])--([a-z][a-z0-9_-]*+)")
_VARIABLE = lazy_regex(r"\$\((\w+)\)")
_KEYED = {"Secret": "secret", "ConfigMap": "configMap"}
"""The sources that have keys, with the volume's field."""


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
        words = _words(container)
        found.search.pods.append(
            CcmPod(
                found.search.path,
                found.subject,
                found.namespace,
                said,
                release_of(said),
                _flag(_CLOUD_CONFIG, words, container),
                tuple(_mounts(container, pod)),
                _flag(_CLUSTER_NAME, words, container),
                tuple(dict.fromkeys(name.replace("_", "-") for name in _NAME.findall(words))),
            )
        )


def _maps(node: Node | None) -> Iterator[Mapping]:
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                yield item


def _words(container: Mapping) -> str:
    """Its command line."""
    return " ".join(
        text_of(item) or ""
        for name in ("command", "args")
        if isinstance(node := container.get(name), Sequence)
        for item in node.items
    )


def _flag(pattern: re.Pattern[str], words: str, container: Mapping) -> str:
    """The value of a flag, with the container's environment put in (Kubernetes, ``$(NAME)``)."""
    match = pattern.search(words)
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
            yield Mount(path, source, name, sub_path, _items(volume, source))


def _items(volume: Mapping | None, source: str) -> tuple[tuple[str, str], ...]:
    shown = field(volume, _KEYED[source], "items") if source in _KEYED else None
    return tuple((text_of(item.get("key")) or "", text_of(item.get("path")) or "") for item in _maps(shown))


def _source(volume: Mapping) -> tuple[str, str]:
    if "secret" in (names := {key.value for key, _ in volume.items}):
        return "Secret", text_of(field(volume, "secret", "secretName")) or ""
    if "configMap" in names:
        return "ConfigMap", text_of(field(volume, "configMap", "name")) or ""
    if "hostPath" in names:
        return "hostPath", text_of(field(volume, "hostPath", "path")) or ""
    return next((key.value for key, _ in volume.items if key.value != "name"), ""), ""
