"""The absolute paths of the many files of a run: that of a folder is found once, not for each of its files."""

# pathlib takes longer to import than a file takes to lint:
# ruff: noqa: PTH100, PTH118, PTH120

from __future__ import annotations

import os

UNNAMED = frozenset(("", os.curdir, os.pardir))
"""What stands behind the last separator of a path that does not end with a name."""


class AbsolutePaths:
    """Makes paths absolute, as `os.path.abspath` does, for as long as the current folder stays the same.

    Args:
        root: The folder that relative paths start from; the current one when empty.
    """

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._folders: dict[str, str] = {}

    def __call__(self, path: str) -> str:
        """The absolute path of a file."""
        folder, name = os.path.split(path)
        return self._made(path) if name in UNNAMED else os.path.join(self.of_folder(folder), name)

    def folder_of(self, path: str) -> str:
        """The absolute path of the folder that a file is in."""
        folder, name = os.path.split(path)
        return os.path.dirname(self._made(path)) if name in UNNAMED else self.of_folder(folder)

    def of_folder(self, folder: str) -> str:
        """The absolute path of a folder; the empty one is where relative paths start from."""
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = self._made(folder or os.curdir)
        return found

    def _made(self, path: str) -> str:
        return os.path.abspath(os.path.join(self._root, path))
