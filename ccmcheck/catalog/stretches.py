"""Where something holds: stretches of releases, from a first tag up to the first tag without it.

The unit is the tag, because changes are brought to older branches: one thing may hold on several stretches. An empty
first tag is the beginning, an empty last one means that it still holds. The tip of a branch comes after all tags of the
branch, so ``v1.23.5`` begins what came to 1.23 after its last tag, v1.23.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.releases import BRANCHES
from ccmcheck.catalog.releases import MASTER, OLDER, Release, release

_Value = TypeVar("_Value")


def within(at: Release, since: str, before: str) -> bool:
    """Whether a release lies in one stretch."""
    return (not since or at.at_least(since)) and (not before or not at.at_least(before))


def holds(stretches: Iterable[tuple[str, str]], at: Release) -> bool:
    """Whether a release lies in any of several stretches."""
    return any(within(at, since, before) for since, before in stretches)


class Lifetime(NamedTuple):
    """The releases that have something.

    Attributes:
        since: The first branch whose tip has it; ``1.9`` means 1.9 or earlier.
        until: The last branch whose tip has it; empty while it lives.
        first_tag: The first tag that has it, where that is not the first of its first branch.
        last_tag: The last tag that has it; empty while it lives.
        missing_in_tags: Tags between that lack it.
    """

    since: str
    until: str
    first_tag: str
    last_tag: str
    missing_in_tags: tuple[str, ...]


@lru_cache(maxsize=256)
def lifetime(stretches: tuple[tuple[str, str], ...]) -> Lifetime:
    """Sum stretches up; most keys share theirs with others.

    Args:
        stretches: At least one, oldest first.
    """
    from ccmcheck.catalog.upgrade_path import tags

    branches = [name for name, tip in _tips() if holds(stretches, tip)]
    branches = branches or [name for name, tip in _older() if holds(stretches, tip)]
    having = [tag for tag in tags() if holds(stretches, tag)]
    since, until = branches[0], branches[-1]
    lives = until == MASTER
    first_tag = having[0].name if having and stretches[0][0] not in ("", f"v{since}.0") else ""
    last_tag = having[-1].name if having and not lives else ""
    missing = () if len(stretches) == 1 else tuple(_between(having))
    return Lifetime(since, "" if lives else until, first_tag, last_tag, missing)


def _between(having: Sequence[Release]) -> Iterator[str]:
    """The tags that are missing in a row of tags."""
    from ccmcheck.catalog.upgrade_path import tags

    known = set(having)
    for tag in tags():
        if having and having[0] < tag < having[-1] and tag not in known:
            yield tag.name


def by_branches(values: Sequence[tuple[str, str, _Value]]) -> tuple[tuple[str, _Value], ...]:
    """What holds at the tips of the branches, each value with its first and last branch: ``1.9..1.17``.

    Args:
        values: Stretches with what holds on them.
    """
    found: list[tuple[str, str, _Value]] = []
    ranges = [(_branches_within(since, before), value) for since, before, value in values]
    for name in [name for name, _ in _tips() if any(name in branches for branches, _ in ranges)] or OLDER:
        for branches, value in ranges:
            if name not in branches:
                continue
            if found and found[-1][2] == value:
                found[-1] = (found[-1][0], name, value)
            else:
                found.append((name, name, value))
            break
    return tuple((first if first == last else f"{first}..{last}", value) for first, last, value in found)


@lru_cache(maxsize=256)
def _branches_within(since: str, before: str) -> frozenset[str]:
    """The branches whose tips lie in one stretch."""
    return frozenset(name for name, tip in (*_older(), *_tips()) if within(tip, since, before))


@lru_cache(maxsize=1)
def _tips() -> tuple[tuple[str, Release], ...]:
    return tuple((name, release(name if name == MASTER else f"release-{name}")) for name in BRANCHES)


@lru_cache(maxsize=1)
def _older() -> tuple[tuple[str, Release], ...]:
    """Branches of the in-tree provider alone."""
    return tuple((name, release(name, "legacy-in-tree")) for name in OLDER)
