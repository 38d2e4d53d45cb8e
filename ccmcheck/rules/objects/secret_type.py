"""A Secret of the wrong type.

What it does: finds a Secret of a ClusterResourceSet whose type is not
`addons.cluster.x-k8s.io/resource-set`, and a Secret with a cloud.conf whose type requires other keys.

Why: the ClusterResourceSet's controller accepts that type only, so the cluster gets no cloud.conf; and the API
server rejects a Secret of types such as `kubernetes.io/tls` without the keys that the type requires.

What the CCM does: nothing; it mounts a Secret of any type.

Releases: all

Fix: writes the type.

Fix safety: safe because the Secret does not work as it is; an existing Secret must be created again

Source: cluster-api api/addons, ClusterResourceSetSecretType; Kubernetes core validation of Secrets
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import ResourceSet, RunContext
from ccmcheck.catalog.data.cluster import RESOURCE_SET_TYPE, TYPED_SECRETS
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.objects.manifest import Manifest

META = Meta("secret-type", "A Secret of the wrong type", Severity.WARNING, per_release=False, kinds=("Secret",))

_SET = """\
kind: ClusterResourceSet
metadata:
  name: ccm
  namespace: clusters
spec:
  strategy: Reconcile
  resources:
    - kind: Secret
      name: cloud-config
---
"""
_OBJECT = """\
kind: Secret
metadata:
  name: cloud-config
  namespace: clusters
{}stringData:
  secret.yaml: |
    kind: Secret
    metadata: {{name: cloud-config, namespace: kube-system}}
    stringData: {{cloud.conf: "[Global]\\nauth-url=x"}}
"""
_TYPE = f"type: {RESOURCE_SET_TYPE}\n"
_PLAIN = """\
kind: Secret
metadata:
  name: cloud-config
type: {}
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
"""
_ELSEWHERE = RunContext(
    resource_sets=(ResourceSet("crs.yaml", "ClusterResourceSet clusters/ccm", "clusters", ("cloud-config",)),)
)

BAD = (
    Case(_SET + _OBJECT.format(""), at=(13, 9), fixed=_SET + _OBJECT.format(_TYPE)),
    Case(_OBJECT.format("type: Opaque\n"), at=(5, 7), fixed=_OBJECT.format(_TYPE), run_context=_ELSEWHERE),
    Case(_PLAIN.format("kubernetes.io/tls"), at=(4, 7), fixed=_PLAIN.format("Opaque")),
)
GOOD = (
    Case(_SET + _OBJECT.format(_TYPE)),
    Case(_OBJECT.format("type: Opaque\n")),
    Case(_PLAIN.format("Opaque")),
    Case(_PLAIN.format("example.com/cloud-conf")),
    Case(_OBJECT.format("type: ${TYPE}\n"), run_context=_ELSEWHERE, template=True),
    Case(_OBJECT.format("").replace("namespace: clusters", "namespace: other"), run_context=_ELSEWHERE, shown=False),
    Case(_SET + _OBJECT.format("").replace("cloud.conf", "motd").replace("[Global]", "Hello"), shown=False),
)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the type, and at the ClusterResourceSets that name the Secret."""
    run_context = manifest.run_context
    node = manifest.node.get("type")
    given = node.value if isinstance(node, Scalar) else ""
    if given not in TYPED_SECRETS and not run_context.resource_sets:
        return
    if node is not None and manifest.has_mark(node):
        return
    if given != RESOURCE_SET_TYPE:
        for resource_set in manifest.nearest(run_context.resource_sets):
            if _names(resource_set, manifest) and manifest.has_conf:
                name = manifest.at("metadata", "name")
                yield Problem(
                    node.content if node is not None else name.content if name is not None else manifest.node.content,
                    f"{resource_set.subject} requires Secrets of type `{RESOURCE_SET_TYPE}`",
                    "Its controller ignores other Secrets, so the cluster gets no cloud.conf.",
                    f"Write `type: {RESOURCE_SET_TYPE}`.",
                    _write(manifest, node, RESOURCE_SET_TYPE),
                )
                return
    if given in TYPED_SECRETS and node is not None and manifest.confs:
        yield Problem(
            node.content,
            f"a Secret of this type requires {TYPED_SECRETS[given]}",
            "The API server rejects it without.",
            "Write `type: Opaque`.",
            _write(manifest, node, "Opaque"),
        )


def _names(resource_set: ResourceSet, manifest: Manifest) -> bool:
    same = not resource_set.namespace or not manifest.namespace or resource_set.namespace == manifest.namespace
    return same and manifest.name in resource_set.secrets


def _write(manifest: Manifest, node: object, value: str) -> Fix | None:
    edit = (
        yaml_fixes.write(manifest, node, value)
        if isinstance(node, Scalar)
        else yaml_fixes.insert_entry(manifest, manifest.node, "type", value, after="metadata")
    )
    return yaml_fixes.safe(manifest, f"write `type: {value}`", edit)
