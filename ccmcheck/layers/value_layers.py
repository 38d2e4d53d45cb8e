"""Values laid over values, as Helm merges the files and objects that a release names."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.model import Span
from ccmcheck.layers.placed_values import Leaf, Map, Tree, copied


def laid_over(layers: Iterable[Tree], place: Span, *, deep: bool = True) -> Map:
    """Merge values, later ones over earlier ones: mappings field by field, null takes a field away.

    Args:
        layers: The values; what is no mapping sets nothing.
        place: What stands for all of them.
        deep: Whether mappings in them are merged, too.
    """
    merged = Map(place)
    for layer in layers:
        if isinstance(layer, Map):
            _lay(merged, layer, deep=deep)
    return merged


def _lay(below: Map, above: Map, *, deep: bool) -> None:
    for name, value in above.items():
        old = below.get(name)
        if deep and isinstance(old, Map) and isinstance(value, Map):
            _lay(old, value, deep=deep)
            continue
        if isinstance(value, Leaf) and value.value is None and not value.unknown and old is not None:
            del below[name]
            continue
        below[name] = copied(value)
        if name in above.names:
            below.names[name] = above.names[name]


def put_at(tree: Map, path: str, value: Tree) -> None:
    """Set a value at a path, names with dots between, as ``--set`` and ``targetPath`` do; not in a list."""
    *around, last = path.split(".")
    for name in around:
        inner = tree.get(name)
        if not isinstance(inner, Map):
            inner = Map(value.place)
            tree.put(name, inner, value.place)
        tree = inner
    tree.names.pop(last, None)
    tree[last] = value
    tree.names[last] = value.place


def put_in_front(below: Map, above: Map) -> None:
    """Lay values over others, in front of them: a line can be added behind a line, and behind no single setting.

    Args:
        below: The others, which are changed.
        above: The values.
    """
    front: dict[str, Tree] = {}
    for name, value in above.items():
        old = below.get(name)
        if isinstance(old, Map) and isinstance(value, Map):
            put_in_front(old, value)
        else:
            front[name] = value
            below.names[name] = above.names.get(name, value.place)
    front.update((name, value) for name, value in below.items() if name not in front)
    below.clear()
    below.update(front)
