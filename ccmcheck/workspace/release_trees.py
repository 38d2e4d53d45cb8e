"""Where the search for the CCM's release looks: a repository's work tree, one of its revisions, or a single folder.

A tree lists the files that name the CCM, without reading the others into this process: ``git grep`` is the fastest
prefilter there is. Without git only the files of one folder are looked at.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Protocol

from ccmcheck.base.errors import GitUnavailable, InputError, WrongUse
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import worth_reading
from ccmcheck.workspace import discover

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.base.repository_paths import RepositoryPaths
    from ccmcheck.workspace.discover import DiscoverOptions
    from ccmcheck.workspace.git import Git
    from ccmcheck.workspace.tree_listing import PlainFile

MOST_IN_FOLDER = 1_000
"""Files of a folder outside of any repository; in one with more nothing is searched."""


class Tree(Protocol):
    """A part of the file system, or of a revision, in which the CCM's release is searched.

    Attributes:
        top: Its outermost folder, as an absolute path; nothing above it is looked at.
    """

    @property
    def top(self) -> str: ...  # noqa: D102 - see the class

    def holding(self, texts: Sequence[str]) -> list[str]:
        """The files that hold one of some texts, as absolute paths.

        Args:
            texts: What is searched for, taken literally.

        Raises:
            GitUnavailable: Git cannot be used.
        """

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is none, it is no plain file, or it is too large."""

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        """The same for several files, one after another.

        Args:
            paths: The files, as absolute paths.

        Raises:
            GitUnavailable: Git cannot be used.
        """


class WorkTree:
    """A repository's files as they lie there.

    Args:
        repository: Where the repository is.
        top: Its top, by the path that leads there from the files that the user named.
        limits: Which files are read.
    """

    def __init__(self, repository: RepositoryPaths, top: str, limits: DiscoverOptions) -> None:
        self.top = top
        self._repository = repository
        self._limits = limits

    def holding(self, texts: Sequence[str]) -> list[str]:
        """See `Tree`."""
        from ccmcheck.workspace.git import Git

        with Git(self._repository) as git:
            names = filter(discover.is_listed, git.files_with(texts) or ())
        return _kept((os.path.join(self.top, name) for name in names), self._limits, self.top)

    def read(self, path: str) -> bytes | None:
        """See `Tree`."""
        return _read(path, self._limits)

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        """See `Tree`."""
        return map(self.read, paths)


class Folder:
    """The files of one folder that is in no repository.

    Args:
        top: The folder.
        limits: Which files are read.
        is_deep: Whether those below it count, as long as they are not too many.
    """

    def __init__(self, top: str, limits: DiscoverOptions, *, is_deep: bool = False) -> None:
        self.top = top
        self._limits = limits
        self._is_deep = is_deep

    def holding(self, texts: Sequence[str]) -> list[str]:
        """See `Tree`."""
        try:
            with os.scandir(self.top) as entries:
                files = (each for each in entries if worth_reading(each.name) and each.is_file(follow_symlinks=False))
                names = [entry.path for entry in islice(files, MOST_IN_FOLDER + 1)]
        except OSError:
            return []
        if len(names) > MOST_IN_FOLDER:
            return []
        below = list(islice(self._below(), MOST_IN_FOLDER + 1)) if self._is_deep else []
        kept = _kept(sorted(names + below if len(names + below) <= MOST_IN_FOLDER else names), self._limits, self.top)
        words = [text.encode() for text in texts]
        return [path for path in kept if (data := self.read(path)) is not None and any(word in data for word in words)]

    def _below(self) -> Iterator[str]:
        """The files in the folders below; hidden folders are left out, and links are not followed."""
        for folder, folders, names in os.walk(self.top):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (os.path.join(folder, name) for name in names if folder != self.top and worth_reading(name))

    def read(self, path: str) -> bytes | None:
        """See `Tree`."""
        return _read(path, self._limits)

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        """See `Tree`."""
        return map(self.read, paths)


