"""Missing tolerations of the CCM."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.model import Edit, Problem, Problems, Severity
from ccmcheck.catalog.data.cluster import UNINITIALIZED
from ccmcheck.conf.starting import Taint, nodes_of, untolerated
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.workload import Workload, workload
from ccmcheck.rules._support.yaml_fixes import Tree
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Sequence as YamlSequence


def check(manifest: Manifest) -> Problems:
    """Compare the tolerations with the taints of the nodes that it is scheduled to."""
    ccm = workload(manifest)
    if ccm is None:
        return
    nodes, are_sure = nodes_of(ccm.pod, manifest.run_context.node_labels, manifest.pods)
    missing = untolerated(ccm.pod, nodes)
    if not missing:
        return
    is_known = are_sure or not all(taint.on for taint in missing)
    so = ", so it is never scheduled" if is_known else ": if they are of its cluster, it is never scheduled"
    key = ccm.spec.key("tolerations")
    names = " and ".join(" or ".join(f"`{key}`" for key in taint.keys) for taint in missing)
    new = any(UNINITIALIZED[0] in taint.keys for taint in missing)
    placed = ccm.pod.placement
    given = {one.key for one in placed.tolerations or ()} if placed is not None else set()
    is_other = all(given & set(taint.keys) for taint in missing)
    yield Problem(
        key.span if key is not None else ccm.image.content,
        f"no toleration for {names} with {_shown(missing)}: the one with this key is for another value or effect"
        if is_other
        else f"no toleration for {names}",
        "A new node has this taint until a CCM initializes it, so the first CCM is never scheduled."
        if new
        else f"Each Node in the files that it may run on has this taint ({missing[0].on}){so}."
        if missing[0].on
        else "The pod can only run on nodes with this taint, so it is never scheduled.",
        "Add the toleration.",
        yaml_fixes.safe(manifest, "add the toleration", *_edits(manifest, ccm, missing)) if is_known else None,
        severity=None if is_known else Severity.INFO,
    )


def _shown(taints: Sequence[Taint]) -> str:
    """The value and the effect of each of some taints, once."""
    return " and ".join(dict.fromkeys(f"`{taint.value}:{taint.effect}`".replace("`:", "`") for taint in taints))


def _edits(manifest: Manifest, ccm: Workload, missing: Sequence[Taint]) -> list[Edit | None]:
    items: list[dict[str, Tree]] = []
    for taint in missing:
        value: dict[str, Tree] = {"value": taint.value} if taint.value else {}
        items += ({"key": key, **value, "effect": taint.effect} for key in taint.keys)
    tolerations = ccm.spec.get("tolerations")
    if isinstance(tolerations, YamlSequence):
        return [yaml_fixes.insert_item(manifest, tolerations, item) for item in items]
    if tolerations is not None:
        return [None]
    return [yaml_fixes.insert_entry(manifest, ccm.spec, "tolerations", items, after="nodeSelector")]
