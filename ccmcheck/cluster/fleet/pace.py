"""How many clusters of a process are read at the same time, so that no more is read than can be judged."""

from __future__ import annotations

import threading

_FEW = 4
"""Clusters that are read, or wait to be judged, at least where so many may be."""


class Pace:
    """How many clusters are read and wait to be judged: more while the judge has nothing to do, fewer while they queue.

    Args:
        most: At the most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._allowed = min(_FEW, most)
        self._reading = self._waiting = 0
        self._changed = threading.Condition()

    def enter(self) -> None:
        """Wait until another one may be read."""
        with self._changed:
            self._changed.wait_for(lambda: self._reading + self._waiting < self._allowed)
            self._reading += 1

    def leave(self) -> None:
        """It is read, or it failed."""
        with self._changed:
            self._reading -= 1
            self._changed.notify()

    def idle(self) -> None:
        """The judge has waited in vain: those that are read hang, or their network is slow."""
        with self._changed:
            if self._reading >= self._allowed:
                self._allowed = min(2 * self._allowed, self._most)
                self._changed.notify(self._allowed)

    def added(self) -> None:
        """One more waits to be judged."""
        with self._changed:
            self._waiting += 1

    def taken(self) -> None:
        """One of them is judged now."""
        with self._changed:
            self._waiting -= 1
            change = 1 if not self._waiting else -1 if self._waiting > 1 else 0
            self._allowed = max(min(_FEW, self._most), min(self._allowed + change, self._most))
            self._changed.notify(1 + max(change, 0))  # as many as may go on: to wake the others costs more than to read
