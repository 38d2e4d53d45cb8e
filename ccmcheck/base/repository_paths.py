"""Finds the repository of a folder without git: by the nearest ``.git`` folder or file.

A ``.git`` that leads out of its work tree counts if what it leads to points back, as for a linked work tree, or is a
submodule of the repository around it; else anybody who writes a file could show another repository.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from ccmcheck.base.boundary import is_trusted, is_within
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
        refused: Why git is not asked about it; empty where it may be.
    """

    top: str
    git_dir: str
    common_dir: str
    refused: str = ""

    @property
    def bound(self) -> str:
        """The folder that nothing of the repository leads out of, without links."""
        common = os.path.realpath(self.common_dir)
        return self.top if is_within(common, self.top) else common


def find_repository(folder: str) -> RepositoryPaths | None:
    """Find the repository of a folder: the nearest ``.git`` in it or above it. A bare repository is never one.

    Args:
        folder: The folder; links in its path are resolved, as git does.
    """
    current = os.path.realpath(folder)
    stops = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in stops if path}
    while True:
        paths = _repository(current)
        if paths is not None:
            return paths
        above = os.path.dirname(current)
        if above == current or above in ceilings:
            return None
        current = above


def _repository(top: str) -> RepositoryPaths | None:
    """The repository of a folder's own ``.git``."""
    git_dir = _git_dir(os.path.join(top, ".git"))
    common = _common_dir(git_dir) if git_dir is not None else None
    if git_dir is None or common is None:
        return None
    paths = RepositoryPaths(top, git_dir, common)
    if is_trusted() or _is_own(paths):
        return paths
    return paths._replace(
        refused=f"{top}/.git leads out of it to what does not point back; --trust-checkout allows that"
    )


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


def _is_own(paths: RepositoryPaths) -> bool:
    """Whether a git directory belongs to its work tree, or to the repository around it."""
    git_dir, common = os.path.realpath(paths.git_dir), os.path.realpath(paths.common_dir)
    if is_within(git_dir, paths.top) and is_within(common, paths.top):
        return True
    if os.path.dirname(git_dir) == os.path.join(common, "worktrees"):
        with suppress(OSError, ValueError, InputError):
            back = os.fsdecode(read_input(os.path.join(git_dir, "gitdir"), _SMALL)).rstrip("\r\n")
            return os.path.realpath(os.path.join(git_dir, back)) == os.path.join(paths.top, ".git")
        return False
    around = find_repository(os.path.dirname(paths.top))
    return (
        around is not None
        and around.top != paths.top
        and not around.refused
        and any(
            is_within(git_dir, inner) and is_within(common, inner)
            for inner in (os.path.join(os.path.realpath(one), "modules") for one in (around.git_dir, around.common_dir))
        )
    )
