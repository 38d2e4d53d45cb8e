"""Which kustomizations include which, and what they refer to: found without building them, each file read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from ccmcheck.kustomize.files import Files, ResourceDocument, is_kustomization_tree, is_local, joined
from ccmcheck.kustomize.limits import BuildTooLarge
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree, at, text_at


class Includes:
    """What kustomizations refer to.

    Args:
        paths: The kustomizations to begin with.
        read: See `ccmcheck.kustomize.plan.plan`.
        known: The documents of files, by their paths; those of each kustomization are added to it, their places those
            in the bundle of a build of it.

    Attributes:
        included: The kustomizations that another one includes.
        files: The files that each kustomization refers to, itself first; those of kustomizations it includes left out.
    """

    def __init__(
        self,
        paths: Iterable[str],
        read: Callable[[str, str], str | None],
        known: dict[str, list[ResourceDocument] | None],
    ) -> None:
        self._read = read
        self._known = known
        self.included: set[str] = set()
        self.files: dict[str, list[str]] = {}
        self._users: dict[str, list[str]] = {}
        self._used: dict[str, list[str]] = {}
        waiting = list(paths)
        while waiting:
            path = waiting.pop()
            if path not in self.files:
                waiting += self._look_at(path)

    def with_users(self, paths: Iterable[str]) -> set[str]:
        """Some kustomizations, with all that include them, directly or not."""
        return _closure(paths, self._users)

    def files_below(self, paths: Iterable[str]) -> set[str]:
        """The files that some kustomizations, and those that they include, refer to."""
        return {name for path in _closure(paths, self._used) for name in (path, *self.files.get(path, ()))}

    def _look_at(self, path: str) -> list[str]:
        """Note what a kustomization refers to; returns those that it includes."""
        files = Files(partial(self._read, path), bundle=path, known=self._known)
        own = self.files[path] = []
        inner: dict[str, None] = {}
        tree: Tree | None = None
        try:
            read = files.documents(path)
            tree = read[0].tree if read and len(read) == 1 else None
            if not isinstance(tree, Map) or not is_kustomization_tree(tree):
                return []
            own.append(path)
            folder = os.path.dirname(path)
            for name in _bases(tree):
                below = joined(folder, name)
                found = files.kustomization(below)
                if found is None:
                    own.append(below)
                elif found != path:
                    inner[found] = None
        except BuildTooLarge:
            if not own:
                own.append(path)  # building it says so
        own += (joined(os.path.dirname(path), name) for name in _files(tree))
        for one in inner:
            self._users.setdefault(one, []).append(path)
        self.included.update(inner)
        self._used[path] = list(inner)
        return list(inner)


def _closure(paths: Iterable[str], further: Mapping[str, list[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += further.get(path, ())
    return found


def _bases(tree: Map) -> Iterator[str]:
    for field in ("resources", "bases", "components"):
        yield from (text for text in _texts(tree.get(field)) if is_local(text))


def _files(tree: Tree | None) -> Iterator[str]:
    """The files of patches and generators."""
    yield from (text for text in _texts(at(tree, "patchesStrategicMerge")) if is_local(text))
    for field in ("patches", "patchesJson6902"):
        yield from (path for entry in _items(at(tree, field)) if is_local(path := text_at(entry, "path")))
    for field in ("configMapGenerator", "secretGenerator"):
        for entry in _items(at(tree, field)):
            for name in ("env", "envs", "files"):
                written = (text.partition("=")[2] or text for text in _texts(at(entry, name)))
                yield from (path for path in written if is_local(path))


def _texts(tree: Tree | None) -> list[str]:
    if isinstance(tree, Leaf):
        return [tree.text]
    return [item.text for item in tree if isinstance(item, Leaf)] if isinstance(tree, List) else []


def _items(tree: Tree | None) -> list[Tree]:
    return list(tree) if isinstance(tree, List) else []
