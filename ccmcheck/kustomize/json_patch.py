"""JSON patches (RFC 6902) on objects with places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.layers.placed_values import Leaf, List, Map, copied, text_at

if TYPE_CHECKING:
    from ccmcheck.layers.placed_values import Tree

_OPERATIONS = frozenset({"add", "replace", "remove", "test", "copy", "move"})


class UnknownPatch(Exception):
    """A patch cannot be applied to what is known of an object."""


def is_json_patch(tree: Tree) -> bool:
    """Whether a document is a list of operations."""
    return isinstance(tree, List) and bool(tree) and all(isinstance(one, Map) and "op" in one for one in tree)


def apply(target: Map, operations: List) -> Map:
    """Apply operations to a copy of an object.

    Raises:
        UnknownPatch: One of them does not fit.
    """
    import jsonpatch

    document: object = copied(target, anew=True)
    for operation in operations:
        what = text_at(operation, "op")
        if not isinstance(operation, Map) or what not in _OPERATIONS:
            raise UnknownPatch
        plain: dict[str, Any] = {"op": what, "path": text_at(operation, "path")}
        if "from" in operation:
            plain["from"] = text_at(operation, "from")
        if "value" in operation:
            plain["value"] = copied(operation["value"])
        try:
            document = jsonpatch.apply_patch(document, [plain], in_place=True)
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError, ValueError, KeyError) as error:
            raise UnknownPatch from error
        if not isinstance(document, Map):
            raise UnknownPatch
        _place_name(document, plain["path"], operation)
    if not isinstance(document, Map):
        raise UnknownPatch
    return document


def _place_name(document: Map, path: str, operation: Map) -> None:
    """The field that an operation adds is named in its ``path``."""
    tree: Tree | None = document
    parts = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    for part in parts[:-1]:
        if isinstance(tree, Map):
            tree = tree.get(part)
        elif isinstance(tree, List):
            tree = tree[int(part)] if part.isdigit() and int(part) < len(tree) else (tree[-1] if tree else None)
    where = operation.get("path")
    if isinstance(tree, Map) and parts and parts[-1] in tree and isinstance(where, Leaf):
        tree.names.setdefault(parts[-1], where.place)
