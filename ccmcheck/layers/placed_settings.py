"""Values with places laid over defaults, as the values of a chart are, and objects that are made from them."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree

_FIELD = lazy_regex(r"\{([\w.]+)\}")


class PlacedValue(NamedTuple):
    """A value as it is set, in the place of a field of an object; the field is left out where it is empty."""

    path: str


class PlacedItems(NamedTuple):
    """The items of a list as they are set, among those of the object's list."""

    path: str


class PlacedSettings:
    """What is set, over defaults.

    Args:
        tree: What is set.
        defaults: What holds where nothing is set.
        place: What stands for a default.
        is_complete: Whether nothing else may set more; else what is not set is unknown.

    Attributes:
        place: What stands for a default.
    """

    def __init__(self, tree: Map, defaults: dict[str, object], place: Span, *, is_complete: bool) -> None:
        self._tree = tree
        self._defaults = defaults
        self.place = place
        self._is_complete = is_complete

    def at(self, path: str) -> Tree | None:
        """The value at a path, names with dots between; None where nothing sets it, or null does."""
        tree: Tree | None = self._tree
        default: object = self._defaults
        place = self.place
        for name in path.split("."):
            default = default.get(name) if isinstance(default, dict) else None
            if isinstance(tree, Leaf):
                return tree if tree.unknown else None  # null takes the defaults away
            if isinstance(tree, Map):
                place = tree.names.get(name, place)
                tree = tree.get(name)
        if tree is None:
            return self._default(default, place)
        if isinstance(tree, Leaf) and tree.value is None and not tree.unknown:
            return None
        if isinstance(tree, Map):
            tree = self._merged(tree, default if isinstance(default, dict) else {}, place)
        return tree

    def text(self, path: str) -> Leaf:
        """The value at a path as a text; an empty one where it is none."""
        value = self.at(path)
        return value if isinstance(value, Leaf) else Leaf("", "", self.place, unknown=value is not None)

    def is_on(self, path: str) -> bool | None:
        """Whether a switch is on; None where that is unknown."""
        value = self.at(path)
        if isinstance(value, Leaf) and value.unknown:
            return None
        return value is not None and not _is_empty(value)

    def made(self, template: object) -> Tree | None:
        """What a template makes of the values.

        Args:
            template: Mappings, lists and texts, with values in the place of some; a text may name values, ``{a.b}``.

        Returns:
            The result; None where it is left out.
        """
        if isinstance(template, PlacedValue):
            return self.at(template.path)
        if isinstance(template, (Leaf, List, Map)):
            return template
        if isinstance(template, dict):
            found = Map(self.place)
            for name, inner in template.items():
                value = self.made(inner)
                if value is not None:
                    found.put(name, value, self._tree.names.get(inner.path) if isinstance(inner, PlacedValue) else None)
            return found
        if isinstance(template, (list, tuple)):
            return self._list(template)
        return self._filled(template) if isinstance(template, str) else _grown(template, self.place)

    def _list(self, template: list[object] | tuple[object, ...]) -> Tree:
        found = List(self.place)
        for one in template:
            value = self.at(one.path) if isinstance(one, PlacedItems) else self.made(one)
            if isinstance(one, PlacedItems) and isinstance(value, List):
                found.extend(value)
            elif value is not None:
                found.append(value)
        return found

    def _filled(self, template: str) -> Leaf:
        """A text with the values that it names; its place is that of the last one that is set."""
        names = _FIELD.findall(template)
        values = {name: self.text(name) for name in names}
        text = _FIELD.sub(lambda match: values[match[1]].text, template)
        set_at = [value.place for value in values.values() if value.place != self.place]
        place = set_at[-1] if set_at else self.place
        if len(names) == 1 and template == f"{{{names[0]}}}":
            only = values[names[0]]
            return only if isinstance(only.value, str) else Leaf(text, text, only.place, unknown=only.unknown)
        return Leaf(text, text, place, unknown=any(value.unknown for value in values.values()))

    def _default(self, default: object, place: Span) -> Tree | None:
        if not self._is_complete:
            return Leaf(None, "", place, unknown=True)
        return None if default in (None, "", {}, []) or default is False else _grown(default, place)

    def _merged(self, tree: Map, defaults: dict[str, object], place: Span) -> Map:
        """A mapping with the defaults that nothing in it sets; null takes one away."""
        found = Map(tree.place)
        for name, value in tree.items():
            inner = defaults.get(name)
            if isinstance(value, Map) and isinstance(inner, dict):
                value = self._merged(value, inner, place)  # noqa: PLW2901 - the same with its defaults
            if not (isinstance(value, Leaf) and value.value is None and not value.unknown):
                found.put(name, value, tree.names.get(name))
        for name, inner in defaults.items():
            if name not in tree and self._is_complete:
                found.put(name, _grown(inner, place))
        return found


def _grown(value: object, place: Span) -> Tree:
    """Plain data as values that one place stands for."""
    if isinstance(value, dict):
        found = Map(place)
        for name, inner in value.items():
            found.put(name, _grown(inner, place))
        return found
    if isinstance(value, (list, tuple)):
        items = List(place)
        items.extend(_grown(item, place) for item in value)
        return items
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Leaf(value, text, place)


def _is_empty(tree: Tree) -> bool:
    """Whether a template's ``if`` and ``with`` take a value for empty."""
    return not tree if not isinstance(tree, Leaf) else not (tree.unknown or tree.value)
