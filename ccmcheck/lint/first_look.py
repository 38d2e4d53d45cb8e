"""The first look at the files of a run, in parallel: which are worth linting, and what others may need of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.result import Failure
from ccmcheck.lint import parallel
from ccmcheck.lint.looks import Look, look_at
from ccmcheck.workspace.discover import DiscoverOptions, Target, read
from ccmcheck.workspace.read_files import StandardInput, SurveyedFile, list_files

if TYPE_CHECKING:
    from ccmcheck.lint.kept_results import KeptResults

KEPT_BYTES = 16 * 1024 * 1024
"""How many bytes are kept for linting; the other files are read once more."""

KEPT_BYTES_OF_FILE = 64 * 1024
"""How many of one file, where they have to come from another process."""

WORTH_KEEPING = 50
"""Fewer files than this are read and judged sooner than the results of an earlier run are looked up."""

_AS_LONG_AS_ONE_LINT = 4
"""How many looks take as long as linting a file; a fork has to pay for itself."""


def first_looks(
    paths: Sequence[str],
    options: DiscoverOptions,
    stdin: StandardInput | None,
    jobs: int | None,
    opened: Callable[[], KeptResults | None] | None = None,
) -> Iterator[Look | Target | Failure]:
    """Look at the files of a run, in their order: of one that is not worth linting, itself.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: What narrows them.
        stdin: Standard input, where ``-`` is among the paths.
        jobs: How many processes; None to decide.
        opened: Opens what earlier runs kept.

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
    kept = opened() if opened is not None and len(found) >= WORTH_KEEPING else None
    known: list[Look | Target | int] = [0] * len(found)
    if kept is not None:
        known = [kept.known_look(one, limits.get(one.path, usual)) if isinstance(one, Target) else 0 for one in found]
    unknown = [one for one, look in zip(found, known, strict=True) if isinstance(look, int)]
    count = parallel.processes(len(unknown) // _AS_LONG_AS_ONE_LINT, jobs)
    budget = _Budget(KEPT_BYTES // count, KEPT_BYTES_OF_FILE if count > 1 else KEPT_BYTES)
    look_of = kept.look if kept is not None else look_at
    looks = parallel.spread(partial(_look, budget, limits, usual, look_of), unknown, count)
    for one, before in zip(found, known, strict=True):
        if not isinstance(before, int):
            yield before
            continue
        look: Look | Target | Failure | None = next(looks)
        if isinstance(one, Target):
            # what a child process says of the file itself would be in memory twice
            look = look._replace(file=look.file._replace(target=one)) if isinstance(look, Look) else look or one
        if kept is not None and isinstance(look, Look | Target):
            kept.keep_look(look, before)
        if look is not None:
            yield look
    next(looks, None)  # what is left of it waits for the processes


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
    budget: _Budget,
    limits: Mapping[str, int],
    usual: int,
    look_of: Callable[[SurveyedFile], Look],
    one: SurveyedFile | Target | Failure,
) -> Look | Failure | None:
    """What a file shows; None where it is not worth linting, as most are not: nothing is made of those."""
    if not isinstance(one, Target):
        return one if isinstance(one, Failure) else look_of(one)
    data = read(one, limits.get(one.path, usual))
    if data is None or isinstance(data, Failure):
        return data
    look = look_of(SurveyedFile(one, data))
    return look if budget.spend(len(data)) else look._replace(file=look.file._replace(data=None))
