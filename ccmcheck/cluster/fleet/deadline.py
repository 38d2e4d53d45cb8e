"""The time that one cluster of a fleet may take: hanging ones are given up while the others are read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.errors import Unreachable
from ccmcheck.cluster.core import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccmcheck.cluster.access.transport import Answer, Connection


class Patience(NamedTuple):
    """How long to wait.

    Attributes:
        answer: For one answer, and for the first one with all its retries, in seconds.
        cluster: For everything that is read of one cluster.
    """

    answer: float = 10.0
    cluster: float = 120.0


class Deadline:
    """A connection that gives up at a time, and the pauses between its requests.

    Args:
        connection: The connection.
        patience: How long to wait.
        clock: The time in seconds.
        sleep: Waits some seconds.
    """

    def __init__(
        self,
        connection: Connection,
        patience: Patience,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._connection = connection
        self._patience = patience
        self._clock = clock
        self._sleep = sleep
        self._ends = clock() + patience.answer
        self._has_answered = False
        self._last: Unreachable | None = None
        self.server = connection.server

    def answered(self) -> None:
        """The cluster has answered, and it is its turn: from now on, the time is that for everything."""
        self._ends = self._clock() + self._patience.cluster
        self._has_answered = True

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> Answer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        left = self._ends - self._clock()
        if left <= 0:
            raise self._late()
        limit = min(seconds, left, self._patience.answer)
        try:
            return self._connection.get(path, query, seconds=limit, most_bytes=most_bytes)
        except Unreachable as error:
            self._last = error
            raise

    def sleep(self, seconds: float) -> None:
        """Wait, unless there is no time left for another try.

        Raises:
            Unreachable: There is none.
        """
        if self._clock() + seconds >= self._ends:
            raise self._late()
        self._sleep(seconds)

    def _late(self) -> Unreachable:
        """What was wrong with the last try; without one, what took the time."""
        if self._last is not None:
            return self._last
        if self._has_answered:
            return Unreachable(
                f"reading it took longer than {self._patience.cluster:.0f} s", "--cluster-timeout gives it more time."
            )
        return Unreachable(
            f"the API server did not answer within {self._patience.answer:.0f} s", "--timeout gives it more time."
        )
