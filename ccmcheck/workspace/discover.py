"""From arguments to files: what a run looks at, and the bytes of those that are worth it.

Inside git the list is git's own, so that ignored files stay out as expected; elsewhere folders are walked.
A link found in a folder is not followed: what it leads to is found where it lies, once, and no loop can catch the walk.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from ccmcheck.base.boundary import HINT, LeadsOut, leads_out
from ccmcheck.base.errors import GitUnavailable, InputError
from ccmcheck.base.globs import matches
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.open_input import NotAFile, open_regular, read_all, too_large
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import may_be_log, worth_parsing, worth_reading
from ccmcheck.catalog.signs.paths import is_example
from ccmcheck.workspace.repositories import Repositories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ccmcheck.workspace.changed_files import ChangedFiles
    from ccmcheck.workspace.configurations import Configurations
    from ccmcheck.workspace.git import Git

DEFAULT_MAX_SIZE = 10 * 1024 * 1024
"""Bytes; a repository's configuration files are a thousand times smaller."""

_SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".terraform", ".tox", "node_modules", "__pycache__", ".mypy_cache", ".ruff_cache"}
)
_UNLISTED = lazy_regex(r"\A/|/\Z|(?:\A|/)\.\.(?:/|\Z)")
"""A name out of a git index that is that of no file below the folder."""
_VIRTUALENV = "pyvenv.cfg"

_FIRST_LOOK = 1024 * 1024
"""Bytes of an oversized file that are searched before it is silently ignored."""

_GLOB_SIGNS = frozenset("*?[")


class DiscoverReport:
    """What there is to say of a search for files.

    Attributes:
        notes: A line for each repository that is walked because git cannot be used.
        excluded: How many files and folders a pattern left out.
        left_out: The files that are examples or test data by their names (`ccmcheck.catalog.signs.paths`).
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.excluded = 0
        self.left_out: list[str] = []


class DiscoverOptions(NamedTuple):
    """What narrows a run.

    Attributes:
        exclude: Patterns of paths to leave out (`ccmcheck.base.globs`); a file named by the user is read all the same.
        default_exclude: Whether examples and test data are left out of folders, where a configuration does not say.
        root: The folder that the patterns are relative to; the current one when empty.
        diff_base: Only files that differ from this revision's merge base with HEAD; all files when empty.
        max_size: Bytes above which a file is not read.
        max_size_wins: Whether ``max_size`` holds whatever the configuration of a file says.
        configurations: What the configurations of the files say about them; they add to the above.
        report: Gets what there is to say of the search.
    """

    exclude: tuple[str, ...] = ()
    root: str = ""
    default_exclude: bool = True
    diff_base: str = ""
    max_size: int = DEFAULT_MAX_SIZE
    max_size_wins: bool = False
    configurations: Configurations | None = None
    report: DiscoverReport | None = None

    def leaves_out(self, path: str, inner: str) -> bool:
        """Whether a file is left out as an example or test data.

        Args:
            path: The file.
            inner: The same from the folder that the user named.
        """
        if not is_example(inner):
            return False
        configured = self.configurations.of(path).default_exclude if self.configurations is not None else None
        return self.default_exclude if configured is None else configured

    def max_size_of(self, path: str) -> int:
        """Bytes above which one file is not read."""
        if self.configurations is None or self.max_size_wins:
            return self.max_size
        return self.configurations.max_size(path) or self.max_size


_EVERYTHING = DiscoverOptions()


class Target(NamedTuple):
    """One file to look at.

    Attributes:
        path: As the user named it, or the folder the user named and the way down from it.
        explicit: True when the user named the file itself.
    """

    path: str
    explicit: bool = False


def discover(paths: Sequence[str], options: DiscoverOptions = _EVERYTHING) -> Iterator[Target | Failure]:
    """List the files of a run, each once.

    Args:
        paths: Files, folders and glob patterns, as given on the command line.
        options: What to leave out.

    Yields:
        Files in the order of the arguments, those of a folder in git's order, or in that of their names where it is
        walked; a `Failure` for an argument that is not there or cannot be listed.

    Raises:
        WrongUse: ``diff_base`` is given and there is no git, no repository or no such revision.
    """
    with Repositories(upstreams=bool(options.diff_base)) as repositories:
        changed = None
        if options.diff_base:
            from ccmcheck.workspace.changed_files import ChangedFiles

            changed = ChangedFiles(options.diff_base, repositories)
        yield from _Listing(options, repositories, changed).of(paths)


def read(
    target: Target, max_size: int = DEFAULT_MAX_SIZE, worth: Callable[[bytes, str], bool] = worth_parsing
) -> bytes | Failure | None:
    """Read one file, if it is worth reading.

    Args:
        target: The file.
        max_size: Bytes above which it is not read.
        worth: Whether a file of a folder may hold what is looked for, by its bytes and its path.

    Returns:
        Its bytes; None for a file of a folder that is not worth it, is no plain file, or is gone; a `Failure`
        when it cannot be read.
    """
    path, explicit = target
    try:
        return _bytes_of(path, max_size) if explicit else _bytes_if_worth(path, max_size, worth)
    except InputError as error:
        return Failure(path, error.message, error.hint)
    except OSError as error:
        return Failure(path, _words(error))


def within(name: str, data: bytes, max_size: int = DEFAULT_MAX_SIZE) -> bytes | Failure:
    """Standard input, if it is not over the limit.

    Args:
        name: What to call it.
        data: What was read of it: one byte more than ``max_size`` where it has more.
        max_size: Bytes above which it is not looked at.
    """
    if len(data) <= max_size:
        return data
    return Failure(
        name, f"this is more than the limit of {max_size:,} bytes; it was not read", "Raise the limit with --max-size."
    )


def _bytes_of(path: str, max_size: int) -> bytes:
    """Read a file that the user named."""
    try:
        opened, size = open_regular(path)
    except NotAFile as error:
        raise InputError(error.message, "Give `-` to read standard input.") from None
    try:
        return read_all(opened, size, max_size)
    finally:
        os.close(opened)


def _bytes_if_worth(path: str, max_size: int, worth: Callable[[bytes, str], bool]) -> bytes | None:
    try:
        opened, size = open_regular(path, follow=False)
    except (FileNotFoundError, NotAFile, LeadsOut):
        return None  # deleted since git listed it; a submodule's folder, a pipe; behind a link that the index has not
    except OSError:
        if os.path.islink(path):
            return None
        raise
    try:
        if size > max_size:
            start = os.read(opened, _FIRST_LOOK)
            if worth(start, path) and not may_be_log(start, path):
                raise too_large(size, max_size)
            return None
        data = read_all(opened, size, max_size)
    finally:
        os.close(opened)
    return data if worth(data, path) else None


def _words(error: OSError) -> str:
    """The system's own words without its number and without the path, which stands beside them anyway."""
    return f"cannot be read: {(error.strerror or type(error).__name__).lower()}"


