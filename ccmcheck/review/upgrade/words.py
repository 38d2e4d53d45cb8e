"""An upgrade in words: what changes, one line each, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.base.model import Finding
    from ccmcheck.review.upgrade.behaviour_changes import BehaviourEffect
    from ccmcheck.review.upgrade.keys import KeyChange
    from ccmcheck.review.upgrade.meaning import Upgrade
    from ccmcheck.review.upgrade.service import ServiceEffect

WORDS = {
    "vanishes": "is ignored from {since} on",
    "comes to life": "was ignored, and counts from {since} on: {after}",
    "default": "is not set; its default changes in {since} from {before} to {after}",
    "value": "is read as {after} from {since} on, as {before} before",
}
_MOST_NAMED = 3


def lines(upgrade: Upgrade, new: str) -> Iterator[tuple[str, str]]:
    """What changes, in the order of what hurts most, each with what to do."""
    if upgrade.error_after is not None and upgrade.error_before is None:
        yield f"stops: the CCM does not start from {upgrade.fatal_since} on: {upgrade.error_after}", ""
    elif upgrade.error_after is not None:
        yield f"stops: the CCM {new} does not start, nor does the old one: {upgrade.error_after}", ""
    elif upgrade.error_before is not None:
        yield f"starts again: the old release ends with: {upgrade.error_before}", ""
    for flag in upgrade.flags:
        fails = "accept" if "=" in flag.flag else "know"
        yield f"stops: the CCM does not {fails} {flag.flag} of {flag.subject} from {flag.since} on, and ends", flag.do
    yield from (behaviour_line(effect) for effect in upgrade.turns if effect.severity is Severity.ERROR)
    yield from _services(upgrade, Severity.ERROR)
    yield from (key_line(change) for change in upgrade.keys)
    yield from (behaviour_line(effect) for effect in upgrade.turns if effect.severity is Severity.WARNING)
    yield from _services(upgrade, Severity.WARNING)
    yield from (_finding("new", finding) for finding in upgrade.appear)
    for where, error in upgrade.fatal_between:
        yield f"on the way: the CCM does not start in {where}: {error}", "Do not stop there."
    yield from (behaviour_line(effect) for effect in upgrade.turns if effect.severity is Severity.INFO)
    yield from _services(upgrade, Severity.INFO)
    yield from (_finding("gone", finding) for finding in upgrade.gone)
    if upgrade.is_quiet:
        yield "nothing changes", ""


def key_line(change: KeyChange) -> tuple[str, str]:
    """One key in a line, and what to do."""
    words = WORDS[change.kind].format(
        since=change.since + (f" (not in {change.but_not})" if change.but_not else ""),
        before=change.before or "nothing",
        after=change.after or "nothing",
    )
    line = f" (line {change.line})" if change.line else ""
    return f"{change.kind}: [{change.section}] {change.key}{line} {words}", change.do


def behaviour_line(effect: BehaviourEffect) -> tuple[str, str]:
    """One change of behaviour in a line, and what to do."""
    but_not = f" (not in {effect.but_not})" if effect.but_not else ""
    head = (
        f"on the way, in {effect.since}: "
        if effect.edge == "between"
        else f"behaviour, from {effect.since}{but_not} on: "
    )
    named = _named(effect.services)
    return f"{head}{effect.text}{f' ({named})' if named else ''}", effect.do


def _services(upgrade: Upgrade, severity: Severity) -> Iterator[tuple[str, str]]:
    """What becomes of the Services; those of which the same is said together, but for their own names in it."""
    said: dict[str, list[ServiceEffect]] = {}
    for change in upgrade.services:
        if change.severity is severity:
            said.setdefault(_without_name(change), []).append(change)
    for text, changes in said.items():
        shown = changes[0].text if len(changes) == 1 else text
        services = [change.service for change in changes]
        yield f"Service{'s' * (len(services) > 1)} {_named(services)}: {shown}", ""


def _without_name(change: ServiceEffect) -> str:
    """What becomes of a Service, with its name left out of the CCM's errors and of names of load balancers."""
    return change.text.replace(change.service, "…").replace(change.service.replace("/", "_"), "…")


def _named(services: Sequence[str]) -> str:
    """The first of some Services, and how many others there are."""
    more = len(services) - _MOST_NAMED
    return ", ".join(services[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _finding(word: str, finding: Finding) -> tuple[str, str]:
    line = f" (line {finding.place.inner_line})" if finding.place.inner_line else ""
    return (
        f"{word}: {finding.severity.word} {finding.rule}{line}: {finding.label}",
        finding.help if word == "new" else "",
    )