class RevisionTree:
    """The files of a revision.

    Args:
        git: Git for the repository.
        tree: The revision's tree.
        top: The repository's top, by the path that leads there.
        limits: Which files are read.

    Attributes:
        git: The same.
    """

    def __init__(self, git: Git, tree: str, top: str, limits: DiscoverOptions) -> None:
        self.top = top
        self.git = git
        self._tree = tree
        self._limits = limits

    def holding(self, texts: Sequence[str]) -> list[str]:
        """See `Tree`."""
        names = self.git.files_with(texts, self._tree) or []
        return _kept((os.path.join(self.top, name) for name in names), self._limits, self.top)

    def read(self, path: str) -> bytes | None:
        """See `Tree`."""
        blob = self._readable_blob(path)
        try:
            return next(iter(self.git.blobs([blob])), None) if blob else None
        except InputError:
            return None

    def read_each(self, paths: Sequence[str]) -> Iterator[bytes | None]:
        """See `Tree`; one process of git reads them all."""
        blobs = [self._readable_blob(path) for path in paths]
        found = self._contents_of([blob for blob in blobs if blob])
        for blob in blobs:
            yield next(found) if blob else None

    def _contents_of(self, blobs: list[str]) -> Iterator[bytes | None]:
        """The contents of objects; None for each that the repository lacks, as a partial clone does."""
        position = 0
        while position < len(blobs):
            try:
                for data in self.git.blobs(blobs[position:]):
                    position += 1
                    yield data
            except GitUnavailable:
                raise
            except InputError:
                position += 1
                yield None

    def _readable_blob(self, path: str) -> str:
        """The hash of a file's contents; empty where there is none, or it is too large."""
        file = self.files.get(self.name_of(path))
        return file.blob if file is not None and file.size <= self._limits.max_size_of(path) else ""

    def blob_of(self, path: str) -> str:
        """The hash of a file's contents; empty where the revision has no such file."""
        file = self.files.get(self.name_of(path))
        return file.blob if file is not None else ""

    def is_file(self, path: str) -> bool:
        """Whether the revision has a plain file of an absolute path."""
        return self.name_of(path) in self.files

    def is_outermost(self, folder: str) -> bool:
        """Whether nothing above a folder is looked at."""
        return folder == self.top

    def files_below(self, folder: str, most: int) -> list[str]:
        """The plain files in a folder and those below it, by their paths from there and up to a number."""
        name = self.name_of(folder)
        prefix = "" if name == os.curdir else f"{name}/"
        first = bisect_left(self._ordered, prefix)
        below = takewhile(lambda path: path.startswith(prefix), self._ordered[first : first + most])
        return [path[len(prefix) :] for path in below]

    def name_of(self, path: str) -> str:
        """An absolute path as git writes it, from the top on; ``.`` for the top."""
        return os.path.relpath(path, self.top).replace(os.sep, "/")

    @cached_property
    def files(self) -> dict[str, PlainFile]:
        """The plain files, by their paths from the top.

        Raises:
            WrongUse: Git cannot list them.
        """
        from ccmcheck.workspace.tree_listing import plain_files

        found = plain_files(self.git, self.top, self._tree)
        if found is None:
            raise WrongUse(f"git cannot list the files of `{self._tree}`")
        return found

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self.files)


def top_of(folder: str, repository: RepositoryPaths) -> str:
    """The top of a repository by the path that leads to a folder of it; its own path where a link is in between.

    Args:
        folder: The folder, as an absolute path.
        repository: Its repository.
    """
    below = os.path.relpath(os.path.realpath(folder), repository.top)
    if below == os.curdir:
        return folder
    return folder[: -len(below) - 1] or os.sep if folder.endswith(os.sep + below) else repository.top


def _kept(paths: Iterable[str], limits: DiscoverOptions, top: str) -> list[str]:
    """The paths that may be configuration files and that no pattern leaves out."""
    excluded = discover.Excluded(limits)
    return [path for path in paths if worth_reading(path) and not excluded(path, top)]


def _read(path: str, limits: DiscoverOptions) -> bytes | None:
    data = discover.read(discover.Target(path), limits.max_size_of(path), lambda _data, _path: True)
    return None if isinstance(data, Failure) else data
