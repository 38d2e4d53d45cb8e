"""Which of the files around another speak for it: tests, an Ansible role's defaults and pages are for themselves.

Many files may lie around many folders, so that the files of a level are looked through once for all that ask.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH120

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import upward
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.embedded.languages import is_document
from ccmcheck.policy.examples import is_test, is_test_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ROLE = lazy_regex(r"(?P<role>.*/roles/.*?[^/])/(?:defaults|vars)/")


class FileKind(NamedTuple):
    """What a file is by its path.

    Attributes:
        is_test: Whether it belongs to tests.
        is_test_data: Whether it is what a test reads.
        is_page: Whether it is a document, which is about what it shows itself.
    """

    is_test: bool
    is_test_data: bool
    is_page: bool

    @classmethod
    def of(cls, path: str, top: str) -> FileKind:
        """That of a file below a folder, both as absolute paths."""
        inner = path[len(top) :]
        return cls(is_test(inner), is_test_data(inner), is_document(path))

    def speaks_for(self, other: FileKind) -> bool:
        """Whether what such a file says may be about another."""
        if self.is_page and other.is_page:
            return False
        return not (self.is_test and not other.is_test) and not (other.is_test_data and not self.is_test_data)


class Neighbours:
    """The files around others that speak for them.

    Args:
        files_in: Gives the files directly in a folder, or, with true, all below it.
        top: The outermost folder; empty for none.
    """

    def __init__(self, files_in: Callable[[str, bool], Iterable[str]], top: str) -> None:
        self._files_in = files_in
        self._top = top
        self._grouped: dict[tuple[str, bool, FileKind], dict[str, list[tuple[int, str]]]] = {}

    def of(self, path: str, folder: str, kind: FileKind, *, is_deeper: bool) -> Iterator[str]:
        """The files of a level that speak for a file, in their order; the file itself is none of them.

        Args:
            path: The file.
            folder: One around it.
            kind: That of the file.
            is_deeper: Whether the files below the folder are meant, instead of those directly in it.
        """
        by_role = self._by_role(folder, kind, is_deeper=is_deeper)
        if not by_role:
            return iter(())
        roles = ("", *upward(os.path.dirname(path), self._top))
        from heapq import merge

        found = merge(*(by_role[role] for role in roles if role in by_role))
        return (file for _, file in found if file != path)

    def _by_role(self, folder: str, kind: FileKind, *, is_deeper: bool) -> dict[str, list[tuple[int, str]]]:
        """The files of a level that speak for such files, by the role that they are for alone, with their order."""
        key = folder, is_deeper, kind
        if key not in self._grouped:
            grouped = self._grouped[key] = {}
            for number, file in enumerate(self._files_in(folder, is_deeper)):
                if FileKind.of(file, self._top).speaks_for(kind):
                    role = _ROLE.match(file)
                    grouped.setdefault(role["role"] if role is not None else "", []).append((number, file))
        return self._grouped[key]
