"""Which files belong to a file, by their paths: a repository often holds one folder a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

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
    below = _by_prefix(Itself(records))
    parts = tuple(_parts(path))
    while parts not in below:
        parts = parts[:-1]
    return list(below[parts])


def in_same_folder(path: str, records: Sequence[HasPathT]) -> list[HasPathT]:
    """The records whose files are in the folder of a file, the file itself included."""
    parts = tuple(_parts(path))
    below = _by_prefix(Itself(records)).get(parts[:-1], ())
    return [record for record in below if len(_parts(record.path)) == len(parts)]


class Itself(Generic[HasPathT]):
    """Records as a key: equal to themselves alone, which costs nothing to find out.

    Args:
        records: Records that stay as they are.
    """

    def __init__(self, records: Sequence[HasPathT]) -> None:
        self.records = records

    def __hash__(self) -> int:
        return id(self.records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.records is self.records


def may_be_together(
    some: Sequence[HasPath], others: Sequence[HasPathT], fits: Callable[[HasPathT], bool]
) -> Sequence[HasPathT]:
    """The fitting ones of other records of a run where all of each kind are in one folder: they may be of one cluster.

    Args:
        some: The records of a run of one kind.
        others: Those of another kind.
        fits: Which of these count; a function that stays the same, as its answers are kept.
    """
    return _in_one_folder(Itself(others), fits) if _in_one_folder(Itself(some), bool) else ()


@lru_cache(maxsize=16)
def _in_one_folder(key: Itself[HasPathT], fits: Callable[[HasPathT], bool]) -> tuple[HasPathT, ...]:
    """The fitting records; none where they are in several folders. Many files of a run ask for the same."""
    found = tuple(record for record in key.records if fits(record))
    return found if len({folder_of(record.path) for record in found}) == 1 else ()


@lru_cache(maxsize=8)
def _by_prefix(key: Itself[HasPathT]) -> dict[tuple[str, ...], list[HasPathT]]:
    """The records by every beginning of their paths, as many files of a run ask for the nearest of the same."""
    below: dict[tuple[str, ...], list[HasPathT]] = {}
    for record in key.records:
        parts = tuple(_parts(record.path))
        for depth in range(len(parts) + 1):
            below.setdefault(parts[:depth], []).append(record)
    return below


class ClusterIndex(Generic[HasPathT]):
    """Answers which components' files are in one cluster with a cloud.conf and a Service, for many Services.

    The cluster's folder is the one of the component, or the one around it where its name is that of the component. The
    Service is anywhere below it, the cloud.conf in it or in another component's folder beside.

    Args:
        components: Each with its names in lower case.
        alike: What makes two components of one place the same; only the first of them is found.
    """

    def __init__(
        self, components: Iterable[tuple[HasPathT, Iterable[str]]], alike: Callable[[HasPathT], Hashable]
    ) -> None:
        self._found: dict[tuple[bool, tuple[str, ...]], dict[Hashable, tuple[int, HasPathT]]] = {}
        for number, (component, words) in enumerate(components):
            parts = tuple(_parts(component.path))
            names = tuple(words)
            depth = len(parts) - 1
            while depth and (
                parts[depth - 1].lower() in _COMPONENT_PARTS or any(name in parts[depth - 1].lower() for name in names)
            ):
                depth -= 1
            for place in ((True, parts), (False, parts[:depth])):
                self._found.setdefault(place, {}).setdefault(alike(component), (number, component))

    def of(self, conf: str, service: str) -> dict[int, HasPathT]:
        """The components by their numbers.

        Args:
            conf: The file with the cloud.conf.
            service: The file with the Service.
        """
        folder, other = tuple(_parts(conf)[:-1]), tuple(_parts(service))
        places = [(True, tuple(_parts(conf))), (True, other)]
        places += [
            (False, other[:depth])
            for depth in range(max(0, len(folder) - 1), min(len(folder), len(other)) + 1)
            if folder[:depth] == other[:depth]
        ]
        return {number: found for place in places for number, found in self._found.get(place, {}).values()}


def upward(folder: str, top: str = "") -> Iterator[str]:
    """A folder and all around it.

    Args:
        folder: Where to begin.
        top: Where to end; empty for the outermost, which is empty or the root.
    """
    while True:
        yield folder
        above = os.path.dirname(folder)
        if folder in (top, above):
            return
        folder = above


def folder_of(path: str) -> str:
    """A file's folder, normalised."""
    return os.path.dirname(os.path.normpath(path))


def _parts(path: str) -> list[str]:
    return os.path.normpath(path).split(os.sep)
