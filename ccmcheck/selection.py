"""Which rules run, and how severe they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.errors import WrongUse
from ccmcheck.rules import GROUP_OF, GROUPS
from ccmcheck.suppress import META as UNUSED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from ccmcheck.model import Severity

RULE_NAMES: tuple[str, ...] = (*GROUP_OF, UNUSED.name)
"""Every name that a finding can have."""


def severities(
    select: Collection[str], ignore: Collection[str], changed: Mapping[str, Severity | None]
) -> dict[str, Severity | None]:
    """Turn what was selected, ignored and changed into one answer a rule.

    Args:
        select: The only rules or groups to run; empty for all.
        ignore: Rules or groups not to run.
        changed: Severities that replace the rules' own; None switches a rule off.

    Returns:
        The rules whose severity changes; None for those that do not run.

    Raises:
        WrongUse: There is no rule or group of a name.
    """
    found: dict[str, Severity | None] = dict(changed)
    if select:
        chosen = set(_rules(select))
        found.update((name, None) for name in RULE_NAMES if name not in chosen)
    found.update((name, None) for name in _rules(ignore))
    return found


def _rules(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        if name in GROUPS:
            yield from GROUPS[name]
        elif name in RULE_NAMES:
            yield name
        else:
            from ccmcheck.suggest import hint

            raise WrongUse(
                f"There is no rule or group `{name}`.",
                hint(name, (*RULE_NAMES, *GROUPS)) or "`ccmcheck rules` lists them all.",
            )
