"""Mounts of the CCM's container: the mount that covers a path, and the key of its Secret or ConfigMap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ccmcheck.carriers.base import CcmPod, Mount
from ccmcheck.rules.views.manifest import Manifest


class RequiredKey(NamedTuple):
    """The key that a workload of the CCM needs in a Secret or a ConfigMap.

    Attributes:
        pod: The workload.
        key: The key of the cloud.conf; empty where the volume does not contain the file.
    """

    pod: CcmPod
    key: str


def key_at(mount: Mount, path: str) -> str:
    """The key of a Secret or ConfigMap that a volume has at a path; empty where it has none."""
    inside = mount.sub_path or path[len(mount.path.rstrip("/")) + 1 :]
    if mount.items:
        return next((key for key, shown in mount.items if shown == inside), "")
    return "" if "/" in inside else inside


def required_keys(manifest: Manifest, pods: Sequence[CcmPod]) -> list[RequiredKey]:
    """The keys that workloads which mount a Secret or ConfigMap need in it."""
    required: list[RequiredKey] = []
    kind, name, namespace = manifest.kind, manifest.name, manifest.namespace
    for pod in pods:
        if not pod.cloud_config or (namespace and pod.namespace and namespace != pod.namespace):
            continue
        if all(one.name != name or one.source != kind for one in pod.mounts):
            continue
        mount = pod.mount_at(pod.cloud_config)
        if mount is not None and mount.source == kind and mount.name == name:
            required.append(RequiredKey(pod, key_at(mount, pod.cloud_config)))
    return required
