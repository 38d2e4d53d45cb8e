"""A cloud.conf in a Secret that the CCM does not mount."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.carriers.base import CcmPod
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar


def check(manifest: Manifest) -> Problems:
    """Compare with what the workloads of the run mount."""
    pods = manifest.pods
    if not pods or any(_is_mounted(manifest, pod) for pod in pods) or not manifest.confs or _is_template(manifest):
        return
    mounted = [
        (pod, mount.name)
        for pod in pods
        if pod.cloud_config and (mount := pod.mount_at(pod.cloud_config)) is not None and mount.source == manifest.kind
    ]
    for pod in manifest.nearby([pod for pod, name in mounted if name == manifest.name]):
        if any(item.name == manifest.name and item.namespace == pod.namespace for item in manifest.neighbours):
            return
        yield _problem(
            manifest, "namespace", pod.namespace, f"{pod.subject} mounts it from the namespace `{pod.namespace}`"
        )
        return
    for pod, name in mounted:
        if pod.path == manifest.path and _may_see(pod, manifest.namespace) and not _is_used(manifest, name):
            yield _problem(manifest, "name", name, f"{pod.subject} mounts `{name}`, which is not in this file")
            return


def _is_mounted(manifest: Manifest, pod: CcmPod) -> bool:
    """Whether a workload mounts the object."""
    name, kind = manifest.name, manifest.kind
    return _may_see(pod, manifest.namespace) and any(item.name == name and item.source == kind for item in pod.mounts)


def _is_template(manifest: Manifest) -> bool:
    """Whether the name and namespace are unknown before rendering."""
    metadata = manifest.node.get("metadata")
    return metadata is None or manifest.has_mark(metadata)


def _may_see(pod: CcmPod, namespace: str) -> bool:
    return not namespace or not pod.namespace or pod.namespace == namespace


def _is_used(manifest: Manifest, name: str) -> bool:
    """Whether the file has an object of the name, or something else in it refers to this one."""
    if any(item.kind == manifest.kind and item.name == name for item in manifest.neighbours):
        return True
    own, text = manifest.at("metadata", "name"), manifest.text
    return own is None or text.count(manifest.name) > _mentions(manifest)


def _mentions(manifest: Manifest) -> int:
    """How often the object's own lines contain its name."""
    start, end = manifest.node.content
    return manifest.text.count(manifest.name, start, end)


def _problem(manifest: Manifest, field: str, value: str, label: str) -> Problem:
    node = manifest.at("metadata", field)
    assert isinstance(node, Scalar)  # noqa: S101 - the caller has read it
    return Problem(
        node.content,
        label,
        "The pod stays in `ContainerCreating`, because the volume cannot be mounted.",
        f"Write `{field}: {value}`.",
        yaml_fixes.unsafe(manifest, f"write `{field}: {value}`", yaml_fixes.write(manifest, node, value)),
    )
