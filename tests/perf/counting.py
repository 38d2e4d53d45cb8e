"""Counts the calls that the package's own code makes: a measure of work that no busy machine disturbs.

A call of one of the package's functions counts, and a call from its code of anything else (a method of ``str``, a
function of PyYAML's): a loop over lists calls nothing of ours, but it does call. Time that C code takes is not seen;
processor time stands beside these counts wherever growth is measured.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from cProfile import Profile
from pathlib import Path
from types import CodeType

import ccmcheck

PACKAGE = f"{Path(ccmcheck.__file__).parent}/"


def counted(work: Callable[[], object]) -> Counter[CodeType]:
    """Run something once, and count the calls of the package's code by the function that is called or calls.

    Args:
        work: What to run, in this thread; other threads and processes are not counted.

    Returns:
        The number of calls for each code object of the package.
    """
    profile = Profile()
    gc.disable()  # a finalizer would be counted whenever the collector happens to run
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
        gc.enable()
    calls: Counter[CodeType] = Counter()
    for entry in profile.getstats():
        if isinstance(entry.code, CodeType) and entry.code.co_filename.startswith(PACKAGE):
            # what is called is the name of a function in C where it is not in Python
            in_c = (below.callcount for below in entry.calls or () if not isinstance(below.code, CodeType))
            calls[entry.code] += entry.callcount + sum(in_c)
    return calls


def place(code: CodeType) -> str:
    """Where a code object stands: ``lint/engine.py:Linter.lint``."""
    return f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname}"
