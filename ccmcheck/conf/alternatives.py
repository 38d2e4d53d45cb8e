"""The texts that the conditions of a template make of one cloud.conf.

Where nobody knows which of them is used, what is behind a condition is unknown, as a mark of the template is. The
linter looks at each condition by itself: never at all combinations, which would be two to the power of their number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.span_index import joined_spans
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.layers.masked import Masked
from ccmcheck.yamlio import branches
from ccmcheck.yamlio.branches import Arm, Branches
from ccmcheck.yamlio.mark import TemplateMark

_MOST_NAMED = 2
MOST_ARMS = 40
"""Conditions of one text that are looked at one by one; Kubespray's template of a cloud.conf has 20."""


class Alternative(NamedTuple):
    """One of the texts.

    Attributes:
        conf: The cloud.conf with that text; places in it are those of the template.
        kept: The arms that are kept in it.
        where: The tags of the conditions that hold, for people.
    """

    conf: CarriedConf
    kept: frozenset[Arm]
    where: str = ""


def branches_of(carried: CarriedConf) -> Branches | None:
    """The conditions of a cloud.conf that are undecided; None where there are none."""
    if len(carried.text) != len(carried.stack.inner):
        return None
    return branches.in_template(carried.text, carried.marks)


def undecided(carried: CarriedConf) -> CarriedConf:
    """The cloud.conf with all that a condition may take away as unknown."""
    conditions = branches_of(carried)
    if conditions is None:
        return carried
    return carried._replace(marks=joined_spans([*carried.marks, *(arm.body for arm in conditions.arms)]))


def alternatives(carried: CarriedConf, conditions: Branches) -> list[Alternative]:
    """The texts of a cloud.conf that are looked at, see `Branches.states`.

    Args:
        carried: The cloud.conf.
        conditions: Its conditions.
    """
    found: list[Alternative] = []
    undecided_marks = [mark for mark in carried.marks if mark not in conditions.tags]
    for state in conditions.states():
        kept = frozenset(arm for arm in conditions.arms if arm.stays(state))
        hidden = joined_spans([arm.body for arm in conditions.arms if arm not in kept])
        layer = Masked(carried.stack.inner, [TemplateMark(span, "comment") for span in hidden if span.end > span.start])
        marks = tuple(mark for mark in undecided_marks if not _is_within(mark, hidden))
        conf = carried._replace(stack=carried.stack.push(layer), marks=marks)
        found.append(Alternative(conf, kept, _where(carried.text, kept)))
    return found


def _where(text: str, kept: frozenset[Arm]) -> str:
    """Which conditions hold."""
    tags = sorted({arm.tag for arm in kept if arm.number < len(arm.fact)})
    named = " and ".join(text[tag.start : tag.end] for tag in tags[:_MOST_NAMED])
    more = f" and {len(tags) - _MOST_NAMED} more" if len(tags) > _MOST_NAMED else ""
    return f"where {named}{more}" if tags else "where no condition holds"


def _is_within(mark: Span, spans: Sequence[Span]) -> bool:
    index = bisect_right(spans, mark.start, key=lambda span: span.start) - 1
    return index >= 0 and mark.end <= spans[index].end
