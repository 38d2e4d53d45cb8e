"""Python's garbage collector, paused where it would cost more than the work itself."""

from __future__ import annotations

import gc

LARGE = 1 << 18
"""From this many characters on it is worth it."""


class GarbageCollectionPaused:
    """Pauses the garbage collector while a large text is looked through: millions of records, hardly any in a cycle.

    Args:
        size: Characters in the text; nothing happens below `LARGE`.
    """

    __slots__ = ("_pause",)

    def __init__(self, size: int) -> None:
        self._pause = size >= LARGE and gc.isenabled()

    def __enter__(self) -> None:
        if self._pause:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._pause:
            gc.enable()
