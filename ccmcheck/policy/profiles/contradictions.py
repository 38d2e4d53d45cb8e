"""Requirements of several profiles that no file can satisfy together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.profile import SOFT, Requirement
from ccmcheck.conf.reading import typed
from ccmcheck.policy.profiles.checks import find_key
from ccmcheck.policy.profiles.description import expected_values
from ccmcheck.policy.profiles.evaluation import prescribed_value, satisfies


def refuse_contradictions(requirements: Sequence[Requirement]) -> None:
    """Refuse requirements of which one prescribes a value that another does not allow.

    Args:
        requirements: Of all profiles of a run.

    Raises:
        WrongUse: There are such requirements.
    """
    by_key: dict[tuple[str, str], list[Requirement]] = {}
    for requirement in requirements:
        if requirement.check not in SOFT:
            by_key.setdefault((requirement.section, requirement.key), []).append(requirement)
    for several in by_key.values():
        for one, other in permutations(several, 2):
            if other.when == one.when and _contradicts(one, other):
                raise WrongUse(
                    f"The profiles {one.profile} and {other.profile} contradict each other: one requires "
                    f"{expected_values(one)} for {one.key}, the other {expected_values(other)}.",
                    "Fix with one of them, or state the value in a profile of your own that extends both.",
                )


def _contradicts(requirement: Requirement, other: Requirement) -> bool:
    """Whether the first prescribes a value that the second does not allow."""
    value = prescribed_value(requirement)
    key = find_key(requirement.section, requirement.key)
    if value is None or key is None or other.check == "present":
        return False
    if other.check == "absent":
        return not other.values or value in other.values
    return not satisfies(other, typed(key.type, value)[0], key.type)
