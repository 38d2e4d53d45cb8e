"""What a run may use: ``--time-limit`` and ``--memory-limit`` end its work; what was found stays.

Time is up as an exception in the main thread, which is no `Exception`, so that nothing that deals with faults of a
file, a template or a library takes it for one. Memory ends as Python's own MemoryError, in any step.
"""

from __future__ import annotations

import math
import signal
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

_AGAIN = 1.0
"""Seconds after which it is raised once more: C code may have swallowed it."""
_REST = 0.25
"""What all parts of the run that follow may take together, as a part of the limit; each gets a half of what is left."""
_LEAST_REST = 2.0
"""Seconds for the same."""
_MEMORY_REST = 256 * 1024 * 1024
"""Bytes for the same."""
_MIB = 1024 * 1024

Item = TypeVar("Item")
_limits: dict[str, float] = {}
"""The seconds and the bytes of this process's run; signals and limits belong to the process."""
_cuts: ContextVar[tuple[str, ...]] = ContextVar("cuts", default=())


class TimeIsUp(BaseException):
    """The run has used its time.

    Args:
        seconds: Its limit.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the time limit of {seconds:g} s is over")
        self.message = str(self)
        self.hint = "What was not read by then is unknown. --time-limit allows more."


OVER = (TimeIsUp, MemoryError)
"""What ends the work of a run."""


def limit_time(seconds: float) -> None:
    """Raise `TimeIsUp` in the main thread after some seconds; nothing where the system has no such timers.

    Args:
        seconds: From now on.
    """
    _limits["seconds"] = seconds
    _limits["ends"] = time.monotonic() + seconds
    _ring_after(seconds)


def _ring_after(seconds: float) -> None:
    if not hasattr(signal, "setitimer"):
        return

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise TimeIsUp(_limits.get("seconds", seconds))

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)


def limit_memory(mebibytes: int) -> None:
    """Let the process, and each process that it starts, map so much memory beside what it has.

    Args:
        mebibytes: From now on.
    """
    _limits["mebibytes"] = mebibytes
    _map_at_most(mebibytes * _MIB)


def _map_at_most(more: int | None) -> None:
    """Limit the address space; None lifts the limit."""
    try:
        import resource
    except ImportError:  # Windows
        return
    from ccmcheck.base.child import address_space

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = hard if more is None else address_space() + more
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError):  # macOS has no such limit
        return


def lift_limits() -> None:
    """End the limits: what is left is to report what was found."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    if "mebibytes" in _limits:
        _map_at_most(None)
    _limits.clear()


def ended_by(error: BaseException) -> tuple[str, str]:
    """What is said of the end of a run's budget, and what to do."""
    if isinstance(error, TimeIsUp):
        return error.message, error.hint
    limit = f"the memory limit of {_limits['mebibytes']:,} MiB" if "mebibytes" in _limits else "the memory"
    return f"{limit} is used up", "What was not read by then is unknown. --memory-limit allows more."


def cut(error: BaseException, undone: str) -> tuple[str, str]:
    """Note that the run's budget ended in the middle of a part of it, and let the parts that follow have the rest.

    Args:
        error: One of `OVER`.
        undone: What was not done: ``3 of 5 files were not read``.

    Returns:
        What is said of it, and what to do.
    """
    message, hint = ended_by(error)
    message = f"{message}: {undone}"
    before = _cuts.get()
    if message not in before:
        _cuts.set((*before, message))
    if "seconds" in _limits:
        rests = _limits["rests"] = _limits.get("rests", 0) + 1
        _ring_after(max(_LEAST_REST, _limits["seconds"] * _REST) / 2**rests)
    if "mebibytes" in _limits:
        _map_at_most(_MEMORY_REST)
    return message, hint


def time_left() -> float:
    """Seconds until the time limit; infinite without one."""
    return _limits["ends"] - time.monotonic() if "ends" in _limits else math.inf


def cuts() -> tuple[str, ...]:
    """Where the budget of this run ended; empty for a whole one."""
    return _cuts.get()


def worked_off(items: Iterable[Item], undone: str) -> list[Item]:
    """All that an iterator gives; where the run's budget ends meanwhile, what it gave until then.

    Args:
        items: Does the work.
        undone: What is said of the rest: ``not all Services were predicted``.
    """
    done: list[Item] = []
    try:
        done.extend(items)  # keeps what it got where this ends in the middle
    except OVER as error:
        cut(error, undone)
    return done
