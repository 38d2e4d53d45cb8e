"""A ClusterResourceSet that applies cloud.conf only once."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data.cluster import APPLY_ONCE, ONLY_APPLY_ONCE, RECONCILE
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.machines import is_for_openstack
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar

_NAMES = ("cloud-conf",)


def check(manifest: Manifest) -> Problems:
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
        f"Clusters keep the cloud.conf that they got first.{'' if node is not None else ' This is the default strategy.'}",
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
