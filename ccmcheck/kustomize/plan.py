"""Finds out which kustomizations of a run are built: those that no other one includes, each with its files.

Only what may hold something that is judged is built, so a repository of other kustomizations costs no more than reading
them.

Which kustomizations include which, and what they refer to: found without building them, each file read once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from ccmcheck.base.errors import TooLarge
from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.builds import EVERY, WHOLE, Builds, Bundles
from ccmcheck.kustomize.files import Files, ResourceDocument, is_kustomization_tree, is_local, joined
from ccmcheck.kustomize.limits import MOST_KEPT, OF_RUN, BuildTooLarge, BuildWork
from ccmcheck.kustomize.resources import Built
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


def plan(
    paths: Iterable[str],
    read: Callable[[str, str], str | None],
    is_relevant: Callable[[str, str], bool],
    asked: frozenset[str],
) -> Builds:
    """Find out what is built.

    Args:
        paths: The kustomizations.
        read: The text of a file for a kustomization: by the latter's path and its own; None where there is none, or the
            kustomization must not read it.
        is_relevant: Whether a file may hold what is judged, by its path and text; else its build is left out.
        asked: The files of the run; a build without one of them is left out.
    """
    candidates = list(dict.fromkeys(os.path.normpath(one) for one in paths))
    known: dict[str, list[ResourceDocument] | None] = {}
    texts: dict[str, str] = {}

    def read_once(root: str, path: str) -> str | None:
        """The text of a file, the same object for all kustomizations."""
        text = read(root, path)
        return texts.setdefault(path, text) if text is not None else None

    includes = Includes(candidates, read_once, known)
    worth = includes.with_users(_relevant(includes, read_once, is_relevant))
    worth &= includes.with_users(path for path, files in includes.files.items() if not asked.isdisjoint(files))
    used: dict[str, tuple[str, ...]] = {}
    documents: dict[str, set[int]] = {}
    contents: dict[str, list[bool]] = {}
    too_large: dict[str, str] = {}
    lacking: list[str] = []
    alone: dict[str, set[int]] = {}
    built: dict[str, Built] = {}
    work, room = BuildWork(OF_RUN), MOST_KEPT
    for path in candidates:
        if path not in worth or path in includes.included:
            continue
        is_kept = room > 0
        # the places of what is kept are those in its own bundle; of others nobody asks for the places
        shared = {one: known[one] for one in (path,) if one in known} if is_kept else known
        files = Files(partial(read_once, path), bundle=path, known=shared, work=BuildWork(run=work))
        build = Build(files)
        try:
            objects = build.root(path)
        except TooLarge as error:
            too_large[path] = error.message
        else:
            used[path] = tuple(files.used)
            if build.lacks_some:
                lacking.append(path)
            for name, number in build.patches_alone:
                alone.setdefault(name, set()).add(number)
            if sum(map(len, files.used.values())) <= room:
                built[path] = Built(objects, files.documents_used.keys(), files.work.left())
        room -= sum(map(len, files.used.values()))
        for name, numbers in files.documents_used.items():
            documents.setdefault(name, set()).update(numbers)
            contents[name] = files.contents(name)
    for name in includes.files_below(too_large):
        documents.setdefault(name, set()).add(WHOLE)  # a patch alone is no object
    for name, numbers in documents.items():
        of_file = contents.get(name, ())
        if of_file and numbers.issuperset(number for number, is_something in enumerate(of_file) if is_something):
            numbers.update((EVERY, *range(len(of_file))))
    kept = {name: texts[name] for names in used.values() for name in names}
    return Builds(
        Bundles(used, kept, built),
        {path: frozenset(numbers) for path, numbers in documents.items()},
        too_large=too_large,
        lacking=tuple(lacking),
        patches={name: frozenset(numbers) for name, numbers in alone.items()},
    )


def _relevant(
    includes: Includes, read: Callable[[str, str], str | None], is_relevant: Callable[[str, str], bool]
) -> list[str]:
    """The kustomizations that are relevant by their own files."""
    known: dict[str, bool] = {}

    def is_known_relevant(path: str, name: str) -> bool:
        if name not in known:
            text = read(path, name)
            if text is None:
                return False
            known[name] = is_relevant(name, text)
        return known[name]

    return [path for path, files in includes.files.items() if any(is_known_relevant(path, name) for name in files)]
