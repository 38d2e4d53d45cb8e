"""Python's garbage collector, paused where it would cost more than the work itself, or kept from what stays."""

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


class LongLived:
    """What is made inside stays for long, without cycles: it is looked through neither meanwhile nor later.

    The collector goes through all that is new again and again as it grows, which takes a fifth of the time of a run
    that keeps a megabyte of objects. Few objects are left to it as usual.
    """

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if not self._was_on:
            return
        if gc.get_count()[0] > gc.get_threshold()[0]:
            gc.freeze()
        gc.enable()
