"""A component of kustomize with the patches and their targets.

Patches alone have no objects to patch and render to nothing, so the kustomization that has the objects lists the
component.

The patches in it are JSON patches: kustomize knows no lists of custom resources, so that any other kind would replace
them whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.fix.patch import json_patch
from ccmcheck.fix.patch.objects import CannotPatch, ObjectChange, Plain

_SPECIAL = lazy_regex(r"[\\.+*?()|\[\]{}^$]")
"""What Go's regular expressions do not take for itself."""


HEADING = "# List this file's folder under `components` of the kustomization that has these objects.\n"


def make(change: ObjectChange) -> Plain:
    """One entry of ``patches``.

    Args:
        change: What changes.

    Raises:
        CannotPatch: The object has no name.
    """
    one = change.before
    if not one.name:
        raise CannotPatch(f"the {one.kind} in {change.path} has no name, so that kustomize cannot find it")
    target: dict[str, Plain] = {"group": one.group} if one.group else {}
    target |= {"version": one.version, "kind": one.kind, "name": _literal(one.name)}
    if one.namespace:
        target["namespace"] = _literal(one.namespace)
    return {"target": target, "patch": json_patch.make(change)}


def join(patches: Sequence[Plain]) -> Plain:
    """The component.

    Args:
        patches: As `make` gives them.
    """
    from ccmcheck.fix.patch.yaml_text import write

    entries: list[Plain] = [
        {**patch, "patch": write(_closed(patch["patch"]))} for patch in patches if isinstance(patch, dict)
    ]
    return {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "patches": entries}


def _closed(operations: Plain) -> Plain:
    """The operations with no text at their very end: kustomize cuts off the patch's last newline, and so the text's."""
    if not isinstance(operations, list) or not operations or not isinstance(last := operations[-1], dict):
        return operations
    value = last.get("value")
    if not isinstance(value, str) or "\n" not in value:
        return operations
    return [*operations[:-1], {"op": last["op"], "value": value, "path": last["path"]}]


def _literal(name: str) -> str:
    """A name as the regular expression that matches nothing else; kustomize anchors it."""
    return _SPECIAL.sub(r"\\\g<0>", name)
