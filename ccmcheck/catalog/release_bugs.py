"""The bugs that one release of a program has, and what mends them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ccmcheck.catalog.behaviour import behaves, fixed_in
from ccmcheck.catalog.data.behaviour import stretches
from ccmcheck.catalog.data.release_bugs import BUGS, SERVICE_CONDITIONS, ReleaseBug
from ccmcheck.catalog.releases import Release
from ccmcheck.catalog.releases import release as release_of

_MOST_OTHERS = 20
"""Of several bugs, how many are named beside the worst."""
UNMENDED = "No release mends it yet."
NAMES = {"ccm": "CCM", "legacy-in-tree": "the in-tree provider of Kubernetes"}
"""What to call the programs that are no drivers."""


@cache
def bugs_of(program: str, at: Release) -> tuple[ReleaseBug, ...]:
    """The bugs of a release, the worst first."""
    return tuple(bug for bug in BUGS if bug.program == program and behaves(bug.behaviour, at))


def mended_in(bugs: Sequence[ReleaseBug], at: Release) -> str:
    """The first tags without any of some bugs that later releases mend, as `fixed_in` writes them for one."""
    lists = [tags for bug in bugs if (tags := fixed_in(bug.behaviour, at))]
    return max(lists, default="", key=lambda tags: _tag(tags.split(" or ")[-1], bugs[0]))


def _tag(name: str, bug: ReleaseBug) -> Release:
    return release_of(name, bug.program if bug.program in NAMES else "ccm")


def _mending_worst(bugs: Sequence[ReleaseBug], at: Release) -> str:
    """The first tags without the first of some bugs, and without those of the others that come back in them."""
    tags = fixed_in(bugs[0].behaviour, at).split(" or ")
    for bug in bugs if tags[0] else ():
        tags = [free for tag in tags for free in _without(bug, tag, at).split(" or ")]
    return " or ".join(dict.fromkeys(tags))


def _without(bug: ReleaseBug, tag: str, at: Release) -> str:
    """A tag, or the first after it without a bug that was mended before and is back in it."""
    mended, then = fixed_in(bug.behaviour, at).partition(" or ")[0], _tag(tag, bug)
    is_back = bool(mended) and then.at_least(mended) and behaves(bug.behaviour, then)
    return (fixed_in(bug.behaviour, then) if is_back else "") or tag


def told(
    bugs: Sequence[ReleaseBug], at: Release, name: str, *, met: bool = False, command: str = ""
) -> tuple[str, str, str]:
    """What to say of some bugs of a release together: label, detail and remedy.

    Args:
        bugs: At least one, the worst first.
        at: The release.
        name: The program's name.
        met: Whether the files show that their conditions on Services are met.
        command: The command that lists all bugs of the release; empty where none does.
    """
    worst, *others = bugs
    mended, all_mended = _mending_worst(bugs, at), mended_in(bugs, at)
    upgrade = f"Upgrade to {mended} or newer." if mended else UNMENDED
    if not others:
        return f"{name} {at.name} {worst.label}", _detail(worst, met=met), f"{upgrade} {worst.do}".strip()
    lines = [f"• it {bug.label}{_mended(bug, at)}." for bug in others[:_MOST_OTHERS]]
    if command and len(others) > _MOST_OTHERS:
        lines.append(f"• {len(others) - _MOST_OTHERS} more: `{command}`.")
    all_of_them = "All of them" if all(fixed_in(bug.behaviour, at) for bug in bugs) else "All that releases mend"
    return (
        f"{name} {at.name} has {len(bugs)} known bugs that show in some clusters: it {worst.label}",
        "\n".join([f"{_detail(worst, met=met)} {'Another' if len(others) == 1 else 'Others'}:", *lines]),
        f"{upgrade}{'' if mended == all_mended else f' {all_of_them} are mended in {all_mended}.'} {worst.do}".strip(),
    )


def _mended(bug: ReleaseBug, at: Release) -> str:
    tags = fixed_in(bug.behaviour, at)
    return f" (until {tags})" if tags else ""


def _detail(bug: ReleaseBug, *, met: bool = False) -> str:
    where = bug.when if met else shown_by(bug)
    return f"{bug.detail} It shows where {where}." if where else bug.detail


def shown_by(bug: ReleaseBug) -> str:
    """Where a bug shows, as far as keys of cloud.conf do not say it; empty where it shows everywhere."""
    return " and ".join([*(f"a Service {words_of(one)}" for one in bug.service), *filter(None, [bug.when])])


def conditions_of(bug: ReleaseBug) -> str:
    """All conditions of a bug, for people."""
    keys = [f"`{key.replace('=', ' = ')}` is set" for key in bug.on] + [f"`{key}` is not set" for key in bug.without]
    return " and ".join(filter(None, [*keys, shown_by(bug)]))


def words_of(condition: str) -> str:
    """A condition on a Service, after ``a Service``."""
    kind, _, name = condition.partition(" ")
    if kind == "annotation":
        return "has the annotation `{}`".format(name.replace("=", ": "))
    return f"has a port of {name}" if kind == "protocol" else SERVICE_CONDITIONS[condition][0]


def place_of(condition: str) -> tuple[str, ...]:
    """The field of a Service that shows a condition."""
    kind, _, name = condition.partition(" ")
    if kind == "annotation":
        name = name.partition("=")[0]
        return "metadata", "annotations", name if "/" in name else f"loadbalancer.openstack.org/{name}"
    dotted = "spec.ports" if kind == "protocol" else SERVICE_CONDITIONS[condition][1]
    annotation = dotted.removeprefix("metadata.annotations.")
    return ("metadata", "annotations", annotation) if annotation != dotted else tuple(dotted.split("."))


def listed(rule: str) -> str:
    """All bugs that a rule is about, a line each, for its page."""
    return "\n\n".join(
        f"* {bug.program} {spans_of(bug)} {bug.label} ({bug.source})"
        for bug in BUGS
        if (bug.program in NAMES) is (rule == "ccm-release-bug")
    )


def spans_of(bug: ReleaseBug) -> str:
    """The releases that have a bug."""
    return ", ".join(_span(bug, *one) for one in stretches(bug.behaviour))


def _span(bug: ReleaseBug, since: str, before: str) -> str:
    of = "Kubernetes " if bug.program == "legacy-in-tree" else ""
    if not before:
        return f"{of}{since} and newer" if since else "all releases"
    return f"{of}{since} until {of}{before}" if since else f"before {of}{before}"
