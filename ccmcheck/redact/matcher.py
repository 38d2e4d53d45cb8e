"""Finds known secret values in texts, in time that grows with the text and not with the number of secrets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SHORTEST = 4
"""Code points of a secret that is looked for in messages; a shorter one would hide half of every sentence."""
LONG_ENOUGH = 8
"""Code points of a secret that no ordinary word of a message holds; a shorter one counts as a whole word only."""
_CUT = 200
"""Code points of a secret that are compared; what quotes a longer one is hidden from there to its end."""

_FEW = 64
"""Beginnings that are quicker to look for one by one than place by place."""


class Matcher:
    """Looks for a set of words, whatever their case.

    Args:
        words: The words; those shorter than `SHORTEST` are left out.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_start: dict[str, dict[int, set[str]]] = {}
        for word in words:
            folded = word[:_CUT].lower()
            if len(folded) >= SHORTEST:
                self._by_start.setdefault(folded[:SHORTEST], {}).setdefault(len(folded), set()).add(folded)
        self._lengths = {start: sorted(lengths, reverse=True) for start, lengths in self._by_start.items()}

    def __bool__(self) -> bool:
        return bool(self._by_start)

    def finditer(self, text: str, shortest: int = SHORTEST) -> Iterator[tuple[int, int]]:
        """Where the words stand, from left to right; those that overlap, or hold each other, are one place.

        Args:
            text: Where to look.
            shortest: Code points of the shortest word to look for.
        """
        lowered = text.lower()
        if len(lowered) != len(text):
            lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        starts = self._by_start
        if len(starts) <= _FEW and not any(start in lowered for start in starts):
            return
        begin = end = 0
        for at in range(len(lowered)):
            start = lowered[at : at + SHORTEST]
            if start not in starts:
                continue
            found = self._end(lowered, start, at, shortest)
            if found == at:
                continue
            if found - at >= _CUT:
                found = len(text)
            if at < end:
                end = max(end, found)
                continue
            if end:
                yield begin, end
            begin, end = at, found
        if end:
            yield begin, end

    def _end(self, lowered: str, start: str, at: int, shortest: int) -> int:
        by_length = self._by_start[start]
        for length in self._lengths[start]:
            end = at + length
            is_there = length >= shortest and lowered[at:end] in by_length[length]
            if is_there and (length >= LONG_ENOUGH or _is_word(lowered, at, end)):
                return end
        return at


def _is_word(text: str, start: int, end: int) -> bool:
    return not (start and _is_letter(text[start - 1])) and not (end < len(text) and _is_letter(text[end]))


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalnum()
