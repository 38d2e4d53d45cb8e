"""Remembers which fixes of a file could not be made, while other fixes move the places they are for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from ccmcheck.base.model import Edit
from ccmcheck.base.records import NamedTuple
from ccmcheck.lint.file_analysis import LocatedProblem


class _Identity(NamedTuple):
    """What makes a fix the same fix in the next pass: equal mistakes at other places have fixes of their own.

    Attributes:
        number: Which subject of the file.
        rule: The rule's name.
        start: Where in the subject the mistake is now.
        title: What the fix does.
    """

    number: int
    rule: str
    start: int
    title: str


class _Refusal(NamedTuple):
    """A fix that could not be made, why, and after how many changes of the file that was."""

    located: LocatedProblem
    reason: str
    changes: int


class RefusedFixes:
    """The fixes of one file that could not be made."""

    def __init__(self) -> None:
        self._changes = 0
        self._refused: dict[_Identity, _Refusal] = {}

    def __contains__(self, located: LocatedProblem) -> bool:
        return bool(self._refused) and _identity(located) in self._refused

    def __iter__(self) -> Iterator[tuple[LocatedProblem, str]]:
        """Each with the reason, in the order in which they were refused."""
        return ((refusal.located, refusal.reason) for refusal in self._refused.values())

    def add(self, located: LocatedProblem, reason: str) -> None:
        """Remember one.

        Args:
            located: What it is for, in the file as it was before the pass.
            reason: Why it was refused.
        """
        self._refused[_identity(located)] = _Refusal(located, reason, self._changes)

    def move(self, edits: Mapping[int, Sequence[Edit]]) -> None:
        """Follow a change of the file.

        Args:
            edits: What was changed in each subject, by its number, sorted.
        """
        self._changes += 1
        if not self._refused:
            return
        shifts = {number: _Shifts(changed) for number, changed in edits.items()}
        self._refused = {
            identity._replace(start=shifts[identity.number].after(identity.start))
            if identity.number in shifts
            else identity: refusal
            for identity, refusal in self._refused.items()
        }

    def forget_stale(self) -> bool:
        """Forget what was refused before the last change, and say whether that was any."""
        fresh = {identity: refusal for identity, refusal in self._refused.items() if refusal.changes == self._changes}
        forgotten = len(fresh) < len(self._refused)
        self._refused = fresh
        return forgotten


class _Shifts:
    """How far edits move what stands behind them.

    Args:
        edits: Sorted, without overlaps.
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._ends = [edit.end for edit in edits]
        self._sums = list(accumulate((len(text) - (end - start) for start, end, text in edits), initial=0))

    def after(self, offset: int) -> int:
        """Where an offset is after the edits."""
        return offset + self._sums[bisect_right(self._ends, offset)]


def _identity(located: LocatedProblem) -> _Identity:
    problem = located.problem
    return _Identity(
        located.number, located.rule, problem.span.start, problem.fix.title if problem.fix is not None else ""
    )
