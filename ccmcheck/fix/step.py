"""One pass over a file: makes every fix that stands alone, and checks that the file says what it should after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ccmcheck import catalog, gcfg
from ccmcheck.base.edits import EditsInOrder, OverlappingEdits, apply, sort
from ccmcheck.base.errors import BadYaml, CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.conf import reading
from ccmcheck.fix.guard import TextChange, changed, check, compare
from ccmcheck.fix.guard_yaml import check as check_yaml
from ccmcheck.kustomize.bundle import Bundle
from ccmcheck.layers.base import Layer
from ccmcheck.layers.stack import FILE_BEGINS, Stack
from ccmcheck.lint.file_analysis import FileAnalysis, LocatedProblem
from ccmcheck.yamlio import documents

PROFILE = "profile"
"""The rule that finds what deviates from a profile."""

CHARACTERS_AT_LEAST = 4_000_000
TIMES_THE_FILE = 8
"""How much text the attempts to fix one file may look through in all: a file of many fixes that cannot be made together
would take hours."""
TOO_MANY_ATTEMPTS = "too many other fixes of this file cannot be made together with it; fix some of them by hand first"


class Budget:
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


class _OtherTexts(CannotEdit):
    """Cloud.confs would become other texts than they should be: those of these numbers, and maybe more."""

    def __init__(self, numbers: set[int]) -> None:
        super().__init__("the layers around the text cannot carry the change exactly")
        self.numbers = numbers


class _Carried(NamedTuple):
    """What some fixes change.

    Attributes:
        meant: What becomes of each cloud.conf, by its number.
        outer: The edits on the file.
        inner: The edits on each subject, by its number, sorted.
    """

    meant: dict[int, TextChange]
    outer: list[Edit]
    inner: dict[int, list[Edit]]


class FixStep:
    """One pass: everything that stands alone at once; where that fails, what cannot be made is searched by halves.

    Attributes:
        text: The file, as far as it has come.
        examined: The same, looked through.
        refused: What cannot be done, with the reason.
        edits: What was changed in each subject, by its number, sorted.
    """

    def __init__(
        self, text: str, examined: FileAnalysis, examine: Callable[[str], FileAnalysis], budget: Budget
    ) -> None:
        self.text = text
        self.examined = examined
        self.refused: list[tuple[LocatedProblem, str]] = []
        self.edits: dict[int, list[Edit]] = {}
        self._examine = examine
        self._budget = budget

    def take(self, waiting: Sequence[LocatedProblem]) -> list[LocatedProblem]:
        """Make the changes; what overlaps an earlier one is left for the next pass.

        Args:
            waiting: The problems to mend, the most urgent first.

        Returns:
            Those that were mended.
        """
        chosen = self._without_overlaps(waiting)
        looked_at_each = False
        while chosen:
            if self._budget.is_spent:
                self.refused += [(located, TOO_MANY_ATTEMPTS) for located in chosen]
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
                    chosen = self._half(chosen, error)
            else:
                return chosen
        return []

    def _half(self, chosen: list[LocatedProblem], error: CannotEdit) -> list[LocatedProblem]:
        """Half of the changes; where it is known which cloud.confs they spoil, half of those of each.

        One that spoils its cloud.conf alone is refused: what is changed in the others is none of its text.
        """
        spoilt: dict[int, list[LocatedProblem]] = {}
        if isinstance(error, _OtherTexts):
            for located in chosen:
                if located.number in error.numbers:
                    spoilt.setdefault(located.number, []).append(located)
        if not spoilt:
            return chosen[: len(chosen) // 2]
        self.refused += [(of_conf[0], error.message) for of_conf in spoilt.values() if len(of_conf) == 1]
        left = {id(located) for of_conf in spoilt.values() for located in of_conf[: len(of_conf) // 2]}
        return [located for located in chosen if located.number not in spoilt or id(located) in left]

    def _possible(self, chosen: list[LocatedProblem]) -> list[LocatedProblem]:
        """Refuse what cannot be made even alone; halves that can be made together are not looked at one by one."""
        left: list[LocatedProblem] = []
        waiting = [chosen]
        while waiting:
            group = waiting.pop()
            if self._budget.is_spent:
                self.refused += [(located, TOO_MANY_ATTEMPTS) for located in group]
                continue
            try:
                for number, change in self._carry(group).meant.items():
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
        for located in waiting:
            fix = located.problem.fix
            if fix is None:
                continue
            try:
                own = sort(fix.edits)
            except OverlappingEdits as error:
                self.refused.append((located, error.message))
                continue
            # where one adds a key, or the section that two keys want, another has to see it first
            adds = {(located.number, edit.start) for edit in own if edit.start == edit.end}
            if not added.isdisjoint(adds) or not edits.setdefault(located.number, EditsInOrder()).add(own):
                continue
            added |= adds
            chosen.append(located)
        return chosen

    def _carry(self, chosen: Sequence[LocatedProblem]) -> _Carried:
        """Carry changes outward; those of objects are checked, those of cloud.confs are yet to be.

        Args:
            chosen: The problems to mend.

        Returns:
            What becomes of each cloud.conf, and the edits.

        Raises:
            CannotEdit: One of them cannot be made, or does more than it says.
        """
        examined = self.examined
        meant: dict[int, TextChange] = {}
        outer: list[Edit] = []
        unsorted: dict[int, list[Edit]] = {}
        for located in chosen:
            if located.problem.fix is not None:
                unsorted.setdefault(located.number, []).extend(located.problem.fix.edits)
        inner = {number: sort(edits) for number, edits in unsorted.items()}
        of_objects: dict[tuple[Layer, ...], tuple[Stack, list[Edit]]] = {}
        for number, edits in inner.items():
            stack = examined.subjects[number].stack
            if number < len(examined.carried):
                outer += stack.put(edits)  # refuses more than the check does, and is faster
                meant[number] = changed(stack.inner, edits)
            else:  # many objects share one text, which is checked once for all of them
                of_objects.setdefault(stack.layers, (stack, []))[1].extend(edits)
        for stack, unordered in of_objects.values():
            edits = sort(unordered)
            outer += stack.put(edits)
            check_yaml(changed(stack.inner, edits))
        return _Carried(meant, sort(outer), inner)

    def _make(self, chosen: Sequence[LocatedProblem]) -> None:
        """Change the file, or raise `CannotEdit` and leave everything as it was."""
        examined = self.examined
        self._budget.spend(self.text)
        meant, outer, edits = self._carry(chosen)
        text = apply(self.text, outer)
        if text.startswith(FILE_BEGINS):
            _still_yaml(self.text, text)
        after = self._examine(text)
        for number, change in meant.items():
            self._check(number, change, after)
        objects = [examined.subjects[problem.number] for problem in chosen if problem.number >= len(examined.carried)]
        _same_confs(examined, after, {number: change.after for number, change in meant.items()}, objects)
        left = Counter(_words(after, located) for located in after.problems)
        if left:
            before = Counter(_words(examined, located) for located in examined.problems)
            for words, times in Counter(_words(examined, located) for located in chosen).items():
                if left[words] > before[words] - times:
                    raise CannotEdit("the finding would still be there")
        _heed_profile(examined, after, chosen)
        self.text, self.examined, self.edits = text, after, edits

    def _check(self, number: int, change: TextChange, after: FileAnalysis | None = None) -> None:
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
            schemas = [catalog.schema(release.release, release.consumer) for release in was.judged]
            readings = [reading.read(document, schema) for schema in schemas]
            compare(change, was.document, document, zip(was.readings, readings, strict=True))
        elif not there or there[0].stack.inner != change.after or after.judged != examined.judged:
            check(change, (catalog.schema(one.release, one.consumer) for one in was.judged))
        else:
            now = after.read[number]
            compare(change, was.document, now.document, zip(was.readings, now.readings, strict=True))


def _still_yaml(before: str, after: str) -> None:
    """Hold the files of a build to be YAML: where one is none, nothing is built of it, and no finding is left.

    Args:
        before: The files before.
        after: The files after.

    Raises:
        CannotEdit: One would be none any more.
    """
    was = Bundle(before).files()
    for path, text in Bundle(after).files().items():
        if path.endswith((".yaml", ".yml")) and text != was[path] and _is_yaml(was[path]) and not _is_yaml(text):
            raise CannotEdit(f"{path} would not be YAML any more")


def _is_yaml(text: str) -> bool:
    return not any(isinstance(document, BadYaml) for document in documents(text))


def _heed_profile(before: FileAnalysis, after: FileAnalysis, chosen: Sequence[LocatedProblem]) -> None:
    """Hold a change to what the profiles of the run want: they have the last word where rules want something else.

    Args:
        before: The file before.
        after: The file after.
        chosen: The problems that are mended.

    Raises:
        CannotEdit: Another rule's fix would bring a finding of a profile about.
    """
    own = sum(problem.rule == PROFILE for problem in chosen)
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
    other: set[int] = set()
    changed_confs = [(before.carried[number], text) for number, text in meant.items()]
    changes = [(one.subject, _lines(one.stack.inner, text)) for one, text in changed_confs]
    owners: dict[str, list[CarriedConf]] = {}
    for conf in objects:
        owners.setdefault(conf.subject, []).append(conf)
    for number, was in enumerate(before.carried):
        if any(_holds(one, was) for one in owners.get(was.subject, ())):
            continue
        text = meant.get(number, was.stack.inner)
        end = len(texts) if objects else position + 1
        try:
            position = texts.index(text, position, end) + 1
        except ValueError:
            # what several are made from is changed for all of them
            change = _lines(was.stack.inner, texts[position]) if was.stack.is_of_files and not objects else None
            if all(subject == was.subject or change != one for subject, one in changes):
                other.add(number)
            if objects:
                break
            position += 1
    if other:
        raise _OtherTexts(other)


def _lines(before: str, after: str) -> tuple[Counter[str], Counter[str]]:
    """The lines that a change removes, and those that it adds."""
    was, now = Counter(before.split("\n")), Counter(after.split("\n"))
    return was - now, now - was


def _holds(owner: CarriedConf, carried: CarriedConf) -> bool:
    """Whether an object holds a cloud.conf of the same subject itself."""
    layers = owner.stack.layers
    return carried.stack.layers[: len(layers)] == layers


def _words(examined: FileAnalysis, located: LocatedProblem) -> tuple[int | str, str, str]:
    """What a problem is known by after a change; objects have no number that stays, but a name."""
    subject: int | str = located.number
    if located.number >= len(examined.carried):
        subject = examined.subjects[located.number].route
    return (subject, located.rule, located.problem.label)
