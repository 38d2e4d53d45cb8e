"""Which of the files around another speak for it: test data, an Ansible role's defaults and pages are for themselves.

Many files may lie around many folders, so that the files of a level are looked through once for all that ask.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import upward
from ccmcheck.catalog.signs.paths import is_apart, is_document

_ROLE = lazy_regex(r"(?P<role>.*/roles/.*?[^/])/(?:defaults|vars)/")


class Neighbours:
    """The files around others that speak for them.

    Args:
        files_in: Gives the files directly in a folder, or, with true, all below it.
        top: The outermost folder; empty for none.
    """

    def __init__(self, files_in: Callable[[str, bool], Iterable[str]], top: str) -> None:
        self._files_in = files_in
        self._top = top
        self._grouped: dict[tuple[str, bool, bool], dict[str, list[tuple[int, str]]]] = {}

    def of(self, path: str, folder: str, *, is_deeper: bool) -> Iterator[str]:
        """The files of a level that speak for a file, in their order; the file itself is none of them.

        Args:
            path: The file.
            folder: One around it.
            is_deeper: Whether the files below the folder are meant, instead of those directly in it.
        """
        by_role = self._by_role(folder, is_document(path), is_deeper=is_deeper)
        if not by_role:
            return iter(())
        roles = ("", *upward(os.path.dirname(path), self._top))
        from heapq import merge

        found = merge(*(by_role[role] for role in roles if role in by_role))
        return (file for _, file in found if file != path)

    def _by_role(self, folder: str, is_page: bool, *, is_deeper: bool) -> dict[str, list[tuple[int, str]]]:
        """The files of a level that speak for pages or others, by the role that they are for alone, with their order.

        What a page shows is about that page and about what is none. Test data speak for what lies in the same folder of
        them, whatever the folders around that are called.
        """
        key = folder, is_page, is_deeper
        if key not in self._grouped:
            grouped = self._grouped[key] = {}
            for number, file in enumerate(self._files_in(folder, is_deeper)):
                if not (is_apart(file[len(folder) :]) or (is_page and is_document(file))):
                    role = _ROLE.match(file)
                    grouped.setdefault(role["role"] if role is not None else "", []).append((number, file))
        return self._grouped[key]
