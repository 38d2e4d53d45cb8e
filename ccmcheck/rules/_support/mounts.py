"""Where the CCM's container finds its files: the mount that covers a path, and the key that is shown there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CcmPod, Mount
    from ccmcheck.objects.manifest import Manifest


class LoadBalancerSpec(NamedTuple):
    """What a workload of the CCM wants of a Secret or a ConfigMap.

    Attributes:
        pod: The workload.
        key: The key that has to hold the cloud.conf; empty where the volume does not show the file at all.
    """

    pod: CcmPod
    key: str


def covering(pod: CcmPod, path: str) -> Mount | None:
    """The mount through which a workload's container sees a path; the innermost where several do.

    Args:
        pod: The workload.
        path: A path in the container.
    """
    best: Mount | None = None
    for mount in pod.mounts:
        root = mount.path.rstrip("/")
        covers = path == root if mount.sub_path else path == root or path.startswith(root + "/")
        if covers and (best is None or len(root) > len(best.path.rstrip("/"))):
            best = mount
    return best


def key_at(mount: Mount, path: str) -> str:
    """The key that a Secret's or ConfigMap's volume shows at a path; empty where it shows none."""
    inside = mount.sub_path or path[len(mount.path.rstrip("/")) + 1 :]
    if mount.items:
        return next((key for key, shown in mount.items if shown == inside), "")
    return "" if "/" in inside else inside


def wants(manifest: Manifest, pods: Sequence[CcmPod]) -> list[LoadBalancerSpec]:
    """What workloads that mount an object want of it.

    Args:
        manifest: A Secret or a ConfigMap.
        pods: The workloads.
    """
    found: list[LoadBalancerSpec] = []
    kind, name, namespace = manifest.kind, manifest.name, manifest.namespace
    for pod in pods:
        if not pod.cloud_config or (namespace and pod.namespace and namespace != pod.namespace):
            continue
        if all(one.name != name or one.source != kind for one in pod.mounts):
            continue
        mount = covering(pod, pod.cloud_config)
        if mount is not None and mount.source == kind and mount.name == name:
            found.append(LoadBalancerSpec(pod, key_at(mount, pod.cloud_config)))
    return found
