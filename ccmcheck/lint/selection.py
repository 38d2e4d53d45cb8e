"""Which rules run, how severe they are, and which of them could not judge because an input is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.result import SkippedRule
from ccmcheck.carriers.base import RunContext
from ccmcheck.rules import GROUP_OF, GROUPS, RULE_NAMES
from ccmcheck.rules.registry import ENTRIES

THE_CONF = "the cloud.conf"
INPUTS: dict[str, tuple[str, Callable[[RunContext, Collection[str]], bool]]] = {
    "the CCM's pod": ("lint its manifest together with the file", lambda run, _: bool(run.pods)),
    "the node count": ("--nodes", lambda run, _: run.facts.nodes is not None or bool(run.nodes)),
    "the Kubernetes version": ("--kubernetes-version", lambda run, _: bool(run.facts.kubernetes_version)),
    "the cluster's networks": (
        "a profile with pod-cidrs and node-cidrs",
        lambda run, _: bool(run.facts.pod_cidrs or run.facts.node_cidrs),
    ),
    "the Octavia release": ("--octavia-release", lambda run, _: bool(run.facts.octavia_release)),
    THE_CONF: ("lint it together with the Services", lambda run, _: not run.unconfigured),
    "a profile": ("--profile", lambda run, _: bool(run.requirements)),
    "that the in-tree provider reads the file": ("--consumer legacy-in-tree", lambda _, by: "legacy-in-tree" in by),
}
"""What a rule's ``needs`` may name: how to give it, and whether it was given."""


def rules_not_judged(
    ran: Collection[str], run_context: RunContext, consumers: Collection[str]
) -> tuple[SkippedRule, ...]:
    """The rules that could not judge because an input is missing.

    Args:
        ran: The rules that ran.
        run_context: What was given.
        consumers: Who the files were judged for.
    """
    return tuple(
        SkippedRule(name, ", ".join(f"{need} ({INPUTS[need][0]})" for need in missing))
        for name in GROUP_OF
        if name in ran
        and (run_context.services or "Service" not in ENTRIES[name].kinds)
        and (missing := [need for need in ENTRIES[name].needs if not INPUTS[need][1](run_context, consumers)])
    )


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
            from ccmcheck.base.suggest import hint

            raise WrongUse(
                f"There is no rule or group `{name}`.",
                hint(name, (*RULE_NAMES, *GROUPS)) or "`ccmcheck rules` lists them all.",
            )
