"""Ctrl-C, SIGTERM and a closed terminal: the first one ends the cases, the next but one the removal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_OF_SHELLS = 128


class Interrupted(BaseException):
    """A signal arrived; no ordinary handler of errors may take it for one of its own.

    Args:
        number: The signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """The exit code that shells expect."""
        return _OF_SHELLS + self.number


class Interrupts:
    """Handles signals while cases run, and while their objects are removed.

    Once something was raised, or the removal has begun, one more signal is only answered with words; the next ends
    the removal.

    Args:
        say: Says something to the user.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._removing = False
        self._warned = False
        self._before: list[tuple[int, Any]] = []

    def __enter__(self) -> Self:
        """Take the signals over, which only the main thread can."""
        if threading.current_thread() is threading.main_thread():
            heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]  # as by nohup
            self._before = [(number, signal.signal(number, self._handle)) for number in heeded]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the signals back."""
        for number, handler in self._before:
            signal.signal(number, handler)

    def removing(self) -> None:
        """From now on, a first signal does not end what runs."""
        self._removing = True

    def _handle(self, number: int, _frame: object) -> None:
        if not self._removing:
            self._removing = True  # here, so that no second one is raised before the removal has begun
            raise Interrupted(number)
        if not self._warned:
            self._warned = True
            self._say("removing what was created; once more leaves it there")
            return
        raise Interrupted(number)
