"""The bugs that one release of a program has, and what mends them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.behaviour import stretches
from ccmcheck.catalog.data.release_bugs import BUGS, ReleaseBug
from ccmcheck.catalog.releases import Release, release


@cache
def bugs_of(program: str, at: Release) -> tuple[ReleaseBug, ...]:
    """The bugs of a release, the worst first."""
    return tuple(bug for bug in BUGS if bug.program == program and behaves(bug.behaviour, at))


def mended_in(bugs: Sequence[ReleaseBug], at: Release) -> str:
    """The first tags without any of some bugs of a release, as `fixed_in` writes them for one."""
    lists = [fixed_in(bug.behaviour, at) for bug in bugs]
    return max(lists, key=lambda tags: release(tags.split(" or ")[-1]))


def told(bugs: Sequence[ReleaseBug], at: Release, name: str) -> tuple[str, str, str]:
    """What to say of some bugs of a release together: label, detail and remedy.

    Args:
        bugs: At least one, the worst first.
        at: The release.
        name: The program's name.
    """
    worst = bugs[0]
    mended, all_mended = fixed_in(worst.behaviour, at), mended_in(bugs, at)
    upgrade = f"Upgrade to {mended} or newer."
    if len(bugs) == 1:
        return f"{name} {at.name} {worst.label}", _detail(worst), f"{upgrade} {worst.do}".strip()
    return (
        f"{name} {at.name} has {len(bugs)} known bugs that show in some clusters: it {worst.label}",
        f"{_detail(worst)} Another: it {bugs[1].label}.",
        upgrade if mended == all_mended else f"{upgrade} All of them are mended in {all_mended}.",
    )


def _detail(bug: ReleaseBug) -> str:
    return f"{bug.detail} It shows where {bug.when}." if bug.when else bug.detail


def listed(rule: str) -> str:
    """All bugs that a rule is about, a line each, for its page."""
    return "\n\n".join(
        f"* {bug.program} {', '.join(_span(*one) for one in stretches(bug.behaviour))} {bug.label} ({bug.source})"
        for bug in BUGS
        if (bug.program == "ccm") is (rule == "ccm-release-bug")
    )


def _span(since: str, before: str) -> str:
    return f"{since} until {before}" if since else f"before {before}"
