"""Fixes one file: takes the fixes of its findings that do not get in each other's way, makes them, and looks again.

A pass takes every fix that stands alone; overlapping ones wait for the next. Passes end when nothing is left to do,
so that a second run finds nothing either.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck import catalog, gcfg
from ccmcheck.base.edits import EditsInOrder, OverlappingEdits, apply, sort
from ccmcheck.base.errors import CannotEdit, InternalError
from ccmcheck.base.model import Applicability
from ccmcheck.base.records import NamedTuple
from ccmcheck.conf import reading
from ccmcheck.fix.guard import changed, check, compare
from ccmcheck.fix.guard_yaml import check as check_yaml
from ccmcheck.rules.registry import MANUAL_RULES, RULES_WITHOUT_SAFE_FIX

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ccmcheck.base.model import Edit, Finding
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.fix.guard import Change
    from ccmcheck.lint.engine import FileAnalysis, Linter, LocatedProblem

PROFILE = "profile"
"""The rule that finds what deviates from a profile."""

MOST_PASSES = 50
"""A file that still changes after this many, or after one for each finding, and one more for each fix that could not be
made, has two fixes that undo each other, which is a fault of ours."""


CHARACTERS_AT_LEAST = 4_000_000
TIMES_THE_FILE = 8
"""How much text the attempts to fix one file may look through in all: a file of many fixes that cannot be made together
would take hours."""
TOO_MANY_ATTEMPTS = "too many other fixes of this file cannot be made together with it; fix some of them by hand first"


class Outcome:
    """One fix, done or not.

    Args:
        complaint: What it is for.
        reason: Why it was not done; empty where it was.
    """

    __slots__ = ("_complaint", "reason")

    def __init__(self, complaint: LocatedProblem, reason: str = "") -> None:
        self._complaint = complaint
        self.reason = reason

    @property
    def rule(self) -> str:
        """The rule's name."""
        return self._complaint.rule

    @property
    def title(self) -> str:
        """What it does; secrets are masked."""
        return self._complaint.fix_title

    @property
    def finding(self) -> Finding:
        """What it is for; worked out when it is first asked for, because of most fixes nobody asks."""
        return self._complaint.finding


class FixResult(NamedTuple):
    """What became of one file.

    Attributes:
        path: The file as the user named it.
        before: Its text before.
        after: Its text after; the same object where nothing changed.
        done: Fixes that are in ``after``, in the order in which they were made.
        dropped: Fixes that could not be made, each with its reason and the finding that says what to do by hand.
        last: The file as it is now, looked through once more for what has a fix.
    """

    path: str
    before: str
    after: str
    done: tuple[Outcome, ...]
    dropped: tuple[Outcome, ...]
    last: FileAnalysis


class _Known(NamedTuple):
    """What a fix is known by from one pass to the next: places move, rules and words do not."""

    number: int
    rule: str
    label: str
    title: str


class _Dropped(NamedTuple):
    """A fix that could not be made, and after how many changes of the file that was."""

    outcome: Outcome
    changes: int


