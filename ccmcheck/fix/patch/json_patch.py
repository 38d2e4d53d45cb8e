"""JSON patches (RFC 6902): one operation a place, and a ``test`` before it that fails where the place differs."""

from __future__ import annotations

from typing import cast

from ccmcheck.fix.patch.objects import Object, ObjectChange, Plain
from ccmcheck.fix.patch.secrecy import is_secret


def make(change: ObjectChange) -> Plain:
    """The operations that turn the object before into the object after.

    Args:
        change: What changes.
    """
    return cast("list[Plain]", operations(change))


def operations(change: ObjectChange) -> list[dict[str, Plain]]:
    """See `make`."""
    import jsonpatch

    found: list[dict[str, Plain]] = []
    state: Plain = change.before.data
    for operation in jsonpatch.make_patch(change.before.data, change.after.data):
        place = operation.get("from", operation["path"])
        if operation["op"] != "add":
            pointer = jsonpatch.JsonPointer(place)
            old = pointer.resolve(state)
            if _is_known(change.before, pointer.parts, old, operation.get("value")):
                found.append({"op": "test", "path": place, "value": old})
        found.append(dict(operation))
        state = jsonpatch.apply_patch(state, [operation])
    return found


def _is_known(changed: Object, parts: list[str], old: Plain, new: Plain) -> bool:
    """Whether a ``test`` of the old value is right wherever the patch is applied, and shows no more than it has to.

    A cluster holds all texts of a Secret under ``data``, in base64 without line ends, none under ``stringData``.
    """
    if changed.kind == "Secret" and changed.group == "":
        if parts[:1] == ["stringData"]:
            return False
        if parts[:1] == ["data"] and (not isinstance(old, str) or "\n" in old):
            return False
    return not is_secret(old, parts[-1]) or is_secret(new, parts[-1])


def notes(change: ObjectChange) -> list[str]:
    """Notes for applying the patch, a sentence each."""
    if change.before.kind == "Secret" and any(
        str(operation["path"]).startswith("/stringData") for operation in operations(change)
    ):
        return ["it is for the manifest: a cluster keeps no stringData; for a Secret in a cluster use --patch merge"]
    return []
