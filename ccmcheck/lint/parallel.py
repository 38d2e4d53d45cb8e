"""Spreads files over the machine's processors, where there are enough files for it to pay."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

WORTH_IT = 400
"""Fewer files than this are done sooner by one process."""


def processes(files: int, wanted: int | None = None) -> int:
    """How many processes to use.

    Args:
        files: How many files there are.
        wanted: What the user asked for; None to decide.
    """
    if not hasattr(os, "fork"):
        return 1
    if wanted is not None:
        return max(1, min(wanted, files))
    if files < WORTH_IT:
        return 1
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, 8, files // (WORTH_IT // 2))


def spread(work: Callable[[Item], Result], items: Sequence[Item], count: int) -> Generator[Result, None, None]:
    """Do some work for each item, in order.

    Args:
        work: Called in a child process when ``count`` is above 1; its result is pickled.
        items: What to work on.
        count: How many processes.

    Raises:
        InternalError: A child ended before its work was done.
    """
    if count <= 1:
        yield from map(work, items)
        return
    from ccmcheck.lint.child_processes import spread_over

    yield from spread_over(work, items, count)
