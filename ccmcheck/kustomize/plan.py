"""Finds out which kustomizations of a run are built: those that no other one includes, each with its files.

Only what may hold something that is judged is built, so a repository of other kustomizations costs no more than reading
them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial

from ccmcheck.base.errors import TooLarge
from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.builds import EVERY, WHOLE, Builds, Bundles
from ccmcheck.kustomize.files import Files, ResourceDocument
from ccmcheck.kustomize.includes import Includes
from ccmcheck.kustomize.limits import MOST_KEPT, OF_RUN, BuildWork
from ccmcheck.kustomize.resources import Built


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
