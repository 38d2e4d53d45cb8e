"""Behaviour of the CCM that comes or goes on the way from one release to another, and that no key shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Release
from ccmcheck.catalog.behaviour import behaves, behaviour_changes
from ccmcheck.catalog.data_types import BehaviourChange
from ccmcheck.catalog.upgrade_path import release_ranges
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.service_conditions import MetCase
from ccmcheck.review.upgrade.conditions import applies_to

_CCM = "kubernetes/cloud-provider-openstack"
"""The source of whatever was read at the CCM's tags."""

_LEVELS = {severity.word: severity for severity in Severity}


class BehaviourEffect(NamedTuple):
    """One change of behaviour on the way.

    Attributes:
        behaviour: Its name in the catalogue.
        edge: ``begins``, ``ends``, or ``between`` where neither end of the way has it.
        severity: How much it matters.
        since: The first release on the way that does otherwise; for ``between`` those that do.
        but_not: Later releases on the way that do as before; may be empty.
        text: What it is, in a clause.
        do: What to do; may be empty.
        services: Which Services it concerns; empty for all, or where none are known.
        source: Where it can be read; the first release that does otherwise, where nothing more is known.
    """

    behaviour: str
    edge: str
    severity: Severity
    since: str
    but_not: str
    text: str
    do: str
    services: tuple[str, ...]
    source: str


def behaviour_effects(
    on_the_way: Sequence[Release], case: MetCase, services: Mapping[str, Service]
) -> tuple[BehaviourEffect, ...]:
    """Find the changes of behaviour that concern a configuration, the worst first, then by release.

    Args:
        on_the_way: The releases, oldest first.
        case: The configuration before and after.
        services: The Services by what to call them; empty when none are known.
    """
    effects = [effect for change in behaviour_changes() for effect in _effects(change, on_the_way, case, services)]
    order = {release.name: at for at, release in enumerate(on_the_way)}

    def rank(effect: BehaviourEffect) -> tuple[int, bool, int]:
        first = effect.since.partition(" ")[0].rstrip(",")
        return -effect.severity, effect.edge == "between", order[first]

    return tuple(sorted(effects, key=rank))


def _effects(
    change: BehaviourChange, on_the_way: Sequence[Release], case: MetCase, services: Mapping[str, Service]
) -> Iterator[BehaviourEffect]:
    first, *between, last = on_the_way
    before, after = behaves(change.behaviour, first), behaves(change.behaviour, last)
    if before is after:
        having = [release for release in between if behaves(change.behaviour, release)]
        if before or not having or change.level == "info":
            return
        edge, text, do, severity = "between", change.begins, change.begins_do, Severity.INFO
        since, but_not = release_ranges(having, on_the_way), ""
    else:
        edge = "begins" if after else "ends"
        text, do, level = (
            (change.begins, change.begins_do, change.level)
            if after
            else (change.ends, change.ends_do, change.ends_level)
        )
        severity = _LEVELS[level]
        at = next(at for at, one in enumerate(on_the_way) if behaves(change.behaviour, one) is after)
        since = on_the_way[at].name
        back = [one for one in on_the_way[at:] if behaves(change.behaviour, one) is before]
        but_not = release_ranges(back, on_the_way)
    if not text:
        return
    concerns, which = applies_to(change.concerns, case, services)
    if concerns:
        source = change.source or f"{_CCM} {since}"
        yield BehaviourEffect(change.behaviour, edge, severity, since, but_not, text, do, which, source)
