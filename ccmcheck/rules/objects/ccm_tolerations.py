"""Missing tolerations of the CCM."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.cluster import CONTROL_PLANE_TAINT_ALONE, ROLES, UNINITIALIZED
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.mounts import covering
from ccmcheck.rules._support.workload import Workload, flag, is_of_k3s, is_settled, workload
from ccmcheck.rules._support.yaml_fixes import Tree
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Sequence, field, mappings, text_of

_CONTROL_PLANE_WORD = lazy_regex(r"(?<![a-z])(?:master|control-?plane)(?![a-z])", re.IGNORECASE)


class _Taint(NamedTuple):
    keys: tuple[str, ...]  # it has one of them
    value: str
    strict: bool


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the tolerations with the taints of the nodes that it is scheduled to."""
    ccm = workload(manifest)
    if ccm is None or not is_settled(manifest, ccm.spec) or _is_hosted(manifest, ccm):
        return
    tolerations = ccm.spec.get("tolerations")
    if tolerations is not None and manifest.has_mark(tolerations):
        return
    given = list(mappings(tolerations))
    missing = [taint for taint in _taints(ccm, given) if not any(_tolerates(one, taint) for one in given)]
    if not missing:
        return
    key = ccm.spec.key("tolerations")
    names = " and ".join(" or ".join(f"`{key}`" for key in taint.keys) for taint in missing)
    new = any(UNINITIALIZED[0] in taint.keys for taint in missing)
    yield Problem(
        key.span if key is not None else ccm.image.content,
        f"no toleration for {names}",
        "A new node has this taint until a CCM initializes it, so the first CCM is never scheduled."
        if new
        else "The pod can only run on nodes with this taint, so it is never scheduled.",
        "Add the toleration.",
        yaml_fixes.safe(manifest, "add the toleration", *_edits(manifest, ccm, missing)),
    )


def _is_hosted(manifest: Manifest, ccm: Workload) -> bool:
    """Whether the CCM runs outside the cluster that it manages, as in hosted control planes: it has a kubeconfig."""
    given_flag = flag(manifest, ccm, "kubeconfig")
    if given_flag is None:
        return False
    mount = covering(ccm.pod, given_flag.value)
    return mount is None or mount.source != "hostPath"


def _taints(ccm: Workload, given: list[Mapping]) -> Iterator[_Taint]:
    uninitialized, value = UNINITIALIZED
    yield _Taint((uninitialized,), value, strict=True)
    if any(_is_role_of_its_own(one) for one in given) or is_of_k3s(ccm.pod):
        return  # k3s and RKE2 do not taint their servers unless they are told to
    selector = ccm.spec.get("nodeSelector")
    selected = {key.value for key, _ in selector.items} if isinstance(selector, Mapping) else set()
    for term in mappings(
        field(
            ccm.spec,
            *("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"),
        )
    ):
        selected |= {
            text_of(mapping.get("key")) or ""
            for mapping in mappings(term.get("matchExpressions"))
            if text_of(mapping.get("operator")) in ("Exists", "In")
        }
    for role in ROLES:
        if role in selected:
            yield _Taint(_taints_of(ccm, role), "", strict=False)
            return


def _is_role_of_its_own(toleration: Mapping) -> bool:
    """Whether a taint is tolerated that stands for the control plane in the place of the role's: ``dedicated=master``.

    Magnum's nodes have that one (magnum/drivers/common/templates/kubernetes/fragments/configure-kubernetes-master.sh).
    """
    if (text_of(toleration.get("effect")) or "NoSchedule") != "NoSchedule":
        return False
    key, value = (text_of(toleration.get(name)) or "" for name in ("key", "value"))
    return "kubernetes.io/" not in key and _CONTROL_PLANE_WORD.search(f"{key} {value}") is not None


def _taints_of(ccm: Workload, role: str) -> tuple[str, ...]:
    """The taint of nodes with the label of a role, which before Kubernetes 1.25 was that of another role, or both."""
    release = catalog.release(ccm.pod.release) if ccm.pod.release else catalog.newest()
    return (role,) if release.at_least(CONTROL_PLANE_TAINT_ALONE) else ROLES


def _tolerates(toleration: Mapping, taint: _Taint) -> bool:
    key = text_of(toleration.get("key")) or ""
    exists = text_of(toleration.get("operator")) == "Exists"
    if (text_of(toleration.get("effect")) or "NoSchedule") != "NoSchedule":
        return False
    if not key:
        return exists
    return key in taint.keys and (exists or not taint.strict or text_of(toleration.get("value")) == taint.value)


def _edits(manifest: Manifest, ccm: Workload, missing: list[_Taint]) -> list[Edit | None]:
    items: list[dict[str, Tree]] = []
    for taint in missing:
        value: dict[str, Tree] = {"value": taint.value} if taint.value else {}
        items += ({"key": key, **value, "effect": "NoSchedule"} for key in taint.keys)
    tolerations = ccm.spec.get("tolerations")
    if isinstance(tolerations, Sequence):
        return [yaml_fixes.insert_item(manifest, tolerations, item) for item in items]
    if tolerations is not None:
        return [None]
    return [yaml_fixes.insert_entry(manifest, ccm.spec, "tolerations", items, after="nodeSelector")]
