"""A cloud.conf under a key that the CCM does not read."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.model import Fix, Problem, Problems
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.login import reader_of
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar

_MAPS = ("data", "stringData", "binaryData")


class _RequiredKey(NamedTuple):
    """The key that a workload of the CCM needs in a Secret or a ConfigMap.

    Attributes:
        pod: The workload.
        key: The key of the cloud.conf; empty where the volume does not contain the file.
    """

    pod: CcmPod
    key: str


def check(manifest: Manifest) -> Problems:
    """Look for the key that the nearest workloads read."""
    yield from _key_problems(manifest, manifest.pods, manifest.nearest(manifest.pods), is_ccm=True)
    drivers = manifest.nearest(manifest.run_context.drivers)
    yield from _key_problems(manifest, drivers, drivers, is_ccm=False)


def _key_problems(manifest: Manifest, pods: Sequence[CcmPod], near: Sequence[CcmPod], *, is_ccm: bool) -> Problems:
    all_keys = _required_keys(manifest, pods)
    if not all_keys:
        return
    items = [item for name in _MAPS if isinstance(node := manifest.at(name), Mapping) for item in node.items]
    keys = {key.value: key for key, _ in items}
    empty = {key.value: key for key, value in items if isinstance(value, Scalar) and not value.value.strip()}
    nearest_keys = _required_keys(manifest, near)
    for pod, name in nearest_keys:
        if name in empty and not manifest.is_opaque(empty[name].span):
            yield Problem(
                empty[name].span,
                f"nothing is under this key, which {pod.subject} reads as its cloud.conf",
                f"Without it {reader_of(pod)} knows no cloud to log in to, and does not start.",
                "Write the cloud.conf here; what should fill the key in has not.",
            )
            return
    if all(one.key in keys for one in all_keys) or any(manifest.is_opaque(key.span) for key in keys.values()):
        return
    if not nearest_keys:
        return
    pod, name = nearest_keys[0]
    held = [keys[conf.key] for conf in manifest.confs if conf.key in keys]
    if name in keys or not name or not held:
        return
    yield Problem(
        held[0].span,
        f"{pod.subject} reads the key `{name}`, which is missing",
        f"The file {pod.cloud_config} does not exist in the container, so {reader_of(pod)} does not start.",
        f"Rename the key to `{name}`."
        if is_ccm
        else f"Add the key `{name}`, or write the key's name into its `--cloud-config`.",
        _fix(manifest, held, name, {one.key for one in nearest_keys}) if is_ccm else None,
    )


def _fix(manifest: Manifest, held: list[Scalar], name: str, names: set[str]) -> Fix | None:
    if len(held) > 1 or len(names) > 1:
        return None
    return yaml_fixes.safe(manifest, f"rename the key to `{name}`", yaml_fixes.write(manifest, held[0], name))


def _required_keys(manifest: Manifest, pods: Sequence[CcmPod]) -> list[_RequiredKey]:
    """The keys that workloads which mount a Secret or ConfigMap need in it."""
    required: list[_RequiredKey] = []
    kind, name, namespace = manifest.kind, manifest.name, manifest.namespace
    for pod in pods:
        if not pod.cloud_config or (namespace and pod.namespace and namespace != pod.namespace):
            continue
        if all(one.name != name or one.source != kind for one in pod.mounts):
            continue
        mount = pod.mount_at(pod.cloud_config)
        if mount is not None and mount.source == kind and mount.name == name:
            required.append(_RequiredKey(pod, mount.key_at(pod.cloud_config)))
    return required
