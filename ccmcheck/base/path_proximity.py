"""Which files belong to a file, by their paths: a repository often holds one folder a cluster."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_COMPONENT_PARTS = frozenset({"manifests", "base", "templates", "deploy", "resources"})
"""Folders of one component whose names do not say which."""


class HasPath(Protocol):
    """A record of something in a file."""

    @property
    def path(self) -> str:
        """The file, as the user named it."""


HasPathT = TypeVar("HasPathT", bound=HasPath)


def nearest(path: str, records: Sequence[HasPathT]) -> list[HasPathT]:
    """The records whose files share the most leading folders with a file, in their order.

    A record of the file itself shares one more, so that such records come alone.
    """
    if not records:
        return []
    below = _by_prefix(_Itself(records))
    parts = tuple(_parts(path))
    while parts not in below:
        parts = parts[:-1]
    return list(below[parts])


def in_same_folder(path: str, records: Sequence[HasPathT]) -> list[HasPathT]:
    """The records whose files are in the folder of a file, the file itself included."""
    parts = tuple(_parts(path))
    below = _by_prefix(_Itself(records)).get(parts[:-1], ())
    return [record for record in below if len(_parts(record.path)) == len(parts)]


class _Itself(Generic[HasPathT]):
    """Records as a key: equal to themselves alone, which costs nothing to find out.

    Args:
        records: Records that stay as they are.
    """

    def __init__(self, records: Sequence[HasPathT]) -> None:
        self.records = records

    def __hash__(self) -> int:
        return id(self.records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.records is self.records


@lru_cache(maxsize=8)
def _by_prefix(key: _Itself[HasPathT]) -> dict[tuple[str, ...], list[HasPathT]]:
    """The records by every beginning of their paths, as many files of a run ask for the nearest of the same."""
    below: dict[tuple[str, ...], list[HasPathT]] = {}
    for record in key.records:
        parts = tuple(_parts(record.path))
        for depth in range(len(parts) + 1):
            below.setdefault(parts[:depth], []).append(record)
    return below


class UpwardIndex(Generic[HasPathT]):
    """Answers which records are nearest to a file, for many files, each time in the depth of the file.

    Args:
        records: The records.
    """

    def __init__(self, records: Iterable[HasPathT]) -> None:
        self._of_file: dict[str, list[HasPathT]] = {}
        self._in_folder: dict[tuple[str, ...], list[HasPathT]] = {}
        self._below: dict[tuple[str, ...], list[HasPathT]] = {}
        for record in records:
            parts = tuple(_parts(record.path)[:-1])
            self._of_file.setdefault(os.path.normpath(record.path), []).append(record)
            self._in_folder.setdefault(parts, []).append(record)
            for depth in range(len(parts) + 1):
                self._below.setdefault(parts[:depth], []).append(record)

    def nearest(self, path: str) -> list[HasPathT]:
        """The records of the file itself; else of its folder; else below it; else of the parent folder, and so on."""
        found = self._of_file.get(os.path.normpath(path))
        parts = tuple(_parts(path)[:-1])
        while not found:
            found = self._in_folder.get(parts) or self._below.get(parts)
            if not parts:
                break
            parts = parts[:-1]
        return found or []


def upward(folder: str, top: str = "") -> Iterator[str]:
    """A folder and all around it.

    Args:
        folder: Where to begin.
        top: Where to end; empty for the outermost, which is empty or the root.
    """
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120 - pathlib is slow to import
        if folder in (top, above):
            return
        folder = above


def folder_of(path: str) -> str:
    """A file's folder, normalised."""
    return os.path.dirname(os.path.normpath(path))  # noqa: PTH120 - pathlib is slow to import


def shared_folders(path: str, other: str) -> int:
    """How many leading folders two paths have in common; a file shares one more with itself."""
    count = 0
    for left, right in zip(_parts(path), _parts(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def in_same_cluster(path: str, words: Iterable[str], conf: str, service: str) -> bool:
    """Whether a component's file is in the same cluster's folder as a cloud.conf and a Service.

    The folder is the one of the component, or the one around it where its name is that of the component. The Service is
    anywhere below it, the cloud.conf in it or in another component's folder beside.

    Args:
        path: The component's file.
        words: The component's names, in lower case.
        conf: The file with the cloud.conf.
        service: The file with the Service.
    """
    if path in (conf, service):
        return True
    names = tuple(words)
    around = _parts(path)[:-1]
    while around and (around[-1].lower() in _COMPONENT_PARTS or any(name in around[-1].lower() for name in names)):
        around.pop()
    depth = len(around)
    below = _parts(conf)[:-1]
    return below[:depth] == around and len(below) <= depth + 1 and _parts(service)[:depth] == around


def _parts(path: str) -> list[str]:
    return os.path.normpath(path).split(os.sep)  # noqa: PTH206 - pathlib is slow to import
