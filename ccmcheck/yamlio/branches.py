"""Conditions of a template: which parts of a text stand there together.

Two conditions of the same words are one fact, and so is a chain of ``if``, ``elif`` and ``else``. A loop is none: what
is in it counts as it stands. A condition within a line, as in ``key={% if x %}a{% endif %}``, is none either: the
value is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.yamlio import marks as template_marks
from ccmcheck.yamlio.mark import TemplateMark

_TAG = lazy_regex(r"(?P<sign>\{%|\{\{|%\{|<%)[-+~]?\s*+(?P<word>[a-z]++)\b\s*+")
_CLOSERS = "}%>~- \t\r\n"
_IF = {"if": False, "with": False, "unless": True}
_ELSE = frozenset(("else", "elif", "elsif"))
_END = frozenset(("end", "endif", "endfor"))
_LOOPS = {
    "{%": frozenset(("for",)),
    "%{": frozenset(("for",)),
    "{{": frozenset(("range", "define", "block")),
    "<%": frozenset(("for", "while", "case", "begin")),
}
SIGNS = tuple(_LOOPS)
"""What begins a tag that may be a condition."""
_NOT = lazy_regex(r"(?:not\b\s*+|!\s*+)(?P<rest>(?:(?!\b(?:and|or|is|in)\b)[^()&|=<>!])++)\Z")
"""What a negation is about, where it is about the whole condition."""
_SPACE = lazy_regex(r"\s+")
_DEEPEST = 20


class Arm(NamedTuple):
    """One of the parts of which a condition keeps one.

    Attributes:
        fact: The texts of the conditions that choose.
        number: Which of them it belongs to; their number for the part that stays where none holds.
        tag: The tag before it.
        body: What is kept.
        around: The arms that it lies in, each as its fact and index.
    """

    fact: tuple[str, ...]
    number: int
    tag: Span
    body: Span
    around: tuple[tuple[tuple[str, ...], int], ...] = ()

    def stays(self, state: dict[tuple[str, ...], int]) -> bool:
        """Whether it is kept where the facts are these."""
        return state[self.fact] == self.number


class Branches(NamedTuple):
    """The conditions of a text.

    Attributes:
        arms: In the order of their blocks' ends.
        tags: The tags of the conditions.
    """

    arms: list[Arm]
    tags: frozenset[Span]

    def around(self, span: Span) -> frozenset[Arm]:
        """The arms that a place lies in."""
        return frozenset(arm for arm in self.arms if arm.body.start <= span.start < arm.body.end)

    def states(self) -> list[dict[tuple[str, ...], int]]:
        """What is looked at: the first arm of each condition, none, and each arm alone with those around it."""
        facts = dict.fromkeys(arm.fact for arm in self.arms)
        none = {fact: len(fact) for fact in facts}
        alone = {(arm.fact, arm.number): arm for arm in reversed(self.arms)}
        states = [dict.fromkeys(facts, 0), none]
        states += ({**none, **dict(arm.around), arm.fact: arm.number} for arm in reversed(alone.values()))
        return list({tuple(state.values()): state for state in states}.values())


class _ConditionBlock:
    """A condition or a loop that is open.

    Args:
        sign: The sign that begins its tags.
        outer: The block around it, with the number of the arm of that.
        conditions: Its first condition; none for a loop.
        tags: The tag that opens it; none for a loop.
        is_negated: Whether the first arm is kept where the condition does not hold.
    """

    __slots__ = ("conditions", "is_negated", "outer", "sign", "tags")

    def __init__(
        self,
        sign: str,
        outer: tuple[_ConditionBlock, int] | None,
        conditions: Sequence[str] = (),
        tags: Sequence[Span] = (),
        *,
        is_negated: bool = False,
    ) -> None:
        self.sign = sign
        self.outer = outer
        self.conditions = list(conditions)
        self.tags = list(tags)
        self.is_negated = is_negated

    def index(self, number: int) -> int:
        """Which state of its fact keeps an arm."""
        return len(self.conditions) - number if self.is_negated else number

    def around(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The arms that it lies in."""
        place = self.outer
        for _ in range(_DEEPEST):
            if place is None:
                return
            block, number = place
            if block.tags:
                yield tuple(block.conditions), block.index(number)
            place = block.outer


def in_template(written: str, masked: Sequence[Span]) -> Branches | None:
    """The conditions of a text, of which the marks are known by their places.

    Args:
        written: The text with its marks as written.
        masked: The places of its marks.
    """
    if not masked or not any(sign in written for sign in SIGNS):
        return None
    places = frozenset(masked)
    return find(written, [mark for mark in template_marks.find(written) if mark.span in places])


def find(text: str, marks: Sequence[TemplateMark]) -> Branches | None:
    """Find the conditions of a text.

    Args:
        text: The text with its marks.
        marks: All marks in it, in order.

    Returns:
        The conditions; None where there are none, or some tag does not fit the others.
    """
    open_blocks: list[_ConditionBlock] = []
    closed: list[_ConditionBlock] = []
    for mark in marks:
        match = _TAG.match(text, mark.span.start, mark.span.end) if mark.kind == "control" else None
        if match is None:
            continue
        sign, word = match["sign"], match["word"]
        rest = _SPACE.sub(" ", text[match.end() : mark.span.end].rstrip(_CLOSERS))
        outer = (open_blocks[-1], len(open_blocks[-1].tags) - 1) if open_blocks else None
        if word in _IF:
            condition, is_negated = _positive(rest)
            open_blocks.append(
                _ConditionBlock(sign, outer, [condition], [mark.span], is_negated=is_negated != _IF[word])
            )
        elif word in _LOOPS[sign] or (sign == "<%" and " do" in rest):
            open_blocks.append(_ConditionBlock(sign, outer))
        elif word in _ELSE or word in _END:
            if not open_blocks or open_blocks[-1].sign != sign:
                return None
            block = open_blocks[-1]
            if block.tags:
                block.tags.append(mark.span)
            if word in _END:
                closed.append(open_blocks.pop())
            elif word != "else" or rest:
                _add_condition(block, rest.removeprefix("if ").removeprefix("with "))
    closed = [block for block in closed if block.tags and _has_own_lines(text, block.tags)]
    return None if open_blocks or not closed else _branches(closed)


def _branches(blocks: list[_ConditionBlock]) -> Branches:
    arms = [
        Arm(tuple(block.conditions), block.index(number), tag, Span(tag.end, following.start), tuple(block.around()))
        for block in blocks
        for number, (tag, following) in enumerate(pairwise(block.tags))
    ]
    return Branches(arms, frozenset(tag for block in blocks for tag in block.tags))


def _positive(condition: str) -> tuple[str, bool]:
    """A condition without its negation, and whether it had one."""
    negated = _NOT.match(condition)
    return (negated["rest"].strip(), True) if negated is not None else (condition, False)


def _add_condition(block: _ConditionBlock, condition: str) -> None:
    """Take the condition of an ``elif``; that of a loop's ``else`` is none."""
    if block.is_negated:
        block.conditions[0] = f"not {block.conditions[0]}"
        block.is_negated = False
    if block.tags:
        block.conditions.append(condition)


def _has_own_lines(text: str, tags: Sequence[Span]) -> bool:
    """Whether nothing else stands on the lines before and behind a condition."""
    before = text[text.rfind("\n", 0, tags[0].start) + 1 : tags[0].start]
    line_end = text.find("\n", tags[-1].end)
    behind = text[tags[-1].end : line_end if line_end >= 0 else len(text)]
    return not before.strip() and not behind.strip()
