"""What of a repository git is let near: no pipe or device, which it would wait for, and no link that leads out."""

from __future__ import annotations

import os
import stat

from ccmcheck.base.boundary import leads_out
from ccmcheck.base.errors import GitUnavailable, InputError
from ccmcheck.base.open_input import kind_of, read_input
from ccmcheck.base.repository_paths import RepositoryPaths

_READ_IN_ANY_FOLDER = frozenset({".gitignore", ".gitattributes"})
_STORES = ("objects", "refs", "reftable", "logs")
_MOST_ALTERNATES = 65_536
"""Bytes of the file that names other folders of objects."""


def check_file(path: str, bound: str) -> bool:
    """Whether there is a file or a folder that git may read.

    Args:
        path: Its path.
        bound: The folder that no link leads out of.

    Raises:
        GitUnavailable: It is something else, or leads out.
    """
    top = leads_out(path, bound)
    if top and os.path.lexists(path):
        raise GitUnavailable(f"{path} leads out of {top}; --trust-checkout allows that")
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise GitUnavailable(f"{path} is {kind_of(mode)}, not a file")
    return True


def check_stores(paths: RepositoryPaths) -> None:
    """Look at all that git may read for an object or a ref, with folders of objects that others name.

    Args:
        paths: The repository.

    Raises:
        GitUnavailable: See `check_file`.
    """
    bound = paths.bound
    waiting = [os.path.join(paths.common_dir, name) for name in _STORES]
    seen: set[str] = set()
    while waiting:
        folder = os.path.realpath(waiting.pop())
        if folder in seen or not os.path.isdir(folder):
            continue
        seen.add(folder)
        others = [entry.path for entry in _entries(folder) if not entry.is_file(follow_symlinks=False)]
        others += _alternates(folder)
        for path in others:
            check_file(path, bound)
        waiting += others


def _alternates(folder: str) -> list[str]:
    """The folders of objects that the file of a folder of objects names."""
    try:
        lines = read_input(os.path.join(folder, "info", "alternates"), _MOST_ALTERNATES).splitlines()
    except (OSError, InputError):
        return []
    return [os.path.join(folder, os.fsdecode(line)) for line in lines if line and not line.startswith(b"#")]


def blocking_file(paths: RepositoryPaths) -> str:
    """A file that git reads and would wait for, with its kind; empty where there is none.

    Args:
        paths: The repository.
    """
    try:
        check_stores(paths)
    except GitUnavailable as error:
        return error.message
    waiting = [paths.top]
    while waiting:
        for entry in _entries(waiting.pop()):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.name in _READ_IN_ANY_FOLDER and os.path.exists(entry.path) and not entry.is_file():
                return f"{entry.path} is {kind_of(entry.stat().st_mode)}, not a file"
    return ""


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
