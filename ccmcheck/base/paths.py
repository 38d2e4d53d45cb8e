"""Paths: which texts can be one, and the absolute paths of the many files of a run."""

from __future__ import annotations

import os

LONGEST_PATH = 4_096
"""Characters; Linux opens no longer path, and resolving one of a million folders takes hours."""

UNNAMED = frozenset(("", os.curdir, os.pardir))
"""What stands behind the last separator of a path that does not end with a name."""


def is_path(text: str) -> bool:
    """Whether a text can be the path of a file: short enough, without a NUL, of characters that can be encoded.

    The operating system's calls raise for others, and a file may hold any text where it should name another file.
    """
    if not text or len(text) > LONGEST_PATH or "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def split(path: str) -> tuple[str, str]:
    """The folder of a path and its name as by `os.path.split`, much faster; slashes before the name may stay."""
    folder, _, name = path.rpartition("/")
    return (folder, name) if folder.strip("/") and not os.altsep else os.path.split(path)


class AbsolutePaths:
    """Makes paths absolute, as `os.path.abspath` does, for as long as the current folder stays the same.

    The path of a folder is found once, not for each of its files.

    Args:
        root: The folder that relative paths start from; the current one when empty.
    """

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._folders: dict[str, str] = {}

    def __call__(self, path: str) -> str:
        """The absolute path of a file."""
        folder, name = split(path)
        return self._made(path) if name in UNNAMED else os.path.join(self.of_folder(folder), name)

    def folder_of(self, path: str) -> str:
        """The absolute path of the folder that a file is in."""
        folder, name = split(path)
        return os.path.dirname(self._made(path)) if name in UNNAMED else self.of_folder(folder)

    def of_folder(self, folder: str) -> str:
        """The absolute path of a folder; the empty one is where relative paths start from."""
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = self._made(folder or os.curdir)
        return found

    def _made(self, path: str) -> str:
        return os.path.abspath(os.path.join(self._root, path))
