"""A ClusterResourceSet that applies cloud.conf only once.

What it does: finds ClusterResourceSets that apply a Secret with a cloud.conf to clusters with the strategy `ApplyOnce`,
which is the default.

Why: a change of the Secret in the management cluster has no effect in existing clusters.

What the CCM does: it keeps using the Secret in its cluster.

Releases: all; of Cluster API 1.4 and newer, whose v1beta1 and v1beta2 know another strategy

Fix: writes `strategy: Reconcile`.

Fix safety: unsafe because changes are then applied to every cluster at once; and the field is immutable: delete
the ClusterResourceSet, which leaves the clusters as they are, and create it again

Source: cluster-api docs/book/src/tasks/cluster-resource-set.md, api/addons, and its CustomResourceDefinitions v1.2.0 to v1.12.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.data.cluster import APPLY_ONCE, ONLY_APPLY_ONCE, RECONCILE
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import is_for_openstack
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "capi-crs-apply-once",
    "A ClusterResourceSet that applies cloud.conf only once",
    Severity.INFO,
    per_release=False,
    kinds=("ClusterResourceSet",),
)

_SET = """\
kind: ClusterResourceSet
metadata:
  name: ccm
spec:
{}  resources:
    - kind: Secret
      name: {}
"""
_OBJECT = """\
---
kind: Secret
metadata:
  name: ccm-addon
stringData:
  secret.yaml: |
    kind: Secret
    metadata: {name: cloud-config}
    data: {cloud.conf: "${OPENSTACK_CLOUD_PROVIDER_CONF_B64}"}
"""

BAD = (
    Case(
        _SET.format("  strategy: ApplyOnce\n", "ccm-addon") + _OBJECT,
        at=(5, 13),
        fixed=_SET.format("  strategy: Reconcile\n", "ccm-addon") + _OBJECT,
        unsafe=True,
        template=True,
    ),
    Case(
        _SET.format("", "openstack-cloud-config"),
        at=(4, 1),
        fixed=_SET.format("", "openstack-cloud-config") + "  strategy: Reconcile\n",
        unsafe=True,
    ),
)
GOOD = (
    Case(_SET.format("  strategy: Reconcile\n", "ccm-addon") + _OBJECT, template=True),
    Case(_SET.format("", "calico")),
    Case(_SET.format("  strategy: ${STRATEGY}\n", "ccm-addon") + _OBJECT, template=True),
    Case(_SET.format("", "vsphere-cloud-config"), shown=False),
    Case("apiVersion: addons.cluster.x-k8s.io/v1alpha4\n" + _SET.format("", "openstack-cloud-config")),
    Case("apiVersion: addons.cluster.x-k8s.io/${V}\n" + _SET.format("", "openstack-cloud-config"), template=True),
)

_NAMES = ("cloud-conf",)


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the strategy where a Secret of the set contains a cloud.conf."""
    spec = manifest.node.get("spec")
    if not isinstance(spec, Mapping) or not _has_choice(manifest):
        return
    node = spec.get("strategy")
    if node is not None and (not isinstance(node, Scalar) or manifest.has_mark(node) or node.value != APPLY_ONCE):
        return
    own = [
        item
        for item in manifest.run_context.resource_sets
        if item.path == manifest.path and item.subject == manifest.subject
    ]
    names = {name for item in own for name in item.secrets}
    if not _applies_conf(manifest, names):
        return
    key = manifest.node.key("spec")
    edit = (
        yaml_fixes.write(manifest, node, RECONCILE)
        if isinstance(node, Scalar)
        else yaml_fixes.insert_entry(manifest, spec, "strategy", RECONCILE)
    )
    yield Problem(
        node.content if node is not None else key.span if key is not None else manifest.node.content,
        f"with `{APPLY_ONCE}` later changes of the Secret are not applied",
        "" if node is not None else "This is the default strategy.",
        f"Write `strategy: {RECONCILE}`, then delete the ClusterResourceSet and create it again: the field is immutable.",
        yaml_fixes.unsafe(manifest, f"write `strategy: {RECONCILE}`", edit),
    )


def _has_choice(manifest: Manifest) -> bool:
    """Whether the version of the object has another strategy; False where a template names the version."""
    node = manifest.node.get("apiVersion")
    if node is None or not isinstance(node, Scalar):
        return True
    return not manifest.has_mark(node) and not node.value.endswith(ONLY_APPLY_ONCE)


def _applies_conf(manifest: Manifest, names: set[str]) -> bool:
    """Whether a Secret of these names contains a cloud.conf: by its content where it is in the file, else by its name."""
    here = [item for item in manifest.neighbours if item.kind == "Secret" and item.name in names]
    if any(manifest.contains_conf(item) for item in here):
        return True
    elsewhere = names - {item.name for item in here}
    return is_for_openstack(manifest) and any(sign in name for name in elsewhere for sign in _NAMES)
