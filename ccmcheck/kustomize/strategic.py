"""Kustomize's strategic merge: a patch's fields replace or join those of an object, lists by the schema's keys.

The keys of lists are those of the Kubernetes API for the kinds that ccmcheck judges (``x-kubernetes-list-map-keys`` and
``x-kubernetes-patch-merge-key``); every other list is replaced as a whole, as in kinds without a schema.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ccmcheck.base.data_files import read_table
from ccmcheck.kustomize.limits import BuildWork
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, copied, size_of

_DIRECTIVE = "$patch"
_OTHER_DIRECTIVES = ("$setElementOrder/", "$deleteFromPrimitiveList/", "$retainKeys")
_KEYS = {(kind, *path.split(".")): tuple(keys) for kind, path, *keys in read_table(__file__, "list_keys.tsv")}
_POD_AT = {kind: tuple(path.split(".")) for kind, path in read_table(__file__, "pods.tsv")}
BUILT_IN = frozenset({*_POD_AT, "Service", "ServiceAccount", "ConfigMap", "Secret"})
"""The kinds whose lists are merged as the API has it."""


class UnknownDirective(Exception):
    """A patch has a directive that is not built."""


def keys_of(kind: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the fields by which the items of a list are told apart; none where it is replaced as a whole.

    Args:
        kind: The object's kind.
        path: The fields that lead to the list.
    """
    if kind not in BUILT_IN:
        return ()
    found = _KEYS.get(("*", *path)) or _KEYS.get((kind, *path))
    pod = _POD_AT.get(kind)
    if pod is not None and path[: len(pod)] == pod:
        found = found or _KEYS.get(("PodSpec", *path[len(pod) :]))
    return found or ()


def merged(target: Tree | None, patch: Tree, kind: str, work: BuildWork, path: tuple[str, ...] = ()) -> Tree | None:
    """What becomes of a value.

    Args:
        target: The value; None where there is none. It may be changed.
        patch: What the patch says.
        kind: The object's kind.
        work: Counts what is done.
        path: The fields that lead to the value.

    Returns:
        The new value; None where there is none any more.

    Raises:
        UnknownDirective: The patch has a directive that is not built.
        BuildTooLarge: That is too much work.
    """
    if isinstance(patch, Map):
        work.step(1 + len(patch))
        return _merged_map(target, patch, kind, work, path)
    if isinstance(patch, List):
        work.step(size_of(patch)[0])
        keys = keys_of(kind, path)
        if any(isinstance(item, Map) and _DIRECTIVE in item and len(item) == 1 for item in patch):
            return _replaced_list(patch)
        if keys and all(isinstance(item, Map) for item in patch):
            return _merged_list(target, patch, keys, kind, work, path)
        return copied(patch)
    return None if patch.value is None and not patch.unknown else patch


def _merged_map(target: Tree | None, patch: Map, kind: str, work: BuildWork, path: tuple[str, ...]) -> Tree | None:
    directive = patch.get(_DIRECTIVE)
    if any(name.startswith(_OTHER_DIRECTIVES) for name in patch):
        raise UnknownDirective
    word = directive.text if isinstance(directive, Leaf) else ""
    if word == "delete":
        return None
    found = target if isinstance(target, Map) and word != "replace" else Map(patch.place)
    for name, value in patch.items():
        if name == _DIRECTIVE:
            continue
        new = merged(found.get(name), value, kind, work, (*path, name))
        if new is None:
            found.pop(name, None)
            found.names.pop(name, None)
        else:
            found.put(name, new, patch.names.get(name))
    return found


def _replaced_list(patch: List) -> List | None:
    """A list with ``$patch: replace`` or ``delete`` among its items."""
    directives = [item.get(_DIRECTIVE) for item in patch if isinstance(item, Map)]
    words = {directive.text for directive in directives if isinstance(directive, Leaf)}
    if "delete" in words:
        return None
    rest = List(patch.place)
    rest.extend(copied(item) for item in patch if not (isinstance(item, Map) and _DIRECTIVE in item))
    return rest


def _merged_list(
    target: Tree | None, patch: List, keys: tuple[str, ...], kind: str, work: BuildWork, path: tuple[str, ...]
) -> Tree | None:
    items = [item for item in target if isinstance(item, Map)] if isinstance(target, List) else []
    work.step(len(items))
    if isinstance(target, List) and len(items) != len(target):
        return copied(patch)
    changes = [item for item in patch if isinstance(item, Map)]
    there = _Items(items, keys, changes)
    new: list[Tree] = []
    for item in changes:
        at = there.take(item)
        now = merged(there.items[at] if at is not None else None, item, kind, work, path)
        if at is not None:
            there.put(at, now if isinstance(now, Map) else None)
        elif now is not None:
            new.append(now)
    found = List(target.place if isinstance(target, List) else patch.place)
    found.extend([*new, *(item for item in there.items if item is not None)])
    return found or None


class _Items:
    """The items of a list, found by their keys.

    Args:
        items: The items.
        keys: The fields that tell them apart; those count that an item or a change has.
        changes: The items of the patch.

    Attributes:
        items: The items; None in the place of one that is deleted.
    """

    def __init__(self, items: list[Map], keys: tuple[str, ...], changes: list[Map]) -> None:
        self.items: list[Map | None] = list(items)
        self._keys = keys
        self._always = {key for key in keys if any(key in change for change in changes)}
        self._having = {key: sum(key in item for item in items) for key in keys}
        self._used: tuple[str, ...] = ()
        self._places: dict[tuple[str | None, ...], list[int]] = {}

    def take(self, change: Map) -> int | None:
        """The place of the first item that a change is about, which is found no more until it is `put` back."""
        used = tuple(key for key in self._keys if key in self._always or self._having[key])
        if used != self._used:
            self._used, self._places = used, {}
            for at, item in enumerate(self.items):
                if item is not None:
                    self._places.setdefault(self._key(item), []).append(at)
        places = self._places.get(self._key(change)) if used else None
        if not places:
            return None
        at = heappop(places)
        self._count(self.items[at], -1)
        return at

    def put(self, at: int, item: Map | None) -> None:
        """Put back what an item has become; None deletes it."""
        self.items[at] = item
        if item is not None:
            heappush(self._places.setdefault(self._key(item), []), at)
            self._count(item, 1)

    def _count(self, item: Map | None, change: int) -> None:
        for key in self._keys:
            self._having[key] += change * (item is not None and key in item)

    def _key(self, item: Map) -> tuple[str | None, ...]:
        return tuple(_text(item.get(key)) for key in self._used)


def _text(value: Tree | None) -> str | None:
    return value.text if isinstance(value, Leaf) else None


def with_texts(patch: Map) -> Map:
    """A patch as kustomize applies it to what a selector means: its null labels and annotations are the text `null`."""
    metadata = patch.get("metadata")
    for name in ("labels", "annotations"):
        pairs = metadata.get(name) if isinstance(metadata, Map) else None
        for key, value in list(pairs.items()) if isinstance(pairs, Map) else ():
            if isinstance(value, Leaf) and value.value is None and isinstance(pairs, Map):
                pairs[key] = Leaf("null", "null", value.place)
    return patch
