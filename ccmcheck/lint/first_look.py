"""The first look at the files of a run, in parallel: which are worth linting, and what others may need of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import names_values, needed_by_other_files
from ccmcheck.lint import parallel
from ccmcheck.workspace.discover import DiscoverOptions, Target, read
from ccmcheck.workspace.read_files import StandardInput, SurveyedFile, list_files
from ccmcheck.workspace.related_files import Hints, hints_of

KEPT_BYTES = 16 * 1024 * 1024
"""How many bytes are kept for linting; the other files are read once more."""

KEPT_BYTES_OF_FILE = 64 * 1024
"""How many of one file, where they have to come from another process."""

_AS_LONG_AS_ONE_LINT = 4
"""How many looks take as long as linting a file; a fork has to pay for itself."""


class Look(NamedTuple):
    """What a first look at a file that is worth linting shows.

    Attributes:
        file: The file, with its bytes where they were kept.
        hints: What the rules about Services may need of it.
        is_shared: Whether the rules about other files may need something of it.
        names_values: Whether it may say which values of a chart are laid over one another.
    """

    file: SurveyedFile
    hints: Hints = Hints()
    is_shared: bool = False
    names_values: bool = False


def first_looks(
    paths: Sequence[str], options: DiscoverOptions, stdin: StandardInput | None, jobs: int | None
) -> Iterator[Look | Target | Failure]:
    """Look at the files of a run, in their order: of one that is not worth linting, itself.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What narrows them.
        stdin: Standard input, where ``-`` is among the paths.
        jobs: How many processes; None to decide.

    Raises:
        WrongUse: A revision that git does not know, and the like.
    """
    found = list(list_files(paths, options, stdin))
    # the limit of each is found before any fork: a configuration that cannot be used is told here
    usual = options.max_size
    limits = {
        one.path: limit
        for one in found
        if isinstance(one, Target) and (limit := options.max_size_of(one.path)) != usual
    }
    count = parallel.processes(len(found) // _AS_LONG_AS_ONE_LINT, jobs)
    budget = _Budget(KEPT_BYTES // count, KEPT_BYTES_OF_FILE if count > 1 else KEPT_BYTES)
    looks = parallel.spread(partial(_look, budget, limits, usual), found, count)
    for one, look in zip(found, looks, strict=True):
        if look is not None:
            yield look
        elif isinstance(one, Target):
            yield one


class _Budget:
    """How many bytes one process may still keep.

    Args:
        left: All.
        of_file: Those of one file.
    """

    def __init__(self, left: int, of_file: int) -> None:
        self._left = left
        self._of_file = of_file

    def spend(self, size: int) -> bool:
        """Whether that many more are kept; nothing is after the first that are too many."""
        if size > self._of_file:
            return False
        self._left -= size
        return self._left >= 0


def _look(
    budget: _Budget, limits: Mapping[str, int], usual: int, one: SurveyedFile | Target | Failure
) -> Look | Failure | None:
    """What a file shows; None where it is not worth linting, as most are not: nothing is made of those."""
    if not isinstance(one, Target):
        return one if isinstance(one, Failure) else look_at(one)
    data = read(one, limits.get(one.path, usual))
    if data is None or isinstance(data, Failure):
        return data
    look = look_at(SurveyedFile(one, data))
    return look if budget.spend(len(data)) else look._replace(file=SurveyedFile(one, None))


def look_at(file: SurveyedFile) -> Look:
    """What a file that is worth linting shows, by its bytes."""
    data = file.data or b""
    path = file.target.path
    return Look(file, hints_of(data), needed_by_other_files(data), names_values(path, data))
