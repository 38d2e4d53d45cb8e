"""Which cloud.confs belong to a file: one rule, for all commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from ccmcheck.base.path_proximity import folder_of, upward
from ccmcheck.catalog.signs.paths import is_example

ConfT = TypeVar("ConfT")

MOST_CONFS = 16
"""Equally near cloud.confs; with more it is ambiguous which one applies."""
READ, POSSIBLE, ELSEWHERE = range(3)
"""The CCM is known to read it; it may; it stands for one that is not among the files. The lowest of the nearest count.
"""


class NearestConfs(Generic[ConfT]):
    """Answers which cloud.confs are nearest to a file: its own, its folder's, those below it, else those further up.

    Files are asked for what they hold when it matters, each folder once. Examples and test data are for their own
    folder alone.

    Args:
        paths: The files that may hold one.
        in_file: Gives those of a file.
        rank: How sure it is that the CCM reads one: `READ`, `POSSIBLE` or `ELSEWHERE`.
        most: How many may be equally near.
    """

    def __init__(
        self,
        paths: Iterable[str],
        in_file: Callable[[str], Sequence[ConfT]],
        rank: Callable[[ConfT], int],
        most: float = MOST_CONFS,
    ) -> None:
        self._in_file, self._rank, self._most = in_file, rank, most
        self._below: dict[str, list[str]] = {}
        for path in dict.fromkeys(paths):
            for folder in _around(path):
                self._below.setdefault(folder, []).append(path)
        self._found: dict[tuple[str, bool], Sequence[ConfT] | None] = {}

    def of(self, path: str) -> Sequence[ConfT]:
        """Those of a file; several where they are equally near, none where they are too many to tell which is meant."""
        near = self._near(path)
        if not near:
            return ()
        least = min(map(self._rank, near))
        return _nearest_files(path, [one for one in near if self._rank(one) == least])

    def are_too_many(self, path: str) -> bool:
        """Whether a file has so many equally near ones that nobody can tell which is meant."""
        return self._near(path) is None

    def _near(self, path: str) -> Sequence[ConfT] | None:
        """All that are equally near; None where there are too many."""
        near: Sequence[ConfT] | None = self._in_file(path)
        places = ((folder, is_below) for folder in _around(path) for is_below in (False, True))
        while near is not None and not near and (place := next(places, None)) is not None:
            if place not in self._found:
                self._found[place] = self._collected(*place)
            near = self._found[place]
        return None if near is None or len(near) > self._most else near

    def _collected(self, folder: str, is_below: bool) -> Sequence[ConfT] | None:
        """The cloud.confs of a folder itself, or those below it, too; None where there are too many."""
        found: list[ConfT] = []
        for path in self._below.get(folder, ()):
            if is_example(path[len(folder) :]) if is_below else folder_of(path) != folder:
                continue
            found += self._in_file(path)
            if len(found) > self._most:
                return None
        return found


def _nearest_files(path: str, confs: list[ConfT]) -> list[ConfT]:
    """Of several that one file names, such as an ApplicationSet, those that files nearer to another one set."""
    if len(confs) < 2:
        return confs
    around = {folder: steps for steps, folder in enumerate(upward(folder_of(path)))}
    steps = [
        min((around.get(folder, len(around)) for folder in getattr(one, "folders", ())), default=len(around))
        for one in confs
    ]
    return [one for one, far in zip(confs, steps, strict=True) if far == min(steps)]


def _around(path: str) -> Iterator[str]:
    """The folders around a file; the last one, which is empty, is around all."""
    for folder in upward(folder_of(path)):
        yield folder
    if folder:
        yield ""
