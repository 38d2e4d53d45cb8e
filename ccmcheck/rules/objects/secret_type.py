"""A Secret of the wrong type."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Problem, Problems
from ccmcheck.carriers.base import ResourceSet
from ccmcheck.catalog.data.cluster import RESOURCE_SET_TYPE, TYPED_SECRETS
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar


def check(manifest: Manifest) -> Problems:
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
