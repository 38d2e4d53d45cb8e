"""The releases between two, and how a sentence names some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ccmcheck.catalog.data.releases import LAST_PATCH
from ccmcheck.catalog.releases import Release, release


@lru_cache(maxsize=1)
def tags() -> tuple[Release, ...]:
    """Every tag, oldest first."""
    return tuple(release(f"v{branch}.{patch}") for branch, last in LAST_PATCH.items() for patch in range(last + 1))


def upgrade_path(old: Release, new: Release) -> tuple[Release, ...]:
    """Both releases and the tags between, oldest first.

    Args:
        old: The release that runs.
        new: The release to upgrade to; a minor release is its newest tag.
    """
    between = [tag for tag in tags() if old[:3] < tag[:3] <= new[:3]]
    return (old, *between) if between and between[-1][:3] == new[:3] else (old, *between, new)


def release_ranges(releases: Iterable[Release], path: Sequence[Release]) -> str:
    """Name releases as a sentence does.

    Args:
        releases: Some of those of the path.
        path: All of them, oldest first.

    Returns:
        ``v1.27.0 to v1.27.2, v1.28.0``; empty for none.
    """
    wanted = set(releases)
    runs: list[list[Release]] = []
    before = False
    for tag in path:
        if tag in wanted:
            if before:
                runs[-1].append(tag)
            else:
                runs.append([tag])
        before = tag in wanted
    return ", ".join(run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}" for run in runs)
