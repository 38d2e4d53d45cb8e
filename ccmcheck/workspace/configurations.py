"""The configurations of one run: the nearest one of each file, and that of the place of invocation."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.escape import printable
from ccmcheck.base.globs import matches
from ccmcheck.base.paths import UNNAMED, AbsolutePaths, split
from ccmcheck.workspace.config import ANY_NAME, NO_CONFIG, OWN_FILE, Config, KnownNames
from ccmcheck.workspace.find_config import is_top, load_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.workspace.base_revision import BaseRevision


class Configurations:
    """Finds the configuration of each file of a run; each is read once.

    Args:
        known: Gives the names that configurations may use; most runs have no configuration and need none of them.
        base: A revision to look in instead of the work tree.
        for_all: The configuration of every file, where the user names one, or none.
    """

    def __init__(
        self,
        known: Callable[[], KnownNames] = lambda: ANY_NAME,
        *,
        base: BaseRevision | None = None,
        for_all: Config | None = None,
    ) -> None:
        self._known = known
        self._base = base
        self._for_all = for_all
        self._absolute = AbsolutePaths()
        self._by_folder: dict[str, Config] = {}
        self._overridden: dict[tuple[str, tuple[int, ...]], Config] = {}
        self._checked: set[str] = set()
        self._excluded: dict[tuple[str, str], bool] = {}
        # by folders as they are written: a run has many files, each of which is asked about several times
        self._settled: dict[tuple[str, str], bool | None] = {}
        self._same_for_all: dict[str, Config] = {}

    @cached_property
    def of_run(self) -> Config:
        """The configuration at the place of invocation, which alone may say what concerns the whole run."""
        return self._for_all if self._for_all is not None else self._nearest(os.path.abspath(os.curdir))

    def of(self, path: str) -> Config:
        """The configuration of a file, with its overrides for that file; the same object for the same values.

        Raises:
            BadConfiguration: It cannot be used, or has an option that concerns the whole run.
        """
        written = path[: path.rfind("/") + 1]
        known = self._same_for_all.get(written)
        if known is not None and path[len(written) :] not in UNNAMED:
            return known
        config = self._of_folder(self._absolute.folder_of(path))
        if not config.overrides:
            if path[len(written) :] not in UNNAMED and not os.altsep:
                self._same_for_all[written] = config
            return config
        numbers = config.overriding(_relative(self._absolute(path), config.root))
        found_config = self._overridden.get((config.source, numbers))
        if found_config is None:
            found_config = self._overridden[config.source, numbers] = config.overridden(numbers)
        return found_config

    def of_all(self, paths: Sequence[str]) -> Config:
        """The configuration nearest to several files and folders, for what they have in common.

        Raises:
            BadConfiguration: See `of`.
        """
        if not paths:
            return self.of_run
        if len(set(paths)) == 1 and not os.path.isdir(paths[0]):
            return self.of(paths[0])
        folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
        return self._of_folder(os.path.commonpath(folders))

    def max_size(self, path: str) -> int | None:
        """The largest file that is read, as the configuration of a file says; None where it says nothing."""
        return self.of(path).max_file_size

    def excludes(self, path: str, top: str) -> bool:
        """Whether configurations leave out a file or folder.

        Each folder is judged by the configuration that holds around it, before its own one is read.

        Args:
            path: The file or folder.
            top: The folder that the user named, which is not left out.

        Raises:
            BadConfiguration: See `of`.
        """
        if self._for_all is not None and not self._for_all.exclude:
            return False
        written, name = split(path)
        key = written, top
        if name in UNNAMED:
            settled = self._settle(path, top)
        elif key in self._settled:
            settled = self._settled[key]
        else:
            settled = self._settled[key] = self._settle(path, top)
        return self._matches(path) if settled is None else settled

    def _settle(self, path: str, top: str) -> bool | None:
        """Whether all that is in the folder of a path is left out, or nothing of it; None where its patterns decide."""
        own, top = self._absolute.folder_of(path), self._absolute.of_folder(top)
        folder, waiting = own, []
        while folder != top and (top, folder) not in self._excluded and os.path.dirname(folder) != folder:
            waiting.append(folder)
            folder = os.path.dirname(folder)
        found = self._excluded.get((top, folder), False)
        for below in reversed(waiting):
            found = found or self._matches(below)
            self._excluded[top, below] = found
        if found:
            return True
        return None if self._of_folder(own).exclude else False

    def _matches(self, path: str) -> bool:
        config = self._of_folder(self._absolute.folder_of(path))
        if not config.exclude:
            return False
        relative = _relative(self._absolute(path), config.root)
        return any(matches(pattern, relative) for pattern in config.exclude)

    def _of_folder(self, folder: str) -> Config:
        if self._for_all is not None:
            return self._for_all
        config = self._nearest(folder)
        if config is not NO_CONFIG and config.source not in self._checked:
            if config is not self.of_run:
                self._refuse_what_concerns_the_run(config)
            self._checked.add(config.source)
        return config

    def _nearest(self, folder: str) -> Config:
        """The nearest configuration upward from a folder."""
        config = self._by_folder.get(folder)
        waiting = []
        while config is None:
            waiting.append(folder)
            config = load_in(folder, self._known, base=self._base)
            if config is None and is_top(folder):
                config = NO_CONFIG
            folder = os.path.dirname(folder)
            config = self._by_folder.get(folder) if config is None else config
        for one in waiting:
            self._by_folder[one] = config
        return config

    def _refuse_what_concerns_the_run(self, config: Config) -> None:
        """Refuse an option that only the configuration at the place of invocation may have."""
        from ccmcheck.workspace.config_options import WHOLE_RUN

        written = (config.origins.get((name,)) for name in WHOLE_RUN)
        origin = next((one for one in written if one is not None and one.path == config.source), None)
        run = self.of_run
        if origin is None or origin.path in run.extends or _is_same(config.source, run.source):
            return
        place = run.source or os.path.join(os.path.abspath(os.curdir), OWN_FILE)
        line = f":{origin.line}" if origin.line else ""
        raise BadConfiguration(
            printable(f"{origin.path}{line}: `{origin.words[0]}` concerns the whole run, and this file a part of it."),
            printable(f"Move it to {place}, which holds where ccmcheck was started, or name one with --config."),
        )


def _relative(whole: str, root: str) -> str:
    return os.path.relpath(whole, root).replace(os.sep, "/")


def _is_same(one: str, other: str) -> bool:
    """Whether two names lead to one file; one may go through a link."""
    return bool(other) and os.path.realpath(one) == os.path.realpath(other)
