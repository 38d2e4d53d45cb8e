"""The revision that configuration, baseline and suppressions are taken from, so that a change cannot weaken them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import Self

from ccmcheck.base.boundary import PACKAGE, is_within
from ccmcheck.base.errors import GitUnavailable, InputError, WrongUse
from ccmcheck.base.open_input import NotInRevision, read_here
from ccmcheck.base.repository_paths import find_repository
from ccmcheck.workspace.git import Git
from ccmcheck.workspace.tree_listing import PlainFile, plain_files

_MOST_BYTES = 64 * 1024 * 1024
_OPTION = "--config-from"
_SHARED = "pyproject.toml"
"""The file that other tools are configured by, too."""


class BaseRevision:
    """A revision of the repository around a path.

    Args:
        revision: Its name.
        start: A file or folder of the repository.

    Raises:
        WrongUse: There is no repository, no git that can be used, or no such revision.
    """

    def __init__(self, revision: str, start: str) -> None:
        self.revision = revision
        folder = start if os.path.isdir(start) else os.path.dirname(start) or os.curdir
        paths = find_repository(folder)
        if paths is None:
            raise WrongUse(f"`{folder}` is in no git repository, so {_OPTION} has no revision `{revision}`")
        self._top = paths.top
        try:
            self._git = Git(paths, upstreams=True)
        except GitUnavailable as error:
            raise WrongUse(f"{_OPTION} needs git: {error.message}") from None
        tree = self._git.lines(self._top, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}")
        if not tree:
            self._git.close()
            raise WrongUse(
                f"git knows no revision `{revision}`",
                "In a shallow clone, fetch it first: git fetch origin main, or fetch-depth: 0 in a workflow.",
            )
        self._tree = tree[0].strip()
        self._configuration: dict[str, bytes | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._git.close()

    @cached_property
    def _files(self) -> dict[str, PlainFile]:
        """The plain files of the revision, by their paths from the top."""
        found = plain_files(self._git, self._top, self._tree)
        if found is None:
            raise WrongUse(f"git cannot list the files of `{self.revision}`")
        return found

    def read(self, path: str) -> bytes | None:
        """A file's bytes at the revision; None where it has none.

        Args:
            path: The file in the work tree, which need not be there.

        Raises:
            InputError: The repository lacks its contents, or it is too large.
        """
        name = self._name(path)
        file = self._files.get(name) if name is not None else None
        if file is None:
            return None
        if file.size > _MOST_BYTES:
            raise InputError(f"{file.size:,} bytes are more than the limit of {_MOST_BYTES:,}")
        return next(iter(self._git.blobs([file.blob])))

    def read_configuration(self, path: str) -> bytes | None:
        """The same for a file that configures the run; see `ignored_changes`."""
        data = self.read(path)
        if self.covers(path):
            self._configuration[path] = data
        return data

    def ignored_changes(self) -> Iterator[str]:
        """Which files that configure the run differ in the work tree, which does not count."""
        for path, data in sorted(self._configuration.items()):
            try:
                here = read_here(path)
            except (OSError, InputError):
                here = None
            if _own(path, here) != _own(path, data):
                what = "is new" if data is None else "differs" if here is not None else "is gone"
                yield f"{path} {what} since {self.revision}, whose configuration holds"

    def read_or_refuse(self, path: str) -> bytes | None:
        """The same for a file that configures the run: None only where it lies outside of the repository.

        Raises:
            NotInRevision: It lies in the repository, and the revision has none.
        """
        # built-in profiles are ours, also where ccmcheck is installed inside the repository
        if is_within(os.path.abspath(path), PACKAGE):
            return None
        data = self.read_configuration(path)
        if data is None and self._name(path) is not None:
            raise NotInRevision(2, f"it is not in {self.revision}", path)
        return data

    def covers(self, path: str) -> bool:
        """Whether a path lies in the repository, whether or not the revision has it."""
        return self._name(path) is not None

    def _name(self, path: str) -> str | None:
        """A path from the top on; None for one outside of the repository."""
        # as it is written first: a change may have turned a folder on the way into a link
        whole = os.path.abspath(path)
        for candidate in (whole, os.path.join(os.path.realpath(os.curdir), path), os.path.realpath(path)):
            if is_within(os.path.normpath(candidate), self._top):
                name = os.path.relpath(os.path.normpath(candidate), self._top).replace(os.sep, "/")
                return None if name.startswith(".git/") else name  # git's own files are in no revision
        return None


def _own(path: str, data: bytes | None) -> object:
    """What of a file is ccmcheck's: of pyproject.toml its own table alone."""
    if data is None or not path.endswith(_SHARED):
        return data
    import tomllib

    try:
        return tomllib.loads(data.decode()).get("tool", {}).get("ccmcheck")
    except (ValueError, AttributeError):
        return data
