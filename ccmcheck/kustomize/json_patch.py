"""JSON patches (RFC 6902) on objects with places."""

from __future__ import annotations

from typing import Any

from ccmcheck.kustomize.limits import DEEPEST_VALUE, MOST_VALUES, OPERATION, BuildWork
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, copied, size_of, text_at

_OPERATIONS = frozenset({"add", "replace", "remove", "test", "copy", "move"})
_LONGEST_POINTER = 4_096
"""Characters; that is more than twice what the deepest value has whose names are as long as a label's."""
_ERRORS = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)
"""What jsonpatch raises besides its own errors for pointers that lead nowhere."""


class UnknownPatch(Exception):
    """A patch cannot be applied to what is known of an object."""


def is_json_patch(tree: Tree) -> bool:
    """Whether a document is a list of operations."""
    return isinstance(tree, List) and bool(tree) and all(isinstance(one, Map) and "op" in one for one in tree)


def apply(target: Map, operations: List, work: BuildWork) -> Map:
    """Apply operations to a copy of an object.

    Args:
        target: The object.
        operations: The operations.
        work: Counts what is done.

    Raises:
        UnknownPatch: One of them does not fit, or the object gets too large or too deep.
        BuildTooLarge: That is too much work.
    """
    import jsonpatch

    size, _ = size_of(target)
    work.step(size)
    document: object = copied(target, anew=True)
    for operation in operations:
        what = text_at(operation, "op")
        if not isinstance(operation, Map) or what not in _OPERATIONS:
            raise UnknownPatch
        plain: dict[str, Any] = {"op": what, "path": text_at(operation, "path")}
        work.step(OPERATION)
        if "from" in operation:
            plain["from"] = text_at(operation, "from")
        if max(len(plain["path"]), len(plain.get("from", ""))) > _LONGEST_POINTER:
            raise UnknownPatch
        if "value" in operation:
            work.step(size_of(operation["value"])[0])
            plain["value"] = copied(operation["value"])
        try:
            document = jsonpatch.apply_patch(document, [plain], in_place=True)
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, *_ERRORS) as error:
            raise UnknownPatch from error
        if not isinstance(document, Map):
            raise UnknownPatch
        parts = [part.replace("~1", "/").replace("~0", "~") for part in plain["path"].split("/")[1:]]
        above = _value_at(document, parts[:-1])
        if what in ("add", "replace", "copy", "move"):
            changed = _child(above, parts[-1]) if parts else document
            added, depth = size_of(changed) if changed is not None else (0, 0)
            work.step(added)
            size += added if what != "move" else 0
            if size > MOST_VALUES or len(parts) + depth > DEEPEST_VALUE:
                raise UnknownPatch
        where = operation.get("path")
        if isinstance(above, Map) and parts and parts[-1] in above and isinstance(where, Leaf):
            above.names.setdefault(parts[-1], where.place)  # the field that an operation adds is named in its `path`
    if not isinstance(document, Map):
        raise UnknownPatch
    return document


def _value_at(document: Map, parts: list[str]) -> Tree | None:
    tree: Tree | None = document
    for part in parts:
        tree = _child(tree, part)
    return tree


def _child(tree: Tree | None, part: str) -> Tree | None:
    if isinstance(tree, Map):
        return tree.get(part)
    if isinstance(tree, List) and tree:
        return tree[int(part)] if part.isdecimal() and part.isascii() and int(part) < len(tree) else tree[-1]
    return None
