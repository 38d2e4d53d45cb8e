"""Git for the repositories of one run; what starts git is loaded where a run meets one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ccmcheck.base.errors import GitUnavailable
from ccmcheck.base.repository_paths import find_repository

if TYPE_CHECKING:
    from ccmcheck.workspace.git import Git


class Repositories:
    """Git for the repositories of one run, each set up once.

    Attributes:
        notes: Why git could not be used where there is a repository.
    """

    def __init__(self, *, upstreams: bool = False) -> None:
        self.notes: list[str] = []
        self._upstreams = upstreams
        self._by_top: dict[str, Git | GitUnavailable] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for git in self._by_top.values():
            if not isinstance(git, GitUnavailable):
                git.close()

    def of(self, folder: str) -> Git | None:
        """Git for the repository of a folder; None where it is in none.

        Args:
            folder: The folder.

        Raises:
            GitUnavailable: It is in one, but git cannot be used.
        """
        paths = find_repository(folder)
        if paths is None:
            return None
        if paths.top not in self._by_top:
            from ccmcheck.workspace.git import Git

            try:
                self._by_top[paths.top] = Git(paths, upstreams=self._upstreams)
            except GitUnavailable as error:
                self._by_top[paths.top] = error
        git = self._by_top[paths.top]
        if isinstance(git, GitUnavailable):
            raise git
        return git

    def required(self, folder: str) -> Git:
        """The same where there must be one.

        Raises:
            GitUnavailable: There is none, or git cannot be used.
        """
        git = self.of(folder)
        if git is None:
            raise GitUnavailable(f"`{folder}` is in no git repository")
        return git
