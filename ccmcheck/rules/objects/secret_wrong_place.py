"""A cloud.conf in a Secret that the CCM does not mount.

What it does: finds a Secret or ConfigMap with a cloud.conf whose name the CCM's workload in the same folder mounts, but
from another namespace; and one with another name, in the workload's file, that nothing mounts.

Why: a pod mounts Secrets of its own namespace, by name.

What the CCM does: it is not started; the pod stays in `ContainerCreating` until the Secret exists.

Releases: all

Fix: writes the namespace or the name that the workload mounts.

Fix safety: unsafe because another workload may use the Secret where it is

Source: cloud-provider-openstack manifests/controller-manager; Kubernetes documentation of Secret volumes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import CcmPod, Mount, RunContext
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.mounts import covering
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "secret-wrong-place",
    "A cloud.conf in a Secret that the CCM does not mount",
    Severity.ERROR,
    per_release=False,
    kinds=("Secret", "ConfigMap"),
    needs=("the CCM's pod",),
)

_POD = CcmPod(
    "prod/ccm.yaml",
    "DaemonSet kube-system/openstack-cloud-controller-manager",
    "kube-system",
    cloud_config="/etc/config/cloud.conf",
    mounts=(Mount("/etc/config", "Secret", "cloud-config"),),
)
_RUN = RunContext(pods=(_POD,))
_HERE = "prod/secret.yaml"

_OBJECT = """\
kind: Secret
metadata:
  name: {}
  namespace: {}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
"""
_WORKLOAD = """\
---
kind: DaemonSet
metadata:
  name: ccm
  namespace: kube-system
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
          args:
            - --cloud-config=/etc/config/cloud.conf
          volumeMounts:
            - name: config
              mountPath: /etc/config
      volumes:
        - name: config
          secret:
            secretName: cloud-config
"""

BAD = (
    Case(
        _OBJECT.format("cloud-config", "openstack"),
        at=(4, 14),
        fixed=_OBJECT.format("cloud-config", "kube-system"),
        unsafe=True,
        run_context=_RUN,
        subject=_HERE,
    ),
    Case(
        _OBJECT.format("openstack-cloud-config", "kube-system") + _WORKLOAD,
        at=(3, 9),
        fixed=_OBJECT.format("cloud-config", "kube-system") + _WORKLOAD,
        unsafe=True,
    ),
)
GOOD = (
    Case(_OBJECT.format("cloud-config", "kube-system"), run_context=_RUN, subject=_HERE),
    Case(_OBJECT.format("cinder-csi-cloud-config", "kube-system"), run_context=_RUN, subject=_HERE),
    Case(_OBJECT.format("cloud-config", "openstack"), run_context=_RUN, subject="dev/secret.yaml"),
    Case(_OBJECT.format("cloud-config", "kube-system") + _WORKLOAD),
    Case(
        _OBJECT.format("cloud-config", "kube-system") + "---\n" + _OBJECT.format("other", "kube-system") + _WORKLOAD,
    ),
    Case(
        _OBJECT.format("csi", "kube-system")
        + _WORKLOAD
        + _WORKLOAD.replace("name: ccm", "name: csi")
        .replace("openstack-cloud-con", "cinder-csi-con")
        .replace("secretName: cloud-config", "secretName: csi"),
        shown=False,
    ),
    Case(_OBJECT.format("cloud-config", "${NAMESPACE}"), run_context=_RUN, subject=_HERE, template=True, shown=False),
    Case(
        _OBJECT.format("cloud-config", "a").replace("  namespace: a\n", ""),
        run_context=_RUN,
        subject=_HERE,
        shown=False,
    ),
    Case(
        _OBJECT.format("cloud-config", "a").replace("cloud.conf", "clouds.yaml").replace("[Global]", "clouds:"),
        run_context=_RUN,
        subject=_HERE,
        shown=False,
    ),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare with what the workloads of the run mount."""
    pods = manifest.pods
    if not pods or any(_is_mounted(manifest, pod) for pod in pods) or not manifest.confs or _is_template(manifest):
        return
    mounted = [
        (pod, mount.name)
        for pod in pods
        if pod.cloud_config and (mount := covering(pod, pod.cloud_config)) is not None and mount.source == manifest.kind
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
