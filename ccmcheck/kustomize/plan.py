"""Finds out which kustomizations of a run are built: those that no other one includes, each with its files."""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH120

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.errors import TooLarge
from ccmcheck.kustomize.build import Build
from ccmcheck.kustomize.builds import Builds
from ccmcheck.kustomize.bundle import bundled
from ccmcheck.kustomize.files import Files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ccmcheck.kustomize.files import Document


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
    found: dict[str, tuple[Files, bool]] = {}
    included: set[str] = set()
    known: dict[str, list[Document] | None] = {}
    for path in dict.fromkeys(os.path.normpath(one) for one in paths):
        files = Files(partial(read, path), known=known)
        build = Build(files)
        try:
            build.root(path)
        except TooLarge:
            found[path] = files, True
        else:
            found[path] = files, False
        included |= build.included
    bundles: dict[str, str] = {}
    documents: dict[str, set[int]] = {}
    for path, (files, is_too_large) in found.items():
        if os.path.dirname(path) in included or path not in files.documents_used or asked.isdisjoint(files.used):
            continue
        if not any(is_relevant(name, text) for name, text in files.used.items()):
            continue
        if not is_too_large:
            bundles[path] = bundled(path, files.used)
        for name, numbers in files.documents_used.items():
            documents.setdefault(name, set()).update(numbers)
    return Builds(bundles, {path: frozenset(numbers) for path, numbers in documents.items()})
