"""Another release in words: what changes, one line each, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Finding, Severity
from ccmcheck.base.suggest import first_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.upgrade.behaviour_changes import BehaviourEffect
    from ccmcheck.review.upgrade.keys import KeyChange
    from ccmcheck.review.upgrade.meaning import Upgrade

WORDS: dict[str, str] = dict(read_table(__file__, "key_words.tsv"))
_MOST_NAMED = 3


def upgrade_lines(upgrade: Upgrade) -> Iterator[tuple[str, str]]:
    """What another release changes in a cloud.conf, line by line, each with what to do; points have the rest."""
    yield from map(key_line, upgrade.keys)
    yield from (behaviour_line(effect) for effect in upgrade.turns if effect.severity < Severity.WARNING)
    yield from (_finding("new", finding) for finding in upgrade.appear)
    yield from (_finding("gone", finding) for finding in upgrade.gone)


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
    named = first_of(effect.services, _MOST_NAMED)
    return f"{head}{effect.text}{f' ({named})' if named else ''}", effect.do


def _finding(word: str, finding: Finding) -> tuple[str, str]:
    line = f" (line {finding.place.inner_line})" if finding.place.inner_line else ""
    return (
        f"{word}: {finding.severity.word} {finding.rule}{line}: {finding.headline}",
        finding.help if word == "new" else "",
    )