def fix_text(
    path: str,
    whole: str,
    linter: Linter,
    *,
    unsafe: bool = False,
    wanted: Callable[[str], bool] | None = None,
    asked: Collection[str] = (),
    explicit: bool = True,
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

    Returns:
        The text after, and what was and was not done.

    Raises:
        CcmcheckError: Something in the file cannot be opened.
    """
    text = whole
    without = (MANUAL_RULES if unsafe else RULES_WITHOUT_SAFE_FIX).difference(asked)
    examine = partial(linter.examine, path, explicit=explicit, without=without)
    examined = examine(text)
    done: list[Outcome] = []
    dropped: dict[_Known, _Dropped] = {}
    budget = _Budget(whole)
    passes = changes = 0
    most = max(MOST_PASSES, len(examined.problems) + 1)
    while passes < most:
        passes += 1
        waiting = [
            complaint
            for complaint in examined.problems
            if _may_be_fixed(complaint, unsafe=unsafe, wanted=wanted, asked=asked)
            and _known_by(complaint) not in dropped
        ]
        if not waiting:
            # what stood in the way may be gone: what was refused before the last change gets another chance
            again = [known for known, refused in dropped.items() if refused.changes < changes]
            if not again or budget.is_spent:
                outcomes = tuple(refused.outcome for refused in dropped.values())
                return FixResult(path, whole, text, tuple(done), outcomes, examined)
            for known in again:
                del dropped[known]
            most += 1
            continue
        waiting.sort(key=_urgency)
        step = _Step(text, examined, examine, budget)
        taken = step.take(waiting)
        for complaint, reason in step.refused:
            dropped[_known_by(complaint)] = _Dropped(Outcome(complaint, reason), changes)
        most += len(step.refused)
        changes += bool(taken)
        done += [Outcome(complaint) for complaint in taken]
        text, examined = step.text, step.examined
    raise InternalError(f"{path} still changes after {passes} passes", "Fix one rule at a time with --select.")


def _may_be_fixed(
    complaint: LocatedProblem, *, unsafe: bool, wanted: Callable[[str], bool] | None, asked: Collection[str]
) -> bool:
    fix = complaint.problem.fix
    if fix is None or complaint.number < 0 or complaint.releases:
        return False
    if complaint.rule in asked:
        return True
    return (unsafe or fix.applicability is Applicability.SAFE) and (wanted is None or wanted(complaint.rule))


class _Budget:
    """The text that the attempts to fix one file may still look through.

    Args:
        whole: The file's text.
    """

    def __init__(self, whole: str) -> None:
        self._left = CHARACTERS_AT_LEAST + TIMES_THE_FILE * len(whole)

    @property
    def is_spent(self) -> bool:
        """Whether there may be no further attempt."""
        return self._left <= 0

    def spend(self, text: str) -> None:
        """Count one attempt that looks through a text."""
        self._left -= len(text)


class _Step:
    """One pass: everything that stands alone at once; where that fails, what cannot be made is searched by halves.

    Attributes:
        text: The file, as far as it has come.
        examined: The same, looked through.
        refused: What cannot be done, with the reason.
    """

    def __init__(
        self, text: str, examined: FileAnalysis, examine: Callable[[str], FileAnalysis], budget: _Budget
    ) -> None:
        self.text = text
        self.examined = examined
        self.refused: list[tuple[LocatedProblem, str]] = []
        self._examine = examine
        self._budget = budget

    def take(self, waiting: Sequence[LocatedProblem]) -> list[LocatedProblem]:
        """Make the changes; what overlaps an earlier one is left for the next pass.

        Args:
            waiting: The complaints to mend, the most urgent first.

        Returns:
            Those that were mended.
        """
        chosen = self._without_overlaps(waiting)
        looked_at_each = False
        while chosen:
            if self._budget.is_spent:
                self.refused += [(complaint, TOO_MANY_ATTEMPTS) for complaint in chosen]
                return []
            try:
                self._make(chosen)
            except CannotEdit as error:
                if len(chosen) == 1:
                    self.refused.append((chosen[0], error.message))
                    return []
                if not looked_at_each:
                    chosen, looked_at_each = self._possible(chosen), True
                else:  # they get in each other's way: half of them now, the others when the file was looked through
                    chosen = chosen[: len(chosen) // 2]
            else:
                return chosen
        return []

    def _possible(self, chosen: list[LocatedProblem]) -> list[LocatedProblem]:
        """Refuse what cannot be made even alone; halves that can be made together are not looked at one by one."""
        left: list[LocatedProblem] = []
        waiting = [chosen]
        while waiting:
            group = waiting.pop()
            if self._budget.is_spent:
                self.refused += [(complaint, TOO_MANY_ATTEMPTS) for complaint in group]
                continue
            try:
                for number, change in self._carry(group)[0].items():
                    self._budget.spend(change.before)
                    self._check(number, change)
            except CannotEdit as error:
                if len(group) == 1:
                    self.refused.append((group[0], error.message))
                else:
                    half = len(group) // 2
                    waiting += [group[half:], group[:half]]
            else:
                left += group
        return left

    def _without_overlaps(self, waiting: Sequence[LocatedProblem]) -> list[LocatedProblem]:
        chosen: list[LocatedProblem] = []
        edits: dict[int, EditsInOrder] = {}
        added: set[tuple[int, int]] = set()
        for complaint in waiting:
            fix = complaint.problem.fix
            if fix is None:
                continue
            try:
                own = sort(fix.edits)
            except OverlappingEdits as error:
                self.refused.append((complaint, error.message))
                continue
            # where one adds a key, or the section that two keys want, another has to see it first
            adds = {(complaint.number, edit.start) for edit in own if edit.start == edit.end}
            if not added.isdisjoint(adds) or not edits.setdefault(complaint.number, EditsInOrder()).add(own):
                continue
            added |= adds
            chosen.append(complaint)
        return chosen

    def _carry(self, chosen: Sequence[LocatedProblem]) -> tuple[dict[int, Change], list[Edit]]:
        """Carry changes outward; those of objects are checked, those of cloud.confs are yet to be.

        Args:
            chosen: The complaints to mend.

        Returns:
            What becomes of each cloud.conf, by its number, and the edits on the file.

        Raises:
            CannotEdit: One of them cannot be made, or does more than it says.
        """
        examined = self.examined
        meant: dict[int, Change] = {}
        outer: list[Edit] = []
        edits_of: dict[int, list[Edit]] = {}
        for complaint in chosen:
            if complaint.problem.fix is not None:
                edits_of.setdefault(complaint.number, []).extend(complaint.problem.fix.edits)
        for number, unsorted in edits_of.items():
            stack = examined.subjects[number].stack
            edits = sort(unsorted)
            change = changed(stack.inner, edits)
            if number < len(examined.carried):
                meant[number] = change
            else:
                check_yaml(change)
            outer += stack.put(edits)
        return meant, sort(outer)

    def _make(self, chosen: Sequence[LocatedProblem]) -> None:
        """Change the file, or raise `CannotEdit` and leave everything as it was."""
        examined = self.examined
        self._budget.spend(self.text)
        meant, outer = self._carry(chosen)
        text = apply(self.text, outer)
        after = self._examine(text)
        for number, change in meant.items():
            self._check(number, change, after)
        objects = [examined.subjects[one.number] for one in chosen if one.number >= len(examined.carried)]
        _same_confs(examined, after, {number: change.after for number, change in meant.items()}, objects)
        left = Counter(_words(after, complaint) for complaint in after.problems)
        if left:
            before = Counter(_words(examined, complaint) for complaint in examined.problems)
            for words, times in Counter(_words(examined, complaint) for complaint in chosen).items():
                if left[words] > before[words] - times:
                    raise CannotEdit("the finding would still be there")
        _heed_profile(examined, after, chosen)
        self.text, self.examined = text, after

    def _check(self, number: int, change: Change, after: FileAnalysis | None = None) -> None:
        """Compare a cloud.conf with what it becomes; what the file was read for before and after is not read again.

        Args:
            number: Which one.
            change: What becomes of it.
            after: The file with the change in it, where that was looked through.

        Raises:
            CannotEdit: The change does more than it says.
        """
        examined = self.examined
        was = examined.read[number]
        there = after.carried[number : number + 1] if after is not None else ()
        if after is None:
            document = gcfg.parse(change.after)
            schemas = [catalog.schema(one.release, one.consumer) for one in examined.judged]
            readings = [reading.read(document, schema) for schema in schemas]
            compare(change, was.document, document, zip(was.readings, readings, strict=True))
        elif not there or there[0].stack.inner != change.after or after.judged != examined.judged:
            check(change, (catalog.schema(one.release, one.consumer) for one in examined.judged))
        else:
            now = after.read[number]
            compare(change, was.document, now.document, zip(was.readings, now.readings, strict=True))


def _heed_profile(before: FileAnalysis, after: FileAnalysis, chosen: Sequence[LocatedProblem]) -> None:
    """Hold a change to what the profiles of the run want: they have the last word where rules want something else.

    Args:
        before: The file before.
        after: The file after.
        chosen: The complaints that are mended.

    Raises:
        CannotEdit: Another rule's fix would bring a finding of a profile about.
    """
    own = sum(one.rule == PROFILE for one in chosen)
    was, now = (sum(one.rule == PROFILE for one in examined.problems) for examined in (before, after))
    if own < len(chosen) and now > was - own:
        raise CannotEdit("a profile wants something else")


def _same_confs(
    before: FileAnalysis, after: FileAnalysis, meant: Mapping[int, str], objects: Sequence[CarriedConf]
) -> None:
    """Hold the cloud.confs of a file to what a change means them to be.

    What a changed object holds itself may become another text, and may come to light only now: that is why its fix
    stands beside those of cloud.confs.

    Args:
        before: The file before.
        after: The file after.
        meant: The texts that were changed, by their numbers.
        objects: The objects that were changed.

    Raises:
        CannotEdit: A cloud.conf is lost, or another text than it should be.
    """
    texts = [one.stack.inner for one in after.carried]
    if not objects and len(texts) != len(before.carried):
        raise CannotEdit("the file would not hold the same cloud.confs any more")
    position = 0
    owners: dict[str, list[CarriedConf]] = {}
    for one in objects:
        owners.setdefault(one.subject, []).append(one)
    for number, was in enumerate(before.carried):
        if any(_holds(one, was) for one in owners.get(was.subject, ())):
            continue
        text = meant.get(number, was.stack.inner)
        end = len(texts) if objects else position + 1
        try:
            position = texts.index(text, position, end) + 1
        except ValueError:
            raise CannotEdit("the layers around the text cannot carry the change exactly") from None


def _holds(owner: CarriedConf, carried: CarriedConf) -> bool:
    """Whether an object holds a cloud.conf of the same subject itself."""
    layers = owner.stack.layers
    return carried.stack.layers[: len(layers)] == layers


def _words(examined: FileAnalysis, complaint: LocatedProblem) -> tuple[int | str, str, str]:
    """What a complaint is known by after a change; objects have no number that stays, but a name."""
    subject: int | str = complaint.number
    if complaint.number >= len(examined.carried):
        subject = examined.subjects[complaint.number].route
    return (subject, complaint.rule, complaint.problem.label)


def _urgency(complaint: LocatedProblem) -> tuple[bool, int, int]:
    """What stops the CCM first, then by place."""
    return (not complaint.fatal, complaint.number, complaint.problem.span.start)


def _known_by(complaint: LocatedProblem) -> _Known:
    fix = complaint.problem.fix
    return _Known(complaint.number, complaint.rule, complaint.problem.label, fix.title if fix is not None else "")
