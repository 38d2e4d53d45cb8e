"""Whether a finding is suppressed, by whom, and which suppressions are unused.

An unused suppression is a finding itself: it hides the next mistake on its line, and a misspelt one hides nothing at
all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ccmcheck.base.directives import ANNOTATION, Suppression, parse_annotation, parse_comments
from ccmcheck.base.globs import matches
from ccmcheck.base.model import Problem, Span
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.rules.registry import UNUSED

__all__ = ["PathIgnores", "Suppression", "Suppressions", "parse_annotation", "parse_comments", "unused_problems"]

Identity = tuple[str, str, str]
"""What a suppression belongs to, a rule that it names, and the line that it is about."""

_LONGEST_NAME = 40
"""Code points of an unknown rule's name that a message repeats."""


class Suppressions:
    """The suppressions of one text; remembers which of them were needed.

    Args:
        found: What its comments say, and the annotation of its object.
        text: The text.
    """

    def __init__(self, suppressions: Iterable[Suppression] = (), text: str = "") -> None:
        self._found = list(suppressions)
        self._text = text
        self._by_place: dict[tuple[str, int], list[int]] = {}
        self._used: set[tuple[int, str]] = set()
        for index, suppression in enumerate(self._found):
            for rule in suppression.rules:
                self._by_place.setdefault((rule, suppression.applies_to_line), []).append(index)

    @classmethod
    def of(cls, carried: CarriedConf) -> Suppressions:
        """The suppressions of one cloud.conf: its own comments, by its own lines, and its object's annotation."""
        annotated = (Suppression((rule,), (Span(0, 0),), 0, 0, Span(0, 0), reason) for rule, reason in carried.ignores)
        return cls([*parse_comments(carried.text), *annotated], carried.text)

    def identities(self, subject: str) -> Iterator[Identity]:
        """What makes each rule of each suppression the same in another version of the text.

        Args:
            subject: What the text belongs to.
        """
        for suppression in self._found:
            line = self._line(suppression)
            for rule in suppression.rules:
                yield subject, rule, line

    def approved(self, subject: str, approved: Counter[Identity]) -> Suppressions:
        """Those of the suppressions that another version of the text has, too.

        Args:
            subject: What the text belongs to.
            approved: How often the other version has each; what is used is taken off.
        """
        kept = []
        for suppression in self._found:
            line = self._line(suppression)
            numbers = []
            for number, rule in enumerate(suppression.rules):
                if approved[subject, rule, line] > 0:
                    approved[subject, rule, line] -= 1
                    numbers.append(number)
            if numbers or suppression.fault:
                rules = tuple(suppression.rules[number] for number in numbers)
                spans = tuple(suppression.rule_spans[number] for number in numbers)
                kept.append(suppression._replace(rules=rules, rule_spans=spans))
        return Suppressions(kept, self._text)

    def _line(self, suppression: Suppression) -> str:
        """The line that a suppression is about; empty for a whole text or object."""
        if not suppression.applies_to_line:
            return ""
        lines = self._lines
        return lines[suppression.applies_to_line - 1].strip() if len(lines) >= suppression.applies_to_line else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    def __bool__(self) -> bool:
        return bool(self._found)

    def covers(self, rule: str, *lines: int) -> bool:
        """Whether a finding is suppressed; its suppressions count as used from now on.

        Args:
            rule: The finding's rule.
            lines: Where it stands, and the line of the scalar that holds it where that is another one, from 1.
        """
        if not self._by_place:
            return False
        covered = False
        for line in (*lines, 0):
            for index in self._by_place.get((rule, line), ()):
                self._used.add((index, rule))
                covered = True
        return covered

    def unused(self) -> list[tuple[Suppression, int]]:
        """Every rule of a suppression that suppressed nothing so far, as the suppression and the rule's index in it.

        A suppression that also names ``unused-suppression`` is left alone, and ``ignore-file[unused-suppression]``
        leaves all of them alone.
        """
        if (UNUSED.name, 0) in self._by_place:
            return []
        return [
            (suppression, number)
            for index, suppression in enumerate(self._found)
            if UNUSED.name not in suppression.rules
            for number, rule in enumerate(suppression.rules)
            if (index, rule) not in self._used
        ]

    def malformed(self) -> list[Suppression]:
        """The comments that were meant for ccmcheck and cannot be understood."""
        return [suppression for suppression in self._found if suppression.fault]


def unused_problems(
    suppressions: Suppressions, known: Collection[str], judged: Container[str] | None = None, *, alone: bool = True
) -> Iterator[Problem]:
    """Report unused suppressions, once `Suppressions.covers` was called for all findings of a text.

    Args:
        suppressions: Those of the text.
        known: The names of all rules.
        judged: The rules that ran; a suppression of another one may be needed next time. None when all ran.
        alone: False where the object carries further texts that its annotation may be needed for.

    Yields:
        Problems of the rule `UNUSED`, by their place; an annotation's stand at the start of the text.
    """
    for suppression in suppressions.malformed():
        yield Problem(suppression.span, f"this comment {suppression.fault}")
    for suppression, number in suppressions.unused():
        rule, span = suppression.rules[number], suppression.rule_spans[number]
        source = "this comment" if suppression.line else f"the annotation {ANNOTATION}"
        if rule not in known:
            from ccmcheck.base.suggest import hint

            shown = rule if len(rule) <= _LONGEST_NAME else rule[: _LONGEST_NAME - 1] + "…"
            yield Problem(
                span,
                f"there is no rule `{shown}`, so {source} is ignored",
                help=hint(rule, known) or "`ccmcheck rules` lists them all.",
            )
        elif (judged is None or rule in judged) and (alone or suppression.line):
            where = f"on line {suppression.applies_to_line}" if suppression.applies_to_line else "in this file"
            yield Problem(
                span,
                f"{rule} finds nothing {where}, so {source} is unused",
                help="Delete it, so that it cannot hide a later mistake.",
            )


class PathIgnores:
    """The rules that the configuration switches off for some paths.

    Args:
        ignores: From a pattern (see `ccmcheck.base.globs`) to the names of the rules.
    """

    def __init__(self, ignores: Mapping[str, Sequence[str]]) -> None:
        self._ignores = ignores

    def __bool__(self) -> bool:
        return bool(self._ignores)

    def rules_for(self, path: str) -> frozenset[str]:
        """The rules that are off for a path, which is relative to the configuration's folder, with forward slashes."""
        return frozenset(rule for pattern, rules in self._ignores.items() if matches(pattern, path) for rule in rules)
