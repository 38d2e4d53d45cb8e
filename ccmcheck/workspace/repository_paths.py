"""Finds the repository of a folder without git: by the nearest ``.git`` folder or file."""

# pathlib takes longer to import than git takes to list a small repository:
# ruff: noqa: PTH112, PTH113, PTH116, PTH118, PTH120

from __future__ import annotations

import os
import stat
from contextlib import suppress

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import read_input
from ccmcheck.base.records import NamedTuple

_SMALL = 65_536


class RepositoryPaths(NamedTuple):
    """Where a repository is.

    Attributes:
        top: The top of its work tree.
        git_dir: Its ``.git`` folder, or where a ``.git`` file leads.
        common_dir: The folder of its objects and refs, another one in a linked work tree.
    """

    top: str
    git_dir: str
    common_dir: str


def find_repository(folder: str) -> RepositoryPaths | None:
    """Find the repository of a folder: the nearest ``.git`` in it or above it. A bare repository is never one.

    Args:
        folder: The folder; links in its path are resolved, as git does.
    """
    current = os.path.realpath(folder)
    stops = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in stops if path}
    while True:
        git_dir = _git_dir(os.path.join(current, ".git"))
        if git_dir is not None:
            common = _common_dir(git_dir)
            if common is not None:
                return RepositoryPaths(current, git_dir, common)
        above = os.path.dirname(current)
        if above == current or above in ceilings:
            return None
        current = above


def repository_top(folder: str) -> str:
    """The top of the repository of a folder, without links; empty where it is in none."""
    repository = find_repository(folder)
    return repository.top if repository is not None else ""


def _git_dir(path: str) -> str | None:
    """The git directory that a ``.git`` stands for: itself, or the one that it names."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            return path
        if not stat.S_ISREG(mode):
            return None
        text = os.fsdecode(read_input(path, _SMALL))
    except (OSError, ValueError, InputError):
        return None
    if not text.startswith("gitdir: "):
        return None
    named = os.path.join(os.path.dirname(path), text.removeprefix("gitdir: ").rstrip("\r\n"))
    return named if os.path.isdir(named) else None


def _common_dir(git_dir: str) -> str | None:
    """The folder of objects and refs; None where these or HEAD are missing, so that it is no git directory."""
    common = git_dir
    with suppress(OSError, ValueError, InputError):
        named = os.fsdecode(read_input(os.path.join(git_dir, "commondir"), _SMALL)).rstrip("\r\n")
        common = os.path.join(git_dir, named)
    complete = (
        os.path.isfile(os.path.join(git_dir, "HEAD"))
        and os.path.isdir(os.path.join(common, "objects"))
        and os.path.isdir(os.path.join(common, "refs"))
    )
    return common if complete else None
