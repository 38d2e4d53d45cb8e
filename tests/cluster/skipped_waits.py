"""Waits that take no time: who sleeps goes on at once, and the clock has moved on by as much."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from ccmcheck.cluster.access.transport import Transport
from ccmcheck.cluster.conformance.session import Session
from ccmcheck.cluster.fixing import rollout

if TYPE_CHECKING:
    from collections.abc import Iterator

_WAITING = (Transport, Session)
"""What gets a clock and how to sleep, and has the system's where nobody names another."""


class Clock:
    """A clock that goes on by itself, and by what is slept."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def monotonic(self) -> float:
        """The time in seconds."""
        return time.monotonic() + self._skipped

    def sleep(self, seconds: float) -> None:
        """Let some seconds be over."""
        self._skipped += seconds


@contextmanager
def skipped_waits() -> Iterator[None]:
    """Skip every pause between requests to servers that answer at once, until the block ends."""
    clock = Clock()
    with ExitStack() as patches:
        patches.enter_context(patch.object(rollout, "time", clock))
        for waiting in _WAITING:
            defaults = waiting.__init__.__kwdefaults__
            patches.enter_context(patch.dict(defaults, sleep=clock.sleep, clock=clock.monotonic))
        yield
