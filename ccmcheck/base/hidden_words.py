"""Words that no representation of a record shows: secrets, kept to find copies of them."""

from __future__ import annotations


class HiddenWords(frozenset[str]):
    """A set of words that tells how many it has, and none of them."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} hidden>"

    __str__ = __repr__
