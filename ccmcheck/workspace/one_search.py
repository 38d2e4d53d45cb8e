"""One search of a tree for all that will be asked of it: git reads every file again, whatever it looks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.workspace.release_trees import Tree

MOST_FILES = 1_000
"""Files whose texts are told apart here; where more are found, each question is a search of its own."""
MOST_BYTES = 32 * 1024 * 1024
"""The same for their bytes."""


class OneSearch:
    """A tree that is searched once, at the first question; which file holds what is then looked up in those found.

    Args:
        tree: The tree.
        texts: All that will be asked for. Other questions are searches of their own.
    """

    def __init__(self, tree: Tree, texts: Sequence[str]) -> None:
        self.top = tree.top
        self._tree = tree
        self._texts = tuple(texts)
        self._held: dict[str, frozenset[str]] | None = None
        self._is_searched = False

    def holding(self, texts: Sequence[str]) -> list[str]:
        """See `ccmcheck.workspace.release_trees.Tree`."""
        wanted = frozenset(texts)
        if not self._is_searched and wanted.issubset(self._texts):
            self._held = self._told_apart(self._tree.holding(self._texts))
            self._is_searched = True
        if self._held is None or not wanted.issubset(self._texts):
            return self._tree.holding(texts)
        return [path for path, held in self._held.items() if not wanted.isdisjoint(held)]

    def read(self, path: str) -> bytes | None:
        """See `ccmcheck.workspace.release_trees.Tree`."""
        return self._tree.read(path)

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        """See `ccmcheck.workspace.release_trees.Tree`."""
        return self._tree.read_each(paths)

    def _told_apart(self, paths: Sequence[str]) -> dict[str, frozenset[str]] | None:
        """What each file holds; None where these are too many."""
        if len(paths) > MOST_FILES:
            return None
        words = [(text, text.encode()) for text in self._texts]
        held: dict[str, frozenset[str]] = {}
        left = MOST_BYTES
        for path, data in zip(paths, self._tree.read_each(paths), strict=True):
            if data is None:
                continue  # nobody can read it later, either
            left -= len(data)
            if left < 0:
                return None
            held[path] = frozenset([text for text, word in words if word in data])
        return held
