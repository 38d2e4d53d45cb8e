"""The time of a run: ``--time-limit`` ends it, whatever it is doing, and what was found so far is reported.

The limit is raised as an exception in the main thread. It is no `Exception`, so that nothing that deals with faults of
a file, a template or a library takes it for one.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

_AGAIN = 1.0
"""Seconds after which it is raised once more: C code may have swallowed it."""


class TimeIsUp(BaseException):
    """The run has used its time.

    Args:
        seconds: Its limit.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the time limit of {seconds:g} s is over")
        self.message = str(self)
        self.hint = "What was not read by then is unknown. --time-limit allows more."


def limit_time(seconds: float) -> None:
    """Raise `TimeIsUp` in the main thread after some seconds; nothing where the system has no such timers.

    Args:
        seconds: From now on.
    """
    if not hasattr(signal, "setitimer"):
        return

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise TimeIsUp(seconds)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)


def lift_time_limit() -> None:
    """End the limit: what is left is to report what was found."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
