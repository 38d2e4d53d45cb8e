"""The survey of a revision of a git repository, and of its work tree.

Revisions are read from git's objects (``ls-tree``, ``cat-file``): nothing is checked out, no file is touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Self

from ccmcheck.base import text
from ccmcheck.base.errors import GitUnavailable, InputError, WrongUse
from ccmcheck.base.repository_paths import find_repository
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.prefilter import worth_reading
from ccmcheck.workspace import discover
from ccmcheck.workspace.chart_templates import ChartTemplates
from ccmcheck.workspace.gathering import Gathering, is_worth_surveying
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.release_finder import ReleaseSearch, search_around
from ccmcheck.workspace.release_trees import RevisionTree, top_of
from ccmcheck.workspace.survey import Survey

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
        here = os.path.abspath(os.curdir)
        tree = RevisionTree(self._git, self.commit(revision), top_of(here, self._git.paths), self._limits)
        options = self._options._replace(chart_templates=ChartTemplates(tree))
        gathering.survey.search = ReleaseSearch(self._limits, lambda _: options, tree_of=lambda _: tree)
        named = {os.path.normpath(path): tree.name_of(os.path.abspath(path)) for path in paths}
        asked = frozenset(named.values()) or {tree.name_of(here)}
        existing: set[str] = set()
        wanted: list[tuple[str, str, bool]] = []
        for name, (blob, size) in tree.files.items():
            matched = asked & _above(name)
            if not matched:
                continue
            existing |= matched
            explicit = name in asked
            if not (explicit or worth_reading(name)):
                continue
            path = os.path.relpath(os.path.join(tree.top, name), here)
            limit = self._limits.max_size_of(path)
            if size > limit and explicit:
                raise InputError(f"{revision}:{path}: {size:,} bytes are more than the limit of {limit:,}")
            if size <= limit and (explicit or not self._excluded(path)):
                top = max(matched, key=len)  # what the user named, from the top of the repository
                if not explicit and self._limits.leaves_out(path, name.removeprefix(top if top != os.curdir else "")):
                    gathering.left_out.append(path)
                else:
                    wanted.append((path, blob, explicit))
        for (path, _, explicit), data in zip(wanted, self._git.blobs([blob for _, blob, _ in wanted]), strict=True):
            worth = explicit or is_worth_surveying(data, path)
            gathering.add(path, path, data if worth else None, explicit=explicit)
        survey = gathering.parsed(options, _text_reader(tree))
        return survey, {path for path, name in named.items() if name in existing or path == os.curdir}

    def survey_work_tree(self, paths: Sequence[str]) -> tuple[Survey, set[str]]:
        """Read the files as they lie; the arguments and the result are those of `survey`."""
        gathering = Gathering(self._limits, os.path.normpath)
        gathering.survey.search = search_around(paths or [os.curdir], self._limits, lambda _: self._options)
        existing = [path for path in paths if os.path.exists(path)]
        if existing or not paths:
            for target in discover.discover(existing or [os.curdir], gathering.limits):
                if not isinstance(target, Failure):
                    gathering.read(target)
        return gathering.parsed(self._options), {os.path.normpath(path) for path in existing}


def _text_reader(tree: RevisionTree) -> Callable[[str, str], str | None]:
    """Reads texts of a revision for builds; None where it has no such text."""

    def read(_root: str, path: str) -> str | None:
        data = tree.read(os.path.abspath(path))
        if data is None:
            return None
        decoded = text.decode(data)
        return decoded.text if decoded.is_utf8 and not decoded.is_binary else None

    return read


def _above(path: str) -> set[str]:
    """A path from the top on, all folders above it, and the top."""
    parts = path.split("/")
    return {os.curdir, *("/".join(parts[:count]) for count in range(1, len(parts) + 1))}
