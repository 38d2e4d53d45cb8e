"""The cloud.conf that a profile implies where the platform keeps its own to itself, or none is among the files."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.profile import Requirement
from ccmcheck.catalog import Release
from ccmcheck.policy.profiles.evaluation import prescribed_value, release_mismatch


def stand_in(requirements: Iterable[Requirement], release: Release) -> str:
    """The text of a cloud.conf with the values that profiles require or call usual; empty where they name none.

    Args:
        requirements: Those of the profiles.
        release: The CCM's release; what a profile says of other releases is left out.
    """
    sections: dict[str, dict[str, str]] = {}
    for requirement in requirements:
        value = _value(requirement)
        if value and not requirement.when and not release_mismatch(requirement, release):
            sections.setdefault(requirement.section, {})[requirement.key] = value
    return "".join(
        f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
        for section, keys in sections.items()
    )


def _value(requirement: Requirement) -> str | None:
    if requirement.check == "usual":
        return requirement.default or (requirement.values[0] if len(set(requirement.values)) == 1 else None)
    return prescribed_value(requirement)
