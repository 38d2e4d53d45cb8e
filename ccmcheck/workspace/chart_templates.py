"""The templates of the chart that a values file belongs to: in its folder or above it, within its repository."""

from __future__ import annotations

import os
from typing import Protocol

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import consulted, open_regular, read_all
from ccmcheck.base.repository_paths import find_repository
from ccmcheck.base.text import decode

_LIMIT = 1024 * 1024
"""Bytes of one template."""
_MOST_FILES = 200
_MOST_FOLDERS = 256
"""Folders whose templates are kept in memory."""
_SUFFIXES = (".tpl", ".yaml", ".yml", ".conf")


class ChartFiles(Protocol):
    """Where charts are: on the disk, or in a revision. Paths are absolute."""

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""

    def is_outermost(self, folder: str) -> bool:
        """Whether nothing above a folder is looked at."""

    def files_below(self, folder: str, most: int) -> list[str]:
        """The files in a folder and those below it by their paths from there, in order and up to a number."""

    def read(self, path: str) -> bytes | None:
        """A plain file's bytes; None where it cannot be read or is too large."""


class FilesOnDisk:
    """Charts as they lie on the disk."""

    def is_file(self, path: str) -> bool:
        """See `ChartFiles`."""
        return os.path.isfile(path)

    def is_outermost(self, folder: str) -> bool:
        """See `ChartFiles`; without a repository only the file's own folder counts."""
        return os.path.exists(os.path.join(folder, ".git")) or find_repository(folder) is None

    def files_below(self, folder: str, most: int) -> list[str]:
        """See `ChartFiles`; a link to a folder is none, and no more folders are looked into than files are wanted."""
        if os.path.islink(folder):
            return []
        found: list[str] = []
        waiting = [""]
        for _ in range(most):
            if not waiting or len(found) >= most:
                break
            inner = waiting.pop()
            try:
                with os.scandir(os.path.join(folder, inner)) as entries:
                    listed = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)[:most]
            except OSError:
                continue
            found += [os.path.join(inner, name) for name, is_folder in listed if not is_folder]
            waiting += [os.path.join(inner, name) for name, is_folder in reversed(listed) if is_folder]
        return found[:most]

    def read(self, path: str) -> bytes | None:
        """See `ChartFiles`."""
        try:
            opened, size = open_regular(path, follow=False)
            try:
                return read_all(opened, size, _LIMIT)
            finally:
                os.close(opened)
        except (OSError, InputError):
            return None


_ON_DISK = FilesOnDisk()


class ChartTemplates:
    """Finds the templates of the charts of one run, and reads each once.

    Args:
        files: Where charts are.
        root: The folder that relative paths start from; the current one when empty.
    """

    def __init__(self, files: ChartFiles = _ON_DISK, root: str = "") -> None:
        self._files = files
        self._root = root
        self._known: dict[str, tuple[str, ...] | None] = {}

    def __call__(self, path: str) -> tuple[str, ...] | None:
        """The templates of the nearest chart above a values file.

        Args:
            path: The file.

        Returns:
            Their texts; None where no chart is there.
        """
        consulted.times += 1
        whole = os.path.abspath(os.path.join(self._root, path))
        if not self._files.is_file(whole):
            return None
        folder = os.path.dirname(whole)
        if folder not in self._known:
            if len(self._known) >= _MOST_FOLDERS:
                self._known.clear()
            self._known[folder] = self._of_folder(folder)
        return self._known[folder]

    def _of_folder(self, folder: str) -> tuple[str, ...] | None:
        while not self._files.is_file(os.path.join(folder, "Chart.yaml")):
            above = os.path.dirname(folder)
            if above == folder or self._files.is_outermost(folder):
                return None
            folder = above
        return tuple(self._texts(os.path.join(folder, "templates")))

    def _texts(self, folder: str) -> list[str]:
        texts: list[str] = []
        for name in self._files.files_below(folder, _MOST_FILES):
            if name.endswith(_SUFFIXES):
                data = self._files.read(os.path.join(folder, name))
                if data is not None and len(data) <= _LIMIT:
                    texts.append(decode(data).text)
        return texts
