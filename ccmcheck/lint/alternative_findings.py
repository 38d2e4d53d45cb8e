"""What holds in the texts that a template's conditions make, joined to what is said of the template.

What holds wherever its place is in the text is said as of any text. What holds in some of them is information that
names the condition. What more text takes away is about something missing: it counts where all of them agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccmcheck.base.model import Note, Problem, Severity, Span
from ccmcheck.lint.file_analysis import Hit
from ccmcheck.yamlio.branches import Arm, Branches

_ONE = "only where this condition holds"
_NOT = "only where this condition does not hold"
_ELSE = "only where none of these conditions holds"
_SEVERAL = "This is so only where several of the template's conditions hold."


def joined_alternatives(
    found: Sequence[tuple[frozenset[Arm], Mapping[tuple[str, Problem], Hit]]], conditions: Branches
) -> dict[tuple[str, Problem], Hit]:
    """Join what was found in each text.

    Args:
        found: The arms that are kept in a text, and what was found in it.
        conditions: The conditions of the template.
    """
    by_place: dict[tuple[str, Span, str], dict[int, tuple[Problem, Hit]]] = {}
    for number, (_, problems) in enumerate(found):
        for (name, problem), hit in problems.items():
            by_place.setdefault((name, problem.span, problem.label), {}).setdefault(number, (problem, hit))
    joined: dict[tuple[str, Problem], Hit] = {}
    for (name, span, _), at in by_place.items():
        around = conditions.around(span)
        kept = {number: arms for number, (arms, _) in enumerate(found) if around <= arms}
        problem, hit = next(iter(at.values()))
        if any(other.fix != problem.fix for other, _ in at.values()):
            problem = problem._replace(fix=None)
        hit = hit._replace(
            severity=max(one.severity for _, one in at.values()), fatal=any(one.fatal for _, one in at.values())
        )
        with_it = [arms for number, arms in kept.items() if number in at]
        without = [arms for number, arms in kept.items() if number not in at]
        if with_it and without:
            is_read = problem.stop is not None and problem.stop.kind != "no-section"  # in some texts by another section
            if not is_read and (
                (1 in at and not around) or any(_chosen(arms) < _chosen(more) for arms in with_it for more in without)
            ):
                continue
            is_of_several = set(at) == {0} and len(_chosen(found[0][0])) > 1  # nothing is known of one of them alone
            deciding = frozenset() if is_of_several else frozenset.intersection(*with_it).difference(*without)
            if not deciding and any(conditions.around(note.span) - around for note in problem.notes):
                continue  # two places that different conditions keep
            absent = frozenset.intersection(*without).difference(*with_it) if is_read and not deciding else frozenset()
            problem = _qualified(problem, deciding, absent)
            hit = hit if absent else hit._replace(severity=Severity.INFO, fatal=False)
        joined[name, problem] = hit
    return joined


def _chosen(arms: frozenset[Arm]) -> frozenset[Arm]:
    """The arms that a condition chooses, without those where none holds."""
    return frozenset(arm for arm in arms if arm.number < len(arm.fact))


def _qualified(problem: Problem, deciding: frozenset[Arm], absent: frozenset[Arm]) -> Problem:
    """A problem with the condition that it depends on, without a fix, which might be wrong where that is otherwise.

    Args:
        problem: The problem.
        deciding: The arms without which it is not there.
        absent: Those with which it is not there.
    """
    if absent:
        note = Note(min(arm.tag for arm in absent), _NOT)
        return problem._replace(fix=None, notes=(*problem.notes, note))
    if not deciding:
        return problem._replace(fix=None, detail=f"{problem.detail} {_SEVERAL}".lstrip())
    arm = min(deciding, key=lambda arm: arm.tag.start)
    note = Note(arm.tag, _ELSE if arm.number == len(arm.fact) else _ONE)
    return problem._replace(fix=None, notes=(*problem.notes, note))
