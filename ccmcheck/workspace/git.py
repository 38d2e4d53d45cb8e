"""Git for a repository, so that nothing in the checkout can make git start a program.

Git runs what a repository's configuration names: fsmonitor, filters, a partial clone's uploadpack, pagers, aliases. The
names of some of those settings are free (``filter.<name>.clean``), so they cannot be switched off one by one. Git
therefore never sees the repository's own configuration. It gets a git directory of ours, in the temporary folder, whose
configuration holds the few settings that say how the objects are stored, and which leads to the repository's objects,
refs and index (`git_directory`). The repository is found by a ``.git`` folder or file (`repository_paths`); git never
searches, so that a folder that merely looks like a bare repository is none. Attributes and ignore files of the checkout
count, but no command used here converts contents: files of the work tree are hashed here, as they are.

The user's own configuration (``~/.gitconfig``, the system's) is trusted; ``-c`` still switches off what it may start.

Why not dulwich: it would be read by the same rules, but its ignore files differ from git's in details, it has no
reftable and no split or sparse index, and importing it takes longer than this lists a repository.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Self

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import open_regular, read_all
from ccmcheck.base.repository_paths import RepositoryPaths
from ccmcheck.workspace.git_directory import GitDirectory
from ccmcheck.workspace.git_program import (
    checked_program,
    objects,
    run,
)

_NO_MATCH = 1
"""The exit code of ``git grep`` where no file matches."""


class Git:
    """Git for one repository.

    Args:
        paths: Where the repository is.
        upstreams: Whether ``@{upstream}`` is to be understood.

    Raises:
        GitUnavailable: There is no git, it is too old, or its own folder cannot be made.
    """

    def __init__(self, paths: RepositoryPaths, *, upstreams: bool = False) -> None:
        self.paths = paths
        self._directory = GitDirectory(checked_program(), paths, upstreams=upstreams)

    @property
    def object_format(self) -> str:
        """What objects are hashed with."""
        return self._directory.object_format

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the git directory of ours."""
        self._directory.remove()

    def lines(self, folder: str, *arguments: str) -> list[str] | None:
        """Run git in a folder of the work tree.

        Args:
            folder: The folder.
            arguments: A command that reads, with its arguments.

        Returns:
            Its output cut at NULs; None where it failed.

        Raises:
            GitUnavailable: It took too long.
        """
        output = self._run(folder, *arguments)
        return None if output is None else [os.fsdecode(part) for part in output.split(b"\0") if part]

    def _run(self, folder: str, *arguments: str, fine: tuple[int, ...] = (0,)) -> bytes | None:
        command = self._directory.command(folder, *arguments)
        return run(command, folder, self._directory.environment(), fine=fine, paths=self.paths)

    def files_with(self, texts: Sequence[str], tree: str = "") -> list[str] | None:
        """The files that say one of some texts, by their paths from the top: tracked ones, and others not ignored.

        Args:
            texts: What they say, taken literally.
            tree: A revision's tree to search instead of the work tree.

        Returns:
            The paths; None where git cannot tell.

        Raises:
            GitUnavailable: It took too long.
        """
        where = (tree,) if tree else ("--untracked", "--exclude-standard")
        command = ("grep", "-l", "-z", "-F", "--no-color", "--no-recurse-submodules", "--full-name")
        patterns = [part for text in texts for part in ("-e", text)]
        output = self._run(self.paths.top, *command, *patterns, *where, "--", fine=(0, _NO_MATCH))
        if output is None:
            return None
        names = [os.fsdecode(part) for part in output.split(b"\0") if part]
        return [name.removeprefix(f"{tree}:") for name in names] if tree else names

    def blobs(self, names: Sequence[str]) -> Iterator[bytes]:
        """The contents of objects, one after another, through one process.

        Args:
            names: Their hashes.

        Raises:
            InputError: The repository lacks one.
            GitUnavailable: It took too long.
        """
        if names:
            command = self._directory.command(self.paths.top, "cat-file", "--batch")
            yield from objects(command, self.paths.top, self._directory.environment(), names)

    def hash_of(self, path: str) -> str | None:
        """The hash that a file of the work tree has as a blob, without filters; None where it is no plain file.

        Args:
            path: The file.
        """
        import hashlib

        try:
            opened, size = open_regular(path, follow=False)
        except (OSError, InputError):
            return None
        try:
            digest = hashlib.new(self.object_format, usedforsecurity=False)
            digest.update(b"blob %d\0" % size)
            while data := os.read(opened, 1 << 20):
                digest.update(data)
        except OSError:
            return None
        finally:
            os.close(opened)
        return digest.hexdigest()

    def hash_with_lf(self, path: str, limit: int) -> str | None:
        """The same with every CR LF as LF, as ``core.autocrlf`` commits it; None above a limit, or without any.

        Args:
            path: The file.
            limit: The most bytes.
        """
        import hashlib

        try:
            opened, size = open_regular(path, follow=False)
        except (OSError, InputError):
            return None
        try:
            data = read_all(opened, size, limit)
        except (OSError, InputError):
            return None
        finally:
            os.close(opened)
        if b"\r\n" not in data:
            return None
        data = data.replace(b"\r\n", b"\n")
        return hashlib.new(self.object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
