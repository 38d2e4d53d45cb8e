"""Python's garbage collector, kept from looking through what many objects are made of that stay."""

from __future__ import annotations

import gc


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
