"""An immutable Secret or ConfigMap with a cloud.conf.

What it does: finds `immutable: true` on a Secret or ConfigMap with a cloud.conf.

Why: new credentials need a new object, and every workload that mounts it must be changed.

What the CCM does: nothing different.

Releases: all

Fix: none; delete the line, or create a new object for each change, as kustomize's generators do.

Source: Kubernetes documentation of immutable Secrets
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar, kubernetes_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "secret-immutable",
    "An immutable Secret or ConfigMap with a cloud.conf",
    Severity.INFO,
    per_release=False,
    kinds=("Secret", "ConfigMap"),
)

_OBJECT = """\
kind: Secret
metadata:
  name: cloud-config
immutable: {}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
"""

BAD = (
    Case(_OBJECT.format("true"), at=(4, 1)),
    Case(_OBJECT.replace("Secret", "ConfigMap").replace("stringData", "data").format("yes"), at=(4, 1), shown=False),
)
GOOD = (
    Case(_OBJECT.format("false")),
    Case(_OBJECT.format("true").replace("cloud-config", "cloud-config-5f7m8gk9tc")),
    Case(_OBJECT.format("true").replace("cloud.conf", "motd").replace("[Global]", "Hello")),
)

_GENERATED = lazy_regex(r"-[a-z0-9]{10}\Z")
"""The suffix of kustomize's generators: a hash of the content."""


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the field."""
    switch = manifest.node.get("immutable")
    if switch is None or not isinstance(switch, Scalar) or kubernetes_scalar(switch) is not True:
        return
    key = manifest.node.key("immutable")
    if key is not None and manifest.confs and not _GENERATED.search(manifest.name):
        yield Problem(
            key.span,
            "the API server rejects every change of the content",
            "To change a password or certificate, the object must be deleted and created again.",
            "Delete the line, or give each version its own name.",
        )
