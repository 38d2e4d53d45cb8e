"""What ccmcheck builds of a tree, as plain data in the words of ``kustomize build``."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.files import Files
from ccmcheck.layers.placed_values import Leaf, Map, Tree, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccmcheck.kustomize.resources import Resource

Objects = dict[str, object]


def built(files: Mapping[str, str], path: str) -> tuple[Objects, set[str]]:
    """The objects of a tree by their names, and the names of those that something unknown changes."""
    return built_by(files.get, path)


def built_by(read: Callable[[str], str | None], path: str) -> tuple[Objects, set[str]]:
    """The same, with files that are read when they are needed."""
    resources = Build(Files(read)).root(path)
    objects: Objects = {named(data): data for one in resources if isinstance(data := as_data(one), dict)}
    return objects, {named(as_data(one)) for one in resources if one.is_open or has_unknown(one.tree)}


def has_unknown(tree: Tree) -> bool:
    """Whether a value of an object is unknown."""
    if isinstance(tree, Leaf):
        return tree.unknown
    return any(has_unknown(value) for value in (tree.values() if isinstance(tree, Map) else tree))


def as_data(resource: Resource) -> object:
    """One object, the texts of a generated Secret encoded."""
    data = plain(resource.tree)
    if not isinstance(data, dict) or not resource.generated:
        return data
    texts = data.pop("stringData", None)
    if isinstance(texts, dict):
        data["data"] = {
            **data.get("data", {}),
            **{key: base64.b64encode(str(text).encode()).decode() for key, text in texts.items()},
        }
    return data


def named(data: object) -> str:
    """What an object is called in a comparison."""
    if not isinstance(data, dict):
        return ""
    metadata = data.get("metadata") or {}
    return f"{data.get('kind')} {metadata.get('namespace', '')}/{metadata.get('name')}"