def _is_folder(mode: int | None) -> bool:
    return mode is not None and stat.S_ISDIR(mode)


def _expanded(paths: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """Each argument with its mode, patterns that are no file's name expanded; None where there is nothing."""
    for path in paths:
        mode = _mode(path)
        if mode is not None or _GLOB_SIGNS.isdisjoint(path):
            yield path, mode
            continue
        from glob import glob

        yield from ((one, _mode(one)) for one in sorted(glob(path, recursive=True)) or [path])


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


def _once(targets: Iterable[Target | Failure], seen: set[str]) -> Iterator[Target | Failure]:
    """Targets without those that were seen, by their whole paths."""
    for target in targets:
        whole = os.path.abspath(target.path) if isinstance(target, Target) else ""
        if not whole or whole not in seen:
            seen.add(whole)
            yield target


class Excluded:
    """The patterns that leave files out, asked with paths as they are listed.

    Args:
        options: Hold the patterns, and the folder that they are relative to.
    """

    def __init__(self, options: DiscoverOptions) -> None:
        self.patterns = options.exclude
        self._configurations = options.configurations
        self.root = os.path.abspath(options.root or os.curdir)

    def __call__(self, path: str, top: str = os.curdir) -> bool:
        """Whether a path is left out.

        Args:
            path: The path.
            top: The folder that the user named.
        """
        if self.patterns:
            relative = os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")
            if any(matches(pattern, relative) for pattern in self.patterns):
                return True
        return self._configurations is not None and self._configurations.excludes(path, top)


class _Listing:
    """Lists the files of a run.

    Args:
        options: What to leave out.
        repositories: Git for the repositories of the run.
        changed: The files to keep; None for all.
    """

    def __init__(self, options: DiscoverOptions, repositories: Repositories, changed: ChangedFiles | None) -> None:
        self._patterns = Excluded(options)
        self._options = options
        self._report = options.report if options.report is not None else DiscoverReport()
        self._repositories = repositories
        self._changed = changed

    def _excluded(self, path: str, top: str) -> bool:
        excluded = self._patterns(path, top)
        self._report.excluded += excluded
        return excluded

    def _keeps(self, path: str, top: str, inner: str) -> bool:
        """Whether neither a pattern nor its name leaves a file out."""
        if self._excluded(path, top):
            return False
        if is_example(inner) and self._options.leaves_out(path, inner):
            self._report.left_out.append(path)
            return False
        return True

    def of(self, paths: Sequence[str]) -> Iterator[Target | Failure]:
        """See `discover`."""
        changed = self._changed
        arguments = list(_expanded(paths))
        seen: set[str] | None = {os.path.abspath(path) for path, mode in arguments if not _is_folder(mode)}
        if len(arguments) == 1:
            seen = None  # one argument cannot lead to the same file twice
        given: set[str] = set()
        for path, mode in arguments:
            if mode is None:
                yield Failure(path, "there is no such file or folder")
            elif not stat.S_ISDIR(mode):
                whole = os.path.abspath(path)
                if whole not in given and (changed is None or changed.has(path)):
                    given.add(whole)
                    yield Target(path, explicit=True)
            elif top := leads_out(path):
                yield Failure(path, f"it leads out of {top}", HINT)
            else:
                yield from self._below(path) if seen is None else _once(self._below(path), seen)

    def _below(self, folder: str) -> Iterator[Target | Failure]:
        names = self._changed.below(folder) if self._changed is not None else self._listed_by_git(folder)
        if names is None:
            yield from self._walk(folder)
        else:
            yield from self._targets(folder, names)

    def _targets(self, folder: str, names: Sequence[str], top: str = "") -> Iterator[Target]:
        top = top or folder
        prefix = _prefix(folder)
        inner = len(_prefix(top))
        for name in dict.fromkeys(names):  # a file in conflict is listed once a side
            path = prefix + name
            is_file = worth_reading(name) and _UNLISTED.search(name) is None
            if is_file and self._keeps(path, top, path[inner:]):
                yield Target(path)

    def _listed_by_git(self, folder: str) -> list[str] | None:
        """The files of a folder by git; None without git or a repository, and where git ignores all of it."""
        try:
            git = self._repositories.of(folder)
            return _names(git, folder) if git is not None else None
        except GitUnavailable as error:
            self._report.notes.append(f"{folder} was walked without git, ignored files included: {error.message}")
            return None

    def _walk(self, folder: str) -> Iterator[Target | Failure]:
        waiting = [folder]
        inner = len(_prefix(folder))
        while waiting:
            current = waiting.pop()
            try:
                with os.scandir(current) as entries:
                    listed = sorted(entries, key=_name_of)
            except OSError as error:
                yield Failure(current, _words(error))
                continue
            names = {entry.name for entry in listed} if current != folder else frozenset()
            if _VIRTUALENV in names:
                continue
            if ".git" in names:  # a folder of repositories: each is listed by its own rules
                listed_by_git = self._listed_by_git(current)
                if listed_by_git is not None:
                    yield from self._targets(current, listed_by_git, folder)
                    continue
            prefix = _prefix(current)
            deeper = []
            for entry in listed:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _SKIPPED_FOLDERS and not self._excluded(path, folder):
                        deeper.append(path)
                elif (
                    worth_reading(path[inner:])
                    and entry.is_file(follow_symlinks=False)
                    and self._keeps(path, folder, path[inner:])
                ):
                    yield Target(path)
            waiting.extend(reversed(deeper))


def _prefix(folder: str) -> str:
    """What the paths of the files in a folder begin with."""
    return "" if folder == os.curdir else os.path.join(folder, "")


def is_listed(name: str) -> bool:
    """Whether a name out of a git index is that of a file below the folder; no index is checked by git."""
    return _UNLISTED.search(name) is None


def _names(git: Git, folder: str) -> list[str] | None:
    names = git.lines(folder, "ls-files", "-co", "--exclude-standard", "-z")
    if names == [] and git.lines(folder, "check-ignore", "-q", ".") is not None:
        return None  # git ignores it as a whole, but the user asks for it by name
    return names


def _name_of(entry: os.DirEntry[str]) -> str:
    return entry.name
