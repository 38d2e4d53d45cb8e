"""What git knows of a folder: its files, and which of them differ from a revision."""

from __future__ import annotations

import os

from ccmcheck.base.errors import WrongUse


class Changed:
    """Which files differ from the merge base with a revision: committed, staged, in the working tree, or untracked."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self._by_folder: dict[str, list[str]] = {}
        self._names: dict[str, frozenset[str]] = {}

    def below(self, folder: str) -> list[str]:
        """The changed files of a folder, relative to it.

        Raises:
            WrongUse: No git, no repository, or no such revision.
        """
        if folder not in self._by_folder:
            base = self._merge_base(folder)
            differing = git_lines(
                folder, "diff", "--name-only", "-z", "--diff-filter=d", "--no-renames", "--relative", base
            )
            untracked = git_lines(folder, "ls-files", "-o", "--exclude-standard", "-z")
            if differing is None or untracked is None:
                raise WrongUse(f"git cannot compare `{folder}` with `{self.revision}`")
            self._by_folder[folder] = differing + untracked
        return self._by_folder[folder]

    def has(self, path: str) -> bool:
        """Whether one file is among them."""
        folder, name = os.path.split(path)
        folder = folder or os.curdir
        if folder not in self._names:
            self._names[folder] = frozenset(self.below(folder))
        return name in self._names[folder]

    def _merge_base(self, folder: str) -> str:
        if git_lines(folder, "rev-parse", "--git-dir") is None:
            raise WrongUse(f"`{folder}` is in no git repository, so nothing can be compared with `{self.revision}`")
        commit = git_lines(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", self.revision + "^{commit}")
        if not commit:
            raise WrongUse(
                f"git knows no revision `{self.revision}`",
                "In a shallow clone, fetch it first: git fetch origin main, or fetch-depth: 0 in a workflow.",
            )
        base = git_lines(folder, "merge-base", commit[0].strip(), "HEAD")
        if not base:
            raise WrongUse(
                f"`{self.revision}` and HEAD have no commit in common",
                "In a shallow clone, fetch more history: git fetch --unshallow.",
            )
        return base[0].strip()


def git_lines(folder: str, *arguments: str) -> list[str] | None:
    """Run git in a folder; its output cut at NULs, or None where it failed or is not there."""
    import subprocess

    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
    except OSError:
        return None
    if done.returncode:
        return None
    return [os.fsdecode(part) for part in done.stdout.split(b"\0") if part]
