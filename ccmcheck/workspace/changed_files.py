"""Which files of a folder differ from a revision.

Files of the work tree are compared by their own hashes, without the filters and line endings that git may convert on
commit: a file that a filter converts (git-lfs, git-crypt) counts as changed, so that it is linted too often rather than
too seldom. A file that differs from its committed form in CR LF alone is unchanged.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from ccmcheck.base.errors import GitUnavailable, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.prefilter import worth_reading
from ccmcheck.workspace.tree_listing import PLAIN_FILES, plain_files

if TYPE_CHECKING:
    from ccmcheck.workspace.git import Git
    from ccmcheck.workspace.repositories import Repositories

_MOST_CONVERTED = 10 * 1024 * 1024
"""Bytes of a file whose line endings are converted to compare it."""


class _Folder(NamedTuple):
    """What git knows of a folder; paths are relative to it.

    Attributes:
        git: Git for its repository.
        base: The hash of each file of the revision.
        staged: The hash of each tracked file; empty for a file in conflict.
        untracked: The files that are neither tracked nor ignored.
    """

    git: Git
    base: dict[str, str]
    staged: dict[str, str]
    untracked: dict[str, None]


class ChangedFiles:
    """Which files differ from the merge base with a revision: committed, staged, in the work tree, or untracked.

    Args:
        revision: The revision.
        repositories: Git for the repositories of the run.
    """

    def __init__(self, revision: str, repositories: Repositories) -> None:
        self.revision = revision
        self._repositories = repositories
        self._folders: dict[str, _Folder] = {}

    def below(self, folder: str) -> list[str]:
        """The changed files of a folder that may hold a cloud.conf, relative to it.

        Raises:
            WrongUse: No git, no repository, or no such revision.
        """
        known = self._known(folder)
        tracked = [name for name in known.staged if worth_reading(name) and self._differs(folder, name, known)]
        return [*tracked, *known.untracked]

    def has(self, path: str) -> bool:
        """Whether one file is among them."""
        folder, name = os.path.split(path)
        folder = folder or os.curdir
        known = self._known(folder)
        return name in known.untracked or (name in known.staged and self._differs(folder, name, known))

    def _differs(self, folder: str, name: str, known: _Folder) -> bool:
        path = os.path.join(folder, name)
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return False
        except OSError:
            return False
        base, index = known.base.get(name), known.staged[name]
        if base is None or not index:
            return True
        if known.git.hash_of(path) == base:
            return False
        return index != base or known.git.hash_with_lf(path, _MOST_CONVERTED) != base

    def _known(self, folder: str) -> _Folder:
        if folder not in self._folders:
            try:
                self._folders[folder] = self._ask(folder)
            except GitUnavailable as error:
                raise WrongUse(f"--diff-base needs git: {error.message}") from None
        return self._folders[folder]

    def _ask(self, folder: str) -> _Folder:
        git = self._repositories.of(folder)
        if git is None:
            raise WrongUse(f"`{folder}` is in no git repository, so nothing can be compared with `{self.revision}`")
        base = self.merge_base(git, folder)
        listed = plain_files(git, folder, base, with_sizes=False)
        staged = git.lines(folder, "ls-files", "-s", "-z")
        untracked = git.lines(folder, "ls-files", "-o", "--exclude-standard", "-z")
        if listed is None or staged is None or untracked is None:
            raise WrongUse(f"git cannot compare `{folder}` with `{self.revision}`")
        index: dict[str, str] = {}
        for line in staged:
            about, _, name = line.partition("\t")
            mode, blob, stage = about.split()
            if mode in PLAIN_FILES:
                index[name] = blob if stage == "0" else ""
        return _Folder(git, {name: file.blob for name, file in listed.items()}, index, dict.fromkeys(untracked))

    def merge_base(self, git: Git, folder: str) -> str:
        """The merge base of the revision and HEAD.

        Args:
            git: Git for the repository.
            folder: A folder of it.

        Raises:
            WrongUse: No such revision, or nothing in common.
        """
        commit = git.lines(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", self.revision + "^{commit}")
        if not commit:
            raise WrongUse(
                f"git knows no revision `{self.revision}`",
                "In a shallow clone, fetch it first: git fetch origin main, or fetch-depth: 0 in a workflow.",
            )
        base = git.lines(folder, "merge-base", commit[0].strip(), "HEAD")
        if not base:
            raise WrongUse(
                f"`{self.revision}` and HEAD have no commit in common",
                "In a shallow clone, fetch more history: git fetch --unshallow.",
            )
        return base[0].strip()
