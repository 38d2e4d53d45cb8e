"""Which known name a misspelled word means, for every "did you mean".

`nearest_name` is strict: a rule may offer its answer as a fix, so the answer must be close and unambiguous. `nearest`
and `hint` are lenient: a person reads their answer and decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

_LONGEST_WORD = 64
"""Code points; a longer word is not a typing mistake, and comparing it takes time."""

_LIKENESS = 0.6
"""difflib's own cut-off for close matches."""


def fold_name(word: str) -> str:
    """A name without its case, hyphens and underscores, so that ``LBMethod`` and ``lb-method`` are the same."""
    return word.casefold().replace("-", "").replace("_", "")


def first_of(names: Iterable[object], most: int, what: str = "more") -> str:
    """The first of some names, each once, and how many more there are: ``a, b and 3 more``."""
    known = list(dict.fromkeys(map(str, names)))
    others = len(known) - most
    return ", ".join(known[:most]) + (f" and {others:,} {what}" if others > 0 else "")


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
    names = tuple(candidates)
    by_folded = _by_folded(names, folding)
    strict = nearest_name(word, by_folded.values(), fold=folding)
    if strict is not None:
        return strict
    close = _most_alike(folding(word), _counted(tuple(by_folded)))
    return by_folded[close] if close is not None else None


def _most_alike(word: str, names: Iterable[tuple[str, frozenset[tuple[str, int]]]]) -> str | None:
    """The name that `difflib.get_close_matches` finds, compared only with those that can be it.

    Args:
        word: What was written, folded.
        names: The folded names, each with its letters as `_numbered` gives them.
    """
    from difflib import SequenceMatcher

    letters = _numbered(word)
    at_most = [
        (2.0 * len(letters & theirs) / ((len(word) + len(name)) or 1), name)  # as SequenceMatcher's own quick_ratio
        for name, theirs in names
    ]
    best, match = _LIKENESS, None
    matcher = SequenceMatcher(b=word)
    for bound, name in sorted((one for one in at_most if one[0] >= _LIKENESS), reverse=True):
        if bound < best:
            break
        matcher.set_seq1(name)
        ratio = matcher.ratio()
        if (ratio, name) >= (best, match or ""):
            best, match = ratio, name
    return match


def _numbered(word: str) -> frozenset[tuple[str, int]]:
    """The letters of a word, each with how many of it came before: what two words share is what these sets share."""
    seen: dict[str, int] = {}
    numbered: list[tuple[str, int]] = []
    for letter in word:
        count = seen.get(letter, 0)
        numbered.append((letter, count))
        seen[letter] = count + 1
    return frozenset(numbered)


@lru_cache(maxsize=32)
def _by_folded(candidates: tuple[str, ...], fold: Callable[[str], str]) -> dict[str, str]:
    """Candidates by their folded names; the same few serve each word of a file."""
    return {fold(candidate): candidate for candidate in candidates}


@lru_cache(maxsize=32)
def _counted(names: tuple[str, ...]) -> tuple[tuple[str, frozenset[tuple[str, int]]], ...]:
    """Names with their letters, see `_numbered`."""
    return tuple((name, _numbered(name)) for name in names)


def hint(word: str, candidates: Iterable[str]) -> str:
    """``Did you mean `x`?``, or empty where no candidate is similar."""
    candidate = nearest(word, candidates)
    return f"Did you mean `{candidate}`?" if candidate is not None else ""


@lru_cache(maxsize=4096)
def distance(left: str, right: str, limit: int) -> int:
    """Count the edits between two words: insert, delete, replace, swap two neighbours (optimal string alignment).

    Any number above ``limit`` is returned as ``limit + 1``.
    """
    if left == right:
        return 0
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    left, right = _without_common_ends(left, right)
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


def _without_common_ends(left: str, right: str) -> tuple[str, str]:
    """Two words from where they differ to where they end alike; no edit is needed in the rest."""
    size = min(len(left), len(right))
    start = 0
    while start < size and left[start] == right[start]:
        start += 1
    end = 0
    while end < size - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]
