"""An entry of a ClusterClass's ``patches`` that changes a template of Cluster API.

Cluster API allows no index of a list in ``replace`` and ``remove`` (internal/webhooks/patch_validation.go), and
no ``test``, so that a list such as ``files`` can only be replaced whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.fix.patch.objects import CannotPatch, Object, ObjectChange, Plain, canonical

_CONTROL_PLANE = "KubeadmControlPlaneTemplate"
_WORKERS = "KubeadmConfigTemplate"
_NOT_A_NAME = lazy_regex(r"[^a-z0-9-]+")
_ESCAPES = str.maketrans({"~": "~0", "/": "~1"})

ORDER = (
    "A ClusterClass patch replaces a list whole. Put these entries before all that add to the same list, "
    "or what those add is lost."
)


def make(change: ObjectChange) -> Plain:
    """One entry of ``spec.patches``.

    Args:
        change: What changes.

    Raises:
        CannotPatch: A ClusterClass has no such template, or the change is not below ``spec``.
    """
    one = change.before
    if one.kind not in {_CONTROL_PLANE, _WORKERS}:
        raise CannotPatch(
            f"{one.subject} is no {_CONTROL_PLANE} or {_WORKERS}, which is what a ClusterClass patches",
            "Use --patch merge, or --patch json.",
        )
    operations = list(_operations(one.data, change.after.data, ""))
    if any(not str(operation["path"]).startswith("/spec/") for operation in operations):
        raise CannotPatch(f"the change of {one.subject} is not below its spec", "Use --patch git.")
    definition: dict[str, Plain] = {
        "selector": {"apiVersion": one.api_version, "kind": one.kind, "matchResources": _match(change)},
        "jsonPatches": cast("list[Plain]", operations),
    }
    return {"name": _name(one), "definitions": [definition]}


def join(patches: Sequence[Plain]) -> Plain:
    """What to put into the ClusterClass.

    Args:
        patches: As `make` gives them.
    """
    return {"patches": list(patches)}


def notes(change: ObjectChange) -> list[str]:
    """Notes for applying the patch, a sentence each."""
    found = [ORDER]
    if change.before.kind == _WORKERS and not _classes(change):
        found.append(
            f"no ClusterClass in {change.path} names {change.before.subject}, so that the patch is for the workers of "
            "every class: write the names of those that use it"
        )
    return found


def _operations(before: dict[str, Plain], after: dict[str, Plain], path: str) -> Iterator[dict[str, Plain]]:
    for key in {**before, **after}:
        place = f"{path}/{key.translate(_ESCAPES)}"
        old, new = before.get(key), after.get(key)
        if key not in after:
            yield {"op": "remove", "path": place}
        elif key not in before:
            yield {"op": "add", "path": place, "value": new}
        elif canonical(old) != canonical(new):
            if (
                isinstance(old, dict)
                and isinstance(new, dict)
                and not any(below.lstrip("+-").isdecimal() for below in {**old, **new})
            ):
                yield from _operations(old, new, place)
            else:
                yield {"op": "replace", "path": place, "value": new}


def _match(change: ObjectChange) -> Plain:
    if change.before.kind == _CONTROL_PLANE:
        return {"controlPlane": True}
    return {"machineDeploymentClass": {"names": cast("list[Plain]", _classes(change)) or ["*"]}}


def _classes(change: ObjectChange) -> list[str]:
    """The worker classes of the file's ClusterClasses that use the template."""
    found, template = [], (change.before.kind, change.before.name)
    for one in change.beside:
        if one.kind != "ClusterClass":
            continue
        workers = _at(one.data, "spec", "workers", "machineDeployments")
        for worker in workers if isinstance(workers, list) else ():
            name = _at(worker, "class")
            references = (_at(worker, "template", "bootstrap", "ref"), _at(worker, "bootstrap", "templateRef"))
            if isinstance(name, str) and any((_at(one, "kind"), _at(one, "name")) == template for one in references):
                found.append(name)
    return found


def _at(data: Plain, *names: str) -> Plain:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _name(one: Object) -> str:
    return _NOT_A_NAME.sub("-", f"ccmcheck-{one.kind}-{one.name}".lower()).strip("-")
