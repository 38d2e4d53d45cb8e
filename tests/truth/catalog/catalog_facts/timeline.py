"""All releases in a row, and what holds at each of them as stretches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

MASTER = "master"
_TIP = 1 << 30

Value = TypeVar("Value")
"""What holds at a release."""


class Point(NamedTuple):
    """A tag, or the tip of a branch, which is later than the tags of the branch."""

    minor: int
    patch: int
    name: str

    @property
    def is_tip(self) -> bool:
        """Whether it is the tip of a branch."""
        return self.patch == _TIP


def point_of(name: str) -> Point:
    """A release by its name: ``1.26``, ``v1.26.4`` or ``master``."""
    if name == MASTER:
        return Point(_TIP, _TIP, name)
    numbers = [int(part) for part in name.removeprefix("v").split(".")]
    return Point(numbers[1], numbers[2] if len(numbers) == 3 else _TIP, name)


class Timeline:
    """Every tag and every branch's tip, oldest first.

    Args:
        branches: Oldest first; the last is ``master``.
        last_patch: The last tag of each branch that has tags; every tag up to it exists.
    """

    def __init__(self, branches: Sequence[str], last_patch: Mapping[str, int]) -> None:
        self.branches = tuple(branches)
        self.last_patch = dict(last_patch)
        tags = [f"v{branch}.{patch}" for branch, last in last_patch.items() for patch in range(last + 1)]
        self.points = tuple(sorted(map(point_of, [*branches, *tags])))

    def expand(self, stretches: Iterable[tuple[str, str, Value]]) -> dict[str, Value]:
        """What holds at each release.

        Args:
            stretches: First tag, first tag after it, and what holds between them.

        Returns:
            By the names of those releases at which something holds.
        """
        found: dict[str, Value] = {}
        for since, before, value in stretches:
            for point in self.points:
                if (not since or point[:2] >= point_of(since)[:2]) and (not before or point[:2] < point_of(before)[:2]):
                    found[point.name] = value
        return found

    def compress(self, values: Mapping[str, Value]) -> list[tuple[str, str, Value]]:
        """The stretches of what holds at each release; the reverse of `expand`.

        Args:
            values: By the names of releases.
        """
        stretches: list[tuple[str, str, Value]] = []
        since: str | None = None
        for number, point in enumerate(self.points):
            holds = point.name in values
            if since is not None and (not holds or values[point.name] != values[self.points[number - 1].name]):
                stretches.append((since, self._start(number), values[self.points[number - 1].name]))
                since = None
            if holds and since is None:
                since = self._start(number)
        if since is not None:
            stretches.append((since, "", values[self.points[-1].name]))
        return stretches

    def _start(self, number: int) -> str:
        """The tag with which a stretch begins: of a branch's tip the one that comes next."""
        point = self.points[number]
        if not number:
            return ""
        if not point.is_tip:
            return point.name
        if point.name == MASTER:
            return f"v1.{self.points[number - 1].minor + 1}.0"
        return f"v{point.name}.{self.last_patch.get(point.name, -1) + 1}"
