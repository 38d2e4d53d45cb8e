"""Which folders and files Kustomize builds together: what kustomizations refer to within the same tree.

Only references count here; what a kustomization makes of an object is no matter of this file.
"""

from __future__ import annotations

import os

from ccmcheck.base import text
from ccmcheck.base.boundary import leads_out
from ccmcheck.base.paths import is_path
from ccmcheck.kustomize.builds import NAMES
from ccmcheck.workspace.release_trees import Tree
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlDocument, documents

_LISTS = ("resources", "bases", "components", "crds")
_MOST_REFERENCES = 1_000
"""Folders and files that one kustomization reaches; further ones are left out."""


class Kustomizations:
    """The kustomizations of a tree, each read when it is asked for.

    Args:
        tree: Reads the files.
        bound: The folder that no reference leaves.
    """

    def __init__(self, tree: Tree, bound: str) -> None:
        self._tree = tree
        self._bound = os.path.realpath(bound)
        self._references: dict[str, tuple[str, ...]] = {}
        self._reached: dict[str, tuple[str, ...]] = {}

    def reached_from(self, folder: str) -> tuple[str, ...]:
        """The folders and files that a folder's kustomization refers to, itself left out, in the order of the search.

        Args:
            folder: The folder, an absolute path.
        """
        known = self._reached.get(folder)
        if known is None:
            found: dict[str, None] = {}
            waiting = list(self._of(folder))
            while waiting and len(found) < _MOST_REFERENCES:
                path = waiting.pop(0)
                if path != folder and path not in found:
                    found[path] = None
                    waiting.extend(self._of(path))
            known = self._reached[folder] = tuple(found)
        return known

    def _of(self, folder: str) -> tuple[str, ...]:
        known = self._references.get(folder)
        if known is None:
            known = self._references[folder] = tuple(self._read(folder))
        return known

    def _read(self, folder: str) -> list[str]:
        for name in NAMES:
            data = self._tree.read(os.path.join(folder, name))
            if data is not None:
                return self._references_in(folder, text.decode(data).text)
        return []

    def _references_in(self, folder: str, written: str) -> list[str]:
        found: list[str] = []
        for document in documents(written):
            root = document.root if isinstance(document, YamlDocument) else None
            if not isinstance(root, Mapping):
                continue
            lists = [listed for name in _LISTS if isinstance(listed := root.get(name), Sequence)]
            for item in [item for listed in lists for item in listed.items if isinstance(item, Scalar)]:
                if not is_path(item.value) or os.path.isabs(item.value):
                    continue
                path = os.path.normpath(os.path.join(folder, item.value))
                if not leads_out(path, self._bound):
                    found.append(path)
        return found
