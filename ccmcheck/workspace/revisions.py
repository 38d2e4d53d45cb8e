"""The survey of a revision of a git repository, and of its work tree.

Revisions are read from git's objects (``ls-tree``, ``cat-file``): nothing is checked out, no file is touched.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH100

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from ccmcheck.base import text
from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import worth_reading
from ccmcheck.workspace import discover
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.git_program import GitUnavailable
from ccmcheck.workspace.release_finder import ReleaseSearch, search_around
from ccmcheck.workspace.release_trees import RevisionTree, top_of
from ccmcheck.workspace.repository_paths import find_repository
from ccmcheck.workspace.survey import Gathering, Survey, is_worth_surveying

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers import FindOptions

_FILES = frozenset({"100644", "100755", "100664"})
"""Modes of plain files; links and submodules are left out, as in a work tree."""

_MOST_NAMES = 5000
"""How many names of revisions are compared with one that does not exist."""

_SHORT = 12
"""Digits of a commit that are enough."""


class Repository:
    """The git repository around the current folder.

    Args:
        options: How files are searched.
        limits: Which files are read.

    Raises:
        WrongUse: There is no git that can be used, or the current folder is in no repository.
    """

    def __init__(self, options: FindOptions, limits: discover.DiscoverOptions) -> None:
        self._options = options
        self._limits = limits
        self._excluded = discover.Excluded(limits)
        paths = find_repository(os.curdir)
        if paths is None:
            raise WrongUse(
                "the current folder is in no git repository",
                "Give two files or folders, or go to a repository: ccmcheck review --git main..HEAD.",
            )
        try:
            self._git = Git(paths, upstreams=True)
        except GitUnavailable as error:
            raise WrongUse(f"--git needs git: {error.message}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._git.close()

    def ends(self, revision_range: str) -> tuple[str, str | None]:
        """The two ends of the range that ``--git`` names.

        Args:
            revision_range: ``A..B``, ``A...B`` (from their merge base), or ``A`` for the work tree.

        Returns:
            Two revisions; None for the work tree.

        Raises:
            WrongUse: Git knows no such revision.
        """
        if "..." in revision_range:
            old, _, new = revision_range.partition("...")
            old, new = old or "HEAD", new or "HEAD"
            found = self._git.lines(os.curdir, "merge-base", self.commit(old), self.commit(new))
            if not found:
                raise WrongUse(
                    f"`{old}` and `{new}` have no commit in common",
                    "In a shallow clone, fetch more history: git fetch --unshallow.",
                )
            return found[0].strip()[:_SHORT], new
        if not revision_range.strip():
            raise WrongUse("--git names no revision", "Write --git main..HEAD.")
        if ".." in revision_range:
            old, _, new = revision_range.partition("..")
            return old or "HEAD", new or "HEAD"
        return revision_range, None

    def commit(self, revision: str) -> str:
        """A revision's commit or tree.

        Args:
            revision: Its name.

        Raises:
            WrongUse: Git knows none.
        """
        found = self._parsed(revision + "^{tree}")
        if found:
            return self._parsed(revision + "^{commit}") or found
        from ccmcheck.base.suggest import hint

        names = self._git.lines(os.curdir, "for-each-ref", "--format=%(refname:short)%00", f"--count={_MOST_NAMES}")
        near = hint(revision, [name.strip() for name in names or ()])
        raise WrongUse(
            f"git knows no revision `{revision}`",
            near or "In a shallow clone, fetch it first: git fetch origin main, or fetch-depth: 0 in a workflow.",
        )

    def _parsed(self, revision: str) -> str:
        """The hash of a revision; empty where there is none."""
        lines = self._git.lines(os.curdir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        return lines[0].strip() if lines else ""

    def survey(self, revision: str, paths: Sequence[str]) -> tuple[Survey, set[str]]:
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
        gathering = Gathering(self._limits)
        tree = self.commit(revision)
        top = top_of(os.path.abspath(os.curdir), self._git.paths)
        files = RevisionTree(self._git, tree, top, self._limits)
        gathering.survey.search = ReleaseSearch(self._limits, lambda _: self._options, tree_of=lambda _: files)
        named = {os.path.normpath(path) for path in paths}
        existing: set[str] = set()
        wanted: list[tuple[str, str]] = []
        for path, blob, size in self._listed(tree, paths):
            above = _above(path)
            existing |= named & above
            explicit = path in named
            limit = self._limits.max_size_of(path)
            if size > limit and explicit:
                raise InputError(f"{revision}:{path}: {size:,} bytes are more than the limit of {limit:,}")
            if size <= limit and (explicit or (worth_reading(path) and not self._excluded(path))):
                wanted.append((path, blob))
        for (path, _), data in zip(wanted, self._git.blobs([blob for _, blob in wanted]), strict=True):
            worth = path in named or is_worth_surveying(data, path)
            gathering.add(path, path, data if worth else None, explicit=path in named)
        survey = gathering.parsed(self._options, _RevisionReader(self._git, self._listed(tree, ()), self._limits))
        return survey, existing | ({os.curdir} & named)

    def survey_work_tree(self, paths: Sequence[str]) -> tuple[Survey, set[str]]:
        """Read the files as they lie; the arguments and the result are those of `survey`."""
        gathering = Gathering(self._limits)
        gathering.survey.search = search_around(paths or [os.curdir], self._limits, lambda _: self._options)
        existing = [path for path in paths if os.path.exists(path)]  # noqa: PTH110 - pathlib is slow to import
        if existing or not paths:
            for target in discover.discover(existing or [os.curdir], self._limits):
                if not isinstance(target, Failure):
                    gathering.read(os.path.normpath(target.path), target)
        return gathering.parsed(self._options), {os.path.normpath(path) for path in existing}

    def _listed(self, tree: str, paths: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        """The plain files of a tree: path, object and size."""
        lines = self._git.lines(os.curdir, "ls-tree", "-r", "-z", "--long", tree, "--", *paths)
        if lines is None:
            raise WrongUse(f"git cannot list the files of `{tree}`")
        for line in lines:
            about, _, path = line.partition("\t")
            mode, kind, blob, size = about.split()
            if kind == "blob" and mode in _FILES:
                yield path, blob, int(size) if size.isdigit() else 0  # git lacks the object, and says BAD


class _RevisionReader:
    """Reads files of a revision for builds.

    Args:
        git: The repository's git.
        listed: The files of the revision: path, object and size.
        limits: Which files are read.
    """

    def __init__(self, git: Git, listed: Iterator[tuple[str, str, int]], limits: discover.DiscoverOptions) -> None:
        self._git = git
        self._listed = listed
        self._limits = limits
        self._blobs: dict[str, tuple[str, int]] | None = None

    def __call__(self, _root: str, path: str) -> str | None:
        """The text of a file; None where the revision has none, or it is too large."""
        if self._blobs is None:
            self._blobs = {name: (blob, size) for name, blob, size in self._listed}
        blob, size = self._blobs.get(path, ("", 0))
        if not blob or size > self._limits.max_size_of(path):
            return None
        decoded = text.decode(next(iter(self._git.blobs([blob]))))
        return decoded.text if decoded.is_utf8 and not decoded.is_binary else None


def _above(path: str) -> set[str]:
    """A path and all folders above it."""
    parts = path.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
