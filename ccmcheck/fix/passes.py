"""Fixes one file: takes the fixes of its findings that do not get in each other's way, makes them, and looks again.

A pass takes every fix that stands alone; overlapping ones wait for the next. Passes end when nothing is left to do,
so that a second run finds nothing either.

Remembers which fixes of a file could not be made, while other fixes move the places they are for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate

from ccmcheck.base.errors import InternalError
from ccmcheck.base.garbage_collection import GarbageCollectionPaused
from ccmcheck.base.model import Applicability, Edit, Finding, Place
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.fix.step import Budget, FixStep
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileAnalysis, LocatedProblem
from ccmcheck.rules.registry import MANUAL_RULES, RULES_WITHOUT_SAFE_FIX


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


MOST_PASSES = 50
"""A file that still changes after this many, or after one for each finding, and one more for each fix that could not be
made, has two fixes that undo each other, which is a fault of ours."""


class FixOutcome:
    """One fix, done or not.

    Args:
        located: What it is for.
        reason: Why it was not done; empty where it was.
    """

    __slots__ = ("_located", "reason")

    def __init__(self, located: LocatedProblem, reason: str = "") -> None:
        self._located = located
        self.reason = reason

    @property
    def rule(self) -> str:
        """The rule's name."""
        return self._located.rule

    @property
    def title(self) -> str:
        """What it does; secrets are masked."""
        return self._located.fix_title

    @property
    def place(self) -> Place:
        """Where it is."""
        return self._located.place

    @property
    def finding(self) -> Finding:
        """What it is for; worked out when it is first asked for, because of most fixes nobody asks."""
        return self._located.finding


class FixResult(NamedTuple):
    """What became of one file.

    Attributes:
        path: The file as the user named it.
        before: Its text before.
        after: Its text after; the same object where nothing changed.
        done: Fixes that are in ``after``, in the order in which they were made.
        dropped: Fixes that could not be made, each with its reason and the finding that says what to do by hand.
        last: The file as it is now, looked through once more for what has a fix.
        carried: The cloud.confs in ``before``; None where another text was looked through first.
    """

    path: str
    before: str
    after: str
    done: tuple[FixOutcome, ...]
    dropped: tuple[FixOutcome, ...]
    last: FileAnalysis
    carried: tuple[CarriedConf, ...] | None = None


def fix_text(
    path: str,
    whole: str,
    linter: Linter,
    *,
    unsafe: bool = False,
    wanted: Callable[[str], bool] | None = None,
    asked: Collection[str] = (),
    explicit: bool = True,
    objection: Callable[[LocatedProblem], str] | None = None,
) -> FixResult:
    """Fix one file's text.

    Args:
        path: The file as the user named it.
        whole: Its text.
        linter: What looks through it; a fix is made only where its finding holds at every release that is judged.
        unsafe: Whether to make the fixes that change what the CCM does, too.
        wanted: Which rules' fixes to make; all when None.
        asked: Rules whose fixes were asked for by name: all of them are made, whatever else is said.
        explicit: True when the user named the file itself.
        objection: Says why a fix is not to be made, or nothing.

    Returns:
        The text after, and what was and was not done.

    Raises:
        CcmcheckError: Something in the file cannot be opened.
    """
    without = (MANUAL_RULES if unsafe else RULES_WITHOUT_SAFE_FIX).difference(asked)
    examine = partial(linter.examine, path, explicit=explicit, without=without)
    wants = partial(_may_be_fixed, unsafe=unsafe, wanted=wanted, asked=asked)
    with GarbageCollectionPaused(len(whole)):
        return _fix(path, whole, examine, wants, objection)


def _fix(
    path: str,
    whole: str,
    examine: Callable[[str], FileAnalysis],
    wants: Callable[[LocatedProblem], bool],
    objection: Callable[[LocatedProblem], str] | None,
) -> FixResult:
    text = whole
    examined = examine(text)
    carried = examined.carried
    done: list[FixOutcome] = []
    refused = RefusedFixes()
    budget = Budget(whole)
    passes = 0
    most = max(MOST_PASSES, len(examined.problems) + 1)
    while passes < most:
        passes += 1
        waiting = [located for located in examined.problems if wants(located) and located not in refused]
        waiting = waiting if objection is None else _without(waiting, objection, refused)
        if not waiting:
            # what stood in the way may be gone: what was refused before the last change gets another chance
            if budget.is_spent or not refused.forget_stale():
                dropped = tuple(FixOutcome(located, reason) for located, reason in refused)
                return FixResult(path, whole, text, tuple(done), dropped, examined, carried)
            most += 1
            continue
        waiting.sort(key=lambda located: (not located.fatal, located.number, located.problem.span.start))
        step = FixStep(text, examined, examine, budget)
        taken = step.take(waiting)
        for located, reason in step.refused:
            refused.add(located, reason)
        most += len(step.refused)
        if taken:
            refused.move(step.edits)
        done += [FixOutcome(located) for located in taken]
        text, examined = step.text, step.examined
    raise InternalError(f"{path} still changes after {passes} passes", "Fix one rule at a time with --select.")


def _without(
    waiting: list[LocatedProblem], objection: Callable[[LocatedProblem], str], refused: RefusedFixes
) -> list[LocatedProblem]:
    """The fixes that nothing is said against; the others are refused."""
    for located in waiting:
        if reason := objection(located):
            refused.add(located, reason)
    return [located for located in waiting if located not in refused]


def _may_be_fixed(
    located: LocatedProblem, *, unsafe: bool, wanted: Callable[[str], bool] | None, asked: Collection[str]
) -> bool:
    fix = located.problem.fix
    if fix is None or not located.is_fixable:
        return False
    if located.rule in asked:
        return True
    return (unsafe or fix.applicability is Applicability.SAFE) and (wanted is None or wanted(located.rule))
