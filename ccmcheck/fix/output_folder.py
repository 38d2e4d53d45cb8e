"""Writes changed files below another folder, each under a path of its own, and never two under the same path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ccmcheck.base.atomic_write import make_folder, readable_by_others, replace
from ccmcheck.base.errors import InputError
from ccmcheck.base.text import encode


class OutputFolder:
    """Gives each file of a run its path below a folder.

    A file below the current folder keeps its path from there; the others keep theirs from the deepest folder that
    holds all of them.

    Args:
        folder: The folder to write to.
        paths: All files of the run, as the user named them.
    """

    def __init__(self, folder: str, paths: Iterable[str]) -> None:
        self._folder = folder
        paths = list(paths)
        self._read = {os.path.realpath(path): path for path in paths}
        self._common = _common_folder(path for path in paths if _from_here(path) is None)
        self._written: dict[str, str] = {}

    def target(self, path: str) -> str:
        """The path that a file gets.

        Args:
            path: One of the files of the run.

        Raises:
            InputError: Another file has that path already, or is read from there.
        """
        relative = _from_here(path)
        if relative is None:
            relative = _relative(path, self._common) or os.path.basename(path)
        target = os.path.join(self._folder, relative)
        place = os.path.realpath(target)
        other = self._written.get(place) or self._read.get(place, path)
        if other != path:
            raise InputError(
                f"{path} would be written to {target}, where {other} is already",
                "Write them to different folders, in runs of their own.",
            )
        return target

    def write(self, path: str, text: str) -> Iterator[str]:
        """Write the new text of a file; one with that name is replaced and keeps its mode.

        Args:
            path: One of the files of the run.
            text: Its new text.

        Returns:
            What the user should know, a sentence each.

        Raises:
            InputError: It cannot be written.
        """
        target = self.target(path)
        make_folder(os.path.dirname(target))
        notes = replace(target, encode(text))
        self._written[os.path.realpath(target)] = path
        yield from notes
        exposed = readable_by_others(target)
        if exposed and _may_hold_secret(text):
            yield exposed


def _may_hold_secret(text: str) -> bool:
    from ccmcheck.redact.masker import Masker

    return bool(Masker(text).spans)


def _from_here(path: str) -> str | None:
    """The path of a file from the current folder; None where it is not below it."""
    return _relative(path, os.curdir)


def _relative(path: str, folder: str) -> str | None:
    try:
        relative = os.path.normpath(os.path.relpath(path, folder))
    except ValueError:  # another drive of Windows
        return None
    return None if relative == os.pardir or relative.startswith(os.pardir + os.sep) else relative


def _common_folder(paths: Iterable[str]) -> str:
    folders = [os.path.dirname(os.path.abspath(path)) for path in paths]
    try:
        return os.path.commonpath(folders) if folders else os.curdir
    except ValueError:  # several drives of Windows
        return os.curdir
