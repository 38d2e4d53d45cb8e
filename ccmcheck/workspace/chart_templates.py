"""The templates of the chart that a values file belongs to: in its folder or above it, within its repository."""

# pathlib takes longer to import than a file takes to lint:
# ruff: noqa: PTH100, PTH110, PTH113, PTH114, PTH118, PTH120, PTH208

from __future__ import annotations

import os
from functools import lru_cache

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import open_regular, read_all
from ccmcheck.base.text import decode
from ccmcheck.workspace.git import find_repository

_LIMIT = 1024 * 1024
"""Bytes of one template."""
_MOST_FILES = 200
_SUFFIXES = (".tpl", ".yaml", ".yml", ".conf")


def templates_beside(path: str) -> tuple[str, ...] | None:
    """The templates of the nearest chart above a values file.

    Args:
        path: The file.

    Returns:
        Their texts; None where no chart is there. Without a repository only the file's own folder counts.
    """
    whole = os.path.abspath(path)
    return _of_folder(os.path.dirname(whole)) if os.path.isfile(whole) else None


@lru_cache(maxsize=256)
def _of_folder(folder: str) -> tuple[str, ...] | None:
    while not os.path.isfile(os.path.join(folder, "Chart.yaml")):
        above = os.path.dirname(folder)
        if above == folder or os.path.exists(os.path.join(folder, ".git")) or find_repository(folder) is None:
            return None
        folder = above
    return tuple(_texts(os.path.join(folder, "templates")))


def _texts(folder: str) -> list[str]:
    texts: list[str] = []
    if os.path.islink(folder):
        return texts
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return texts
    for name in names[:_MOST_FILES]:
        if name.endswith(_SUFFIXES):
            try:
                opened, size = open_regular(os.path.join(folder, name), follow=False)
                try:
                    texts.append(decode(read_all(opened, size, _LIMIT)).text)
                finally:
                    os.close(opened)
            except (OSError, InputError):
                continue
    return texts


def forget() -> None:
    """Forget what was read, for a process that outlives a change of the files."""
    _of_folder.cache_clear()
