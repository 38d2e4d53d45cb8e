"""Which known name a misspelled word means, for every "did you mean".

`nearest_name` is strict: a rule may offer its answer as a fix, so the answer must be close and unambiguous. `nearest`
and `hint` are lenient: a person reads their answer and decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LONGEST_WORD = 64
"""Code points; a longer word is not a typing mistake, and comparing it takes time."""

_LIKENESS = 0.6
"""difflib's own cut-off for close matches."""


def fold_name(word: str) -> str:
    """A name without its case, hyphens and underscores, so that ``LBMethod`` and ``lb-method`` are the same."""
    return word.casefold().replace("-", "").replace("_", "")


def nearest_name(
    word: str, candidates: Iterable[str], max_distance: int = 2, *, fold: Callable[[str], str] = fold_name
) -> str | None:
    """Find the one candidate that a word is a misspelling of.

    Short words may differ less: two edits turn any three letters into many other names. Words of up to two letters must
    be equal once folded, words of up to four may differ by one edit.

    Args:
        word: What was written.
        candidates: The names that exist.
        max_distance: How many edits apart at most; an edit is a letter inserted, deleted, replaced, or swapped with its
            neighbour.
        fold: What makes two spellings of a name equal before they are compared.

    Returns:
        The candidate, unfolded; None where none is near enough or several are equally near.
    """
    if len(word) > _LONGEST_WORD:
        return None
    folded = fold(word)
    size, letters = len(folded), letters_of(folded)
    limit = min(max_distance, 0 if size <= 2 else 1 if size <= 4 else 2)
    best, match = limit + 1, None
    by_size = _by_size(tuple(candidates), fold)
    alike = [
        (candidate, other)
        for other_size in range(size - limit, size + limit + 1)
        for candidate, other, others in by_size.get(other_size, ())
        if (letters ^ others).bit_count() <= 2 * limit  # an edit adds one letter and removes one at most
    ]
    for candidate, other in alike:
        if candidate == match:
            continue
        apart = distance(folded, other, min(best, limit))
        if apart < best:
            best, match = apart, candidate
        elif apart == best <= limit:
            match = None
    return match


def letters_of(word: str) -> int:
    """The letters of a word, a bit for each; letters outside of ASCII may share one."""
    letters = 0
    for letter in word:
        letters |= 1 << (ord(letter) & 127)
    return letters


@lru_cache(maxsize=32)
def _by_size(candidates: tuple[str, ...], fold: Callable[[str], str]) -> dict[int, list[tuple[str, str, int]]]:
    """Candidates by their folded lengths, each folded and with its letters; the same few serve each word of a file."""
    found: dict[int, list[tuple[str, str, int]]] = {}
    for candidate in candidates:
        folded = fold(candidate)
        found.setdefault(len(folded), []).append((candidate, folded, letters_of(folded)))
    return found


def nearest(word: str, candidates: Iterable[str], *, fold: Callable[[str], str] | None = None) -> str | None:
    """Find the candidate that a person most likely meant.

    Args:
        word: What was written.
        candidates: The names that exist.
        fold: See `nearest_name`, whose answer comes first.

    Returns:
        The candidate, unfolded; None where none is similar.
    """
    if len(word) > _LONGEST_WORD:
        return None
    folding = fold or fold_name
    by_folded = {folding(candidate): candidate for candidate in candidates}
    strict = nearest_name(word, by_folded.values(), fold=folding)
    if strict is not None:
        return strict
    from difflib import get_close_matches

    close = get_close_matches(folding(word), list(by_folded), n=1, cutoff=_LIKENESS)
    return by_folded[close[0]] if close else None


def hint(word: str, candidates: Iterable[str]) -> str:
    """``Did you mean `x`?``, or empty where no candidate is similar."""
    candidate = nearest(word, candidates)
    return f"Did you mean `{candidate}`?" if candidate is not None else ""


def distance(left: str, right: str, limit: int) -> int:
    """Count the edits between two words: insert, delete, replace, swap two neighbours (optimal string alignment).

    Any number above ``limit`` is returned as ``limit + 1``.
    """
    if left == right:
        return 0
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        two_before, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            edits = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                edits = min(edits, two_before[j - 2] + 1)
            row.append(edits)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return min(row[-1], limit + 1)
