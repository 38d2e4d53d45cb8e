"""Counts the calls that the package's own code makes: a measure of work that no busy machine disturbs.

A call of one of the package's functions counts, and a call from its code of anything else (a method of ``str``, a
function of PyYAML's): a loop over lists calls nothing of ours, but it does call. Time that C code takes is not seen;
processor time stands beside these counts wherever growth is measured.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import ccmcheck

PACKAGE = f"{Path(ccmcheck.__file__).parent}/"

_EVENTS = frozenset({"call", "c_call"})


def counted(work: Callable[[], object]) -> Counter[CodeType]:
    """Run something once, and count the calls of the package's code by the function that is called or calls.

    Args:
        work: What to run, in this thread; other threads and processes are not counted.

    Returns:
        The number of calls for each code object of the package.
    """
    calls: Counter[CodeType] = Counter()
    ours: dict[CodeType, bool] = {}

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event in _EVENTS:
            code = frame.f_code
            own = ours.get(code)
            if own is None:
                own = ours[code] = code.co_filename.startswith(PACKAGE)
            if own:
                calls[code] += 1

    gc.collect()
    gc.disable()  # a finalizer would be counted whenever the collector happens to run
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


def place(code: CodeType) -> str:
    """Where a code object stands: ``lint/engine.py:Linter.lint``."""
    return f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname}"
