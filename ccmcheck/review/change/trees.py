"""The files of one side of a review: a file, a folder, or a revision of a git repository.

Revisions are read from git's objects (``ls-tree``, ``cat-file``): nothing is checked out, no file is touched.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH112, PTH119

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import worth_reading
from ccmcheck.workspace import discover
from ccmcheck.workspace.changed_files import git_lines
from ccmcheck.workspace.gathering import Looked, is_worth_taking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers import FindOptions

_FILES = frozenset({b"100644", b"100755", b"100664"})
"""Modes of plain files; links and submodules are left out, as in a work tree."""

_MOST_NAMES = 5000
"""How many names of revisions are compared with one that is not there."""

_SHORT = 12
"""Digits of a commit that are enough."""


def look_at(path: str, options: FindOptions, limits: discover.DiscoverOptions) -> Looked:
    """Read a file, or the files of a folder; those of a folder are named from the folder on.

    Args:
        path: The file or folder.
        options: How files are searched.
        limits: Which files are read.

    Raises:
        InputError: There is no such file or folder, or the file cannot be read or holds nothing to compare.
    """
    found = Looked([], [], [], [])
    is_folder = os.path.isdir(path)
    for target in discover.discover([path], limits):
        if isinstance(target, Failure):
            raise InputError(f"{target.path}: {target.message}", target.hint)
        name = os.path.relpath(target.path, path) if is_folder else os.path.basename(target.path)
        take(found, name, target, options, limits)
    if not is_folder:
        _check(found, path)
    return found


def look_at_text(name: str, data: bytes, options: FindOptions) -> Looked:
    """Look through one file that was read already, such as standard input.

    Args:
        name: What to call it.
        data: Its bytes.
        options: How it is searched.

    Raises:
        InputError: It holds nothing to compare.
    """
    found = Looked([], [], [], [])
    found.take(name, data, options._replace(explicit=True))
    _check(found, name)
    return found


def _check(found: Looked, path: str) -> None:
    if not (found.carried or found.objects or found.pods or found.failures):
        raise InputError(
            f"there is neither a cloud.conf nor a Service in {path}",
            "A cloud.conf has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )


def take(
    found: Looked, name: str, target: discover.Target, options: FindOptions, limits: discover.DiscoverOptions
) -> None:
    """Read one file and look through it.

    Args:
        found: Takes what it holds.
        name: What to call it.
        target: The file.
        options: How it is searched.
        limits: Which files are read.

    Raises:
        InputError: The user named it, and it cannot be read.
    """
    read = discover.read(target, limits.max_size, is_worth_taking)
    if isinstance(read, Failure):
        if target.explicit:
            raise InputError(f"{read.path}: {read.message}", read.hint)
        found.failures.append(read._replace(path=name))
    elif read is not None:
        found.take(name, read, options._replace(explicit=target.explicit))


class Repository:
    """The git repository around the current folder.

    Args:
        options: How files are searched.
        limits: Which files are read.

    Raises:
        WrongUse: There is no git, or the current folder is in no repository.
    """

    def __init__(self, options: FindOptions, limits: discover.DiscoverOptions) -> None:
        self._options = options
        self._limits = limits
        self._excluded = discover.Excluded(limits)
        if git_lines(os.curdir, "rev-parse", "--git-dir") is None:
            raise WrongUse(
                "the current folder is in no git repository",
                "Give two files or folders, or go to a repository: ccmcheck review --git main..HEAD.",
            )

    def ends(self, said: str) -> tuple[str, str | None]:
        """The two ends of what ``--git`` says.

        Args:
            said: ``A..B``, ``A...B`` (from where they part), or ``A`` for the work tree.

        Returns:
            Two revisions; None for the work tree.

        Raises:
            WrongUse: Git knows no such revision.
        """
        if "..." in said:
            old, _, new = said.partition("...")
            old, new = old or "HEAD", new or "HEAD"
            found = git_lines(os.curdir, "merge-base", self.commit(old), self.commit(new))
            if not found:
                raise WrongUse(
                    f"`{old}` and `{new}` have no commit in common",
                    "In a shallow clone, fetch more history: git fetch --unshallow.",
                )
            return found[0].strip()[:_SHORT], new
        if not said.strip():
            raise WrongUse("--git names no revision", "Write --git main..HEAD.")
        if ".." in said:
            old, _, new = said.partition("..")
            return old or "HEAD", new or "HEAD"
        return said, None

    def commit(self, revision: str) -> str:
        """A revision's commit or tree.

        Args:
            revision: Its name.

        Raises:
            WrongUse: Git knows none.
        """
        found = git_lines(os.curdir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}")
        if found:
            kind = git_lines(os.curdir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
            return (kind or found)[0].strip()
        from ccmcheck.base.suggest import hint

        names = git_lines(os.curdir, "for-each-ref", "--format=%(refname:short)%00", f"--count={_MOST_NAMES}") or []
        near = hint(revision, [name.strip() for name in names])
        raise WrongUse(
            f"git knows no revision `{revision}`",
            near or "In a shallow clone, fetch it first: git fetch origin main, or fetch-depth: 0 in a workflow.",
        )

    def look_at(self, revision: str, paths: Sequence[str]) -> tuple[Looked, set[str]]:
        """Read the files of a revision, those below the current folder.

        Args:
            revision: The revision.
            paths: Files and folders that narrow it; empty for all.

        Returns:
            What they hold, and the paths that the revision has.

        Raises:
            WrongUse: Git knows no such revision.
            InputError: A file that the user named is too large.
        """
        found = Looked([], [], [], [])
        tree = self.commit(revision)
        named = {os.path.normpath(path) for path in paths}
        met: set[str] = set()
        wanted: list[tuple[str, bytes]] = []
        for path, blob, size in _listed(tree, paths):
            above = _above(path)
            met |= named & above
            explicit = path in named
            if size > self._limits.max_size and explicit:
                raise InputError(
                    f"{revision}:{path}: {size:,} bytes are more than the limit of {self._limits.max_size:,}"
                )
            if size <= self._limits.max_size and (explicit or (worth_reading(path) and not self._excluded(path))):
                wanted.append((path, blob))
        for (path, _), data in zip(wanted, _contents([blob for _, blob in wanted]), strict=True):
            if path in named or is_worth_taking(data, path):
                found.take(path, data, self._options._replace(explicit=path in named))
        return found, met | ({os.curdir} & named)

    def look_at_work_tree(self, paths: Sequence[str]) -> tuple[Looked, set[str]]:
        """Read the files as they lie; the arguments and the result are those of `look_at`."""
        found = Looked([], [], [], [])
        there = [path for path in paths if os.path.exists(path)]  # noqa: PTH110 - pathlib is slow to import
        if there or not paths:
            for target in discover.discover(there or [os.curdir], self._limits):
                if not isinstance(target, Failure):
                    take(found, os.path.normpath(target.path), target, self._options, self._limits)
        return found, {os.path.normpath(path) for path in there}


def _above(path: str) -> set[str]:
    """A path and all folders above it."""
    parts = path.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}


def _listed(tree: str, paths: Sequence[str]) -> Iterator[tuple[str, bytes, int]]:
    """The plain files of a tree: path, object and size."""
    lines = git_lines(os.curdir, "ls-tree", "-r", "-z", "--long", tree, "--", *paths)
    if lines is None:
        raise WrongUse(f"git cannot list the files of `{tree}`")
    for line in lines:
        about, _, path = line.partition("\t")
        mode, kind, blob, size = about.split()
        if kind == "blob" and mode.encode() in _FILES:
            yield path, blob.encode(), int(size) if size.isdigit() else 0  # git lacks the object, and says BAD


def _contents(blobs: list[bytes]) -> Iterator[bytes]:
    """The contents of objects, one after another, through one ``git cat-file``."""
    import subprocess
    import tempfile

    if not blobs:
        return
    # from a file, not a pipe: git begins to answer long before it has read all names
    with tempfile.TemporaryFile() as names:
        names.write(b"\n".join(blobs) + b"\n")
        names.seek(0)
        command = ["git", "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=names, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as git:
            for blob in blobs:
                head = git.stdout.readline().split() if git.stdout is not None else []
                if git.stdout is None or len(head) != 3:
                    git.kill()
                    raise InputError(f"git cannot read the object {blob.decode()}", "A partial clone lacks some.")
                yield git.stdout.read(int(head[2]))
                git.stdout.read(1)
