"""Which of several files is nearest to one: a repository often holds one folder a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class Located(Protocol):
    """Anything that was found in a file."""

    @property
    def path(self) -> str:
        """The file, as the user named it."""


LocatedT = TypeVar("LocatedT", bound=Located)


def nearest(path: str, found: Sequence[LocatedT]) -> list[LocatedT]:
    """Keep what is nearest to a file.

    Args:
        path: The file.
        found: Anything found in files of the same run.

    Returns:
        Those that share the most leading folders with it, in their order; what is in the file itself comes alone.
    """
    if not found:
        return []
    shared = [shared_folders(path, one.path) for one in found]
    most = max(shared)
    return [one for one, count in zip(found, shared, strict=True) if count == most]


def beside(path: str, found: Sequence[LocatedT]) -> list[LocatedT]:
    """Keep what is in the folder of a file, the file itself included.

    Args:
        path: The file.
        found: Anything found in files of the same run.
    """
    folder = _parts(path)[:-1]
    return [one for one in found if _parts(one.path)[:-1] == folder]


def around(path: str, found: Sequence[LocatedT]) -> list[LocatedT]:
    """Keep what a file most likely belongs to.

    Args:
        path: The file.
        found: Anything found in files of the same run.

    Returns:
        What is in the file itself; else in its folder; else below it; else in the next folder around it, and so on.
    """
    own = [one for one in found if os.path.normpath(one.path) == os.path.normpath(path)]
    parts = _parts(path)[:-1]
    while not own:
        own = [one for one in found if _parts(one.path)[:-1] == parts]
        own = own or [one for one in found if _parts(one.path)[: len(parts)] == parts]
        if not parts:
            break
        parts = parts[:-1]
    return own


def folder_of(path: str) -> str:
    """A file's folder, written one way."""
    return os.path.dirname(os.path.normpath(path))  # noqa: PTH120 - pathlib is slow to import


def shared_folders(one: str, other: str) -> int:
    """How many leading folders two paths have in common; a file shares one more with itself."""
    count = 0
    for left, right in zip(_parts(one), _parts(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def _parts(path: str) -> list[str]:
    return os.path.normpath(path).split(os.sep)  # noqa: PTH206 - pathlib is slow to import
