"""The way from one release of the CCM to another: every tag between, and what holds on which stretch of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck.catalog.data.releases import LAST_PATCH
from ccmcheck.catalog.releases import Release, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@lru_cache(maxsize=1)
def tags() -> tuple[Release, ...]:
    """Every tag, oldest first."""
    return tuple(release(f"v{branch}.{patch}") for branch, last in LAST_PATCH.items() for patch in range(last + 1))


def way(old: Release, new: Release) -> tuple[Release, ...]:
    """The releases on the way, oldest first: both ends, and the tags between.

    Args:
        old: Where the way starts.
        new: Where it ends; where that is a branch's tip, its tags are on the way.
    """
    return (old, *(one for one in tags() if old < one < new), new)


def stretches(releases: Iterable[Release], on_the_way: Sequence[Release]) -> str:
    """Name releases as a sentence does.

    Args:
        releases: Some of those on the way.
        on_the_way: All of them, oldest first.

    Returns:
        ``v1.27.0 to v1.27.2, v1.28.0``; empty for none.
    """
    wanted = set(releases)
    runs: list[list[Release]] = []
    before = False
    for one in on_the_way:
        if one in wanted:
            if before:
                runs[-1].append(one)
            else:
                runs.append([one])
        before = one in wanted
    return ", ".join(run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}" for run in runs)
