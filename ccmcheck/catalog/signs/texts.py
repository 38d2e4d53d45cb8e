"""What a sign in a text or a name is, and the scorer that weighs those that are there for and against each answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeAlias

from ccmcheck.base.data_files import paragraphs, read_text
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import has_one

WHOLE, APPLIED, PAGE = "the text", "the text without comments", "the text of a document"
LOWER = "the text in lower case"  # a pattern for any case takes ten times as long
PATH, NAMESPACE = "the path", "the namespace"
"""What a sign is looked for in."""

Row: TypeAlias = tuple[str, str, int, tuple[str, ...], str, str]
"""A sign as the table has it, with the fields of `TextSign`: plain, as a run needs few of them."""
Question: TypeAlias = Mapping[str, Sequence[Row]]
"""The signs that bear on a question, by what they are looked for in."""


class TextSign(NamedTuple):
    """A sign that was found.

    Attributes:
        says: What it is called.
        answer: What it speaks for; empty for the name that its pattern finds.
        weight: How much it weighs.
        needs: Words that are all there where it is; from the second on one of those between bars.
        pattern: What it looks like; empty where the words are all. One with a group ``sign`` finds other things, too,
            and one with a group ``of`` as well counts only where that is the last of the others before it.
        example: A text that has it, or a path.
    """

    says: str
    answer: str
    weight: int
    needs: tuple[str, ...]
    pattern: str
    example: str


class Weighed(NamedTuple):
    """What the signs speak for.

    Attributes:
        value: The answer; empty where nothing is heavy enough, or two answers are equally heavy.
        signs: The signs of it, the heaviest first.
        against: Those that speak for something else.
    """

    value: str = ""
    signs: tuple[TextSign, ...] = ()
    against: tuple[TextSign, ...] = ()

    @property
    def weight(self) -> int:
        """The weight of its signs."""
        return sum(sign.weight for sign in self.signs)

    @property
    def sign(self) -> str:
        """What the heaviest sign is called; empty for none."""
        return self.signs[0].says if self.signs else ""


UNKNOWN = Weighed()


def weigh(question: Question, texts: dict[str, str], least: int = 1) -> Weighed:
    """Weigh the signs that are there.

    Args:
        question: Its signs.
        texts: What they are looked for in.
        least: The weight that an answer has to have.
    """
    seen: list[tuple[str, Row]] = []
    for place, text in texts.items():
        for row in question.get(place, ()):
            needs = row[3]
            if not needs or needs[0] in text:  # most are not: no call
                seen += [(answer, row) for answer in _answers(row, text)]
    if not seen:
        return UNKNOWN
    weights: dict[str, int] = {}
    for answer, row in seen:
        weights[answer] = weights.get(answer, 0) + row[2]
    value, most = max(weights.items(), key=itemgetter(1))
    if most < least or sum(weight == most for weight in weights.values()) > 1:
        value = ""
    seen.sort(key=lambda one: one[1][2], reverse=True)
    return Weighed(
        value,
        tuple(TextSign._make(row) for answer, row in seen if answer == value),
        tuple(TextSign._make(row) for answer, row in seen if answer != value),
    )


def _answers(row: Row, text: str) -> Iterable[str]:
    """What a sign speaks for in a text; nothing where the text does not have it."""
    answer, needs, pattern = row[1], row[3], row[4]
    for word in needs[1:]:
        if not has_one(text, word.split("|")):
            return ()
    if not pattern:
        return (answer,)
    whole, sign = _compiled(pattern)
    if not answer:
        return {match.group() for match in whole.finditer(text)}
    is_there = sign.search(text) is not None and (sign is whole or any(_places(whole, text)))
    return (answer,) if is_there else ()


@cache
def _compiled(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A pattern, and its group ``sign`` alone, which is looked for first: what stands before it takes long to find."""
    whole, sign = re.compile(pattern), pattern.partition("(?P<sign>")[2]
    return whole, re.compile(sign.removesuffix(")")) if sign else whole


def _places(pattern: re.Pattern[str], text: str) -> Iterator[bool]:
    """For each place of a pattern's group ``sign``, whether it counts."""
    before = ""
    for match in pattern.finditer(text):
        if match.lastgroup == "sign":
            yield before == "of" or "of" not in pattern.groupindex
        else:
            before = match.lastgroup or before


def read_signs(name: str, words: Mapping[str, str]) -> list[dict[str, list[str]]]:
    """Read a file of signs; below its comment are parts of patterns, which stand as ``@PART@`` in what follows.

    Args:
        name: The file.
        words: Further parts.
    """
    text = read_text(__file__, name)
    _, parts, _ = text.split("\n\n", 2)
    known = dict(words)
    for part, (pattern,) in paragraphs(parts)[0].items():
        known[part] = _filled(pattern, known)
    return paragraphs(_filled(text, known))[1:]


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items() if "@" in text else ():
        text = text.replace(f"@{name}@", word)
    return text
