"""A change of cloud.conf does not restart the CCM.

What it does: finds workloads of the CCM in one file with the Secret that they mount, where nothing in the pod template
changes with the cloud.conf; and a `ccmcheck.dev/cloud-conf` annotation that does not match the text.

Why: changing the Secret and applying the file has no effect, and shows no error.

What the CCM does: it reads the file once, at start. A change takes effect at the next restart, for one load
balancer after another.

Releases: all

Fix: writes the annotation `ccmcheck.dev/cloud-conf` with a hash of the text, and updates it.

Fix safety: unsafe because a changed annotation restarts the CCM

Source: cloud-provider-openstack cmd/openstack-cloud-controller-manager/main.go,
charts/openstack-cloud-controller-manager/templates/daemonset.yaml (`checksum/config`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.mounts import covering
from ccmcheck.rules._support.workload import CONTROLLERS, is_settled, workload
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping, Scalar, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Edit, Fix
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.rules._support.workload import Workload

META = Meta(
    "config-no-rollout",
    "A change of cloud.conf does not restart the CCM",
    Severity.WARNING,
    per_release=False,
    kinds=CONTROLLERS,
)

_FILE = """\
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone
---
kind: DaemonSet
metadata:
  name: ccm
  namespace: kube-system
spec:
  template:
    metadata:
      labels:
        app: ccm
{}    spec:
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
_ANNOTATIONS = "      annotations:\n        {}\n"
_OURS = "ccmcheck.dev/cloud-conf: bf55fd149deb"

BAD = (
    Case(_FILE.format(""), at=(12, 9), fixed=_FILE.format(_ANNOTATIONS.format(_OURS)), unsafe=True),
    Case(
        _FILE.format(_ANNOTATIONS.format("ccmcheck.dev/cloud-conf: 0123456789ab")),
        at=(20, 34),
        fixed=_FILE.format(_ANNOTATIONS.format(_OURS)),
        unsafe=True,
    ),
)
GOOD = (
    Case(_FILE.format(_ANNOTATIONS.format(_OURS))),
    Case(_FILE.format(_ANNOTATIONS.format("checksum/config: 0123"))),
    Case(
        _FILE.format("").replace(
            "  name: ccm\n  namespace", '  name: ccm\n  annotations: {reloader.stakater.com/auto: "true"}\n  namespace'
        )
    ),
    Case(_FILE.format("").partition("---\n")[2]),
    Case(_FILE.format("").replace("auth-url = https", "auth-url = ${SCHEME}"), template=True),
    Case(_FILE.format("").replace("secretName: cloud-config", "secretName: other"), shown=False),
    Case(_FILE.format("").replace("name: cloud-config\n  name", "name: cloud-config-5f7m8gk9tc\n  name"), shown=False),
)

_OWN = "ccmcheck.dev/cloud-conf"
_SIGNS = ("reload", "checksum", "hash", "sha", "version", "revision", "restart")
"""Parts of the names of annotations that follow a Secret, or that are changed to restart a workload."""

_LENGTH = 12


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the annotation with the text, or look for another that follows it."""
    ccm = workload(manifest)
    if ccm is None or not ccm.pod.cloud_config or not manifest.final:
        return
    conf = _conf(manifest, ccm)
    if conf is None or not conf.final or conf.marks:
        return
    own = field(ccm.template, "metadata", "annotations", _OWN)
    if isinstance(own, Scalar):
        expected = _hash_of(conf)
        if own.value != expected and not manifest.has_mark(own):
            yield Problem(
                own.content,
                "the hash does not match the cloud.conf",
                "Without a change of the pod template the CCM keeps using the old file.",
                f"Write `{expected}`.",
                yaml_fixes.unsafe(manifest, f"write `{expected}`", yaml_fixes.write(manifest, own, expected)),
            )
        return
    if not is_settled(manifest, ccm.template) or any(sign in name for name in _names(manifest, ccm) for sign in _SIGNS):
        return
    name = manifest.at("metadata", "name")
    kind = manifest.kind.lower()
    place = f" -n {manifest.namespace}" if manifest.namespace else ""
    yield Problem(
        name.content if name is not None else ccm.image.content,
        "the pod template does not change with the cloud.conf, so the CCM keeps using the old file",
        "The CCM reads the file once, at start.",
        f"Add a checksum annotation to the template, or run `kubectl rollout restart {kind}/{manifest.name}{place}`.",
        _fix(manifest, ccm, _hash_of(conf)),
    )


def _conf(manifest: Manifest, ccm: Workload) -> CarriedConf | None:
    """The cloud.conf of the same file that the workload reads."""
    mount = covering(ccm.pod, ccm.pod.cloud_config)
    if mount is None or mount.source not in ("Secret", "ConfigMap"):
        return None
    names = {f"{mount.source} {mount.name}", f"{mount.source} {manifest.namespace}/{mount.name}"}
    return next((conf for conf in manifest.confs_of_file if conf.subject in names), None)


def _names(manifest: Manifest, ccm: Workload) -> list[str]:
    """The annotations of the workload and of its pods, in lower case."""
    holders = (manifest.at("metadata", "annotations"), field(ccm.template, "metadata", "annotations"))
    return [key.value.lower() for node in holders if isinstance(node, Mapping) for key, _ in node.items]


def _hash_of(conf: CarriedConf) -> str:
    from hashlib import sha256

    return sha256(conf.stack.inner.encode("utf-8", "surrogateescape")).hexdigest()[:_LENGTH]


def _fix(manifest: Manifest, ccm: Workload, value: str) -> Fix | None:
    metadata = ccm.template.get("metadata")
    annotations = field(metadata, "annotations")
    edit: Edit | None = None
    if isinstance(annotations, Mapping):
        edit = yaml_fixes.insert_entry(manifest, annotations, _OWN, value)
    elif annotations is None and isinstance(metadata, Mapping):
        edit = yaml_fixes.insert_entry(manifest, metadata, "annotations", {_OWN: value})
    elif metadata is None:
        edit = yaml_fixes.insert_entry(manifest, ccm.template, "metadata", {"annotations": {_OWN: value}})
    return yaml_fixes.unsafe(manifest, "add a hash of the text", edit)
