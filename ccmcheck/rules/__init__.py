"""The rules: one file each, in folders by group; `ccmcheck.rules.registry` lists them.

A rule is a line of the registry, a module with its ``check``, and its page (`ccmcheck.explain.rules`) beside the module.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from ccmcheck.base.model import Problems
from ccmcheck.rules.registry import REGISTRY, UNUSED

GROUPS: dict[str, tuple[str, ...]] = {
    group: tuple([entry.name for entry in entries]) for group, entries in REGISTRY.items()
}
"""The rules' names by group."""

GROUP_OF: dict[str, str] = {name: group for group, names in GROUPS.items() for name in names}
"""The group of each rule; its keys are all rule names in the order in which they run."""

RULE_NAMES: tuple[str, ...] = (*GROUP_OF, UNUSED.name)
"""Every name that a finding can have."""


class Rule(Protocol):
    """The shape of a rule's module."""

    def check(self, view: Any, /) -> Problems:  # noqa: ANN401 - a CloudConf, a Manifest or a ServiceView, as its kinds say
        """Yield the rule's problems with one cloud.conf or, where its line names kinds, one object."""
        ...


@cache
def rule(name: str) -> Rule:
    """Load the rule of a name in ``GROUP_OF``; a KeyError where there is none."""
    return cast("Rule", import_module(f"ccmcheck.rules.{GROUP_OF[name]}.{name.replace('-', '_')}"))
