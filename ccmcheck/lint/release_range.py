"""What of a text holds at every release that may be the one that runs, and what at some of them only.

What holds at all of them is reported as at one release. What holds at some names these: at nearly all it keeps its
severity, as whoever runs one of the others is the exception; else it is information.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccmcheck.base.model import Problem, Severity, Span
from ccmcheck.catalog.upgrade_path import release_ranges
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.file_analysis import Hit
from ccmcheck.rules.registry import ENTRIES

_MOST, _MOST_WITH_NEWEST = 0.9, 0.75


def joined(
    problems: Mapping[tuple[str, Problem], Hit], judged: Sequence[TargetRelease]
) -> dict[tuple[str, Problem], Hit]:
    """Join what was found at each of several releases, one of which runs.

    Args:
        problems: What was found at them, each with the releases.
        judged: The releases, the newest first.

    Returns:
        What a rule says of one place at all of them, in the words for the newest and with its fix where that is the
        same; and what it says at some.
    """
    found: dict[tuple[str, Problem], Hit] = {}
    in_part: dict[tuple[str, Span], list[tuple[Problem, Hit]]] = {}
    for (name, problem), hit in problems.items():
        if len(hit.releases) == len(judged) or not ENTRIES[name].per_release:
            found[name, problem] = hit
        else:
            in_part.setdefault((name, problem.span), []).append((problem, hit))
    for (name, _), several in in_part.items():
        problem, hit = several[0]
        fix = problem.fix
        at = {release for _, one in several for release in one.releases}
        if len(at) == len(judged):
            worst = min(one.severity for _, one in several)
            is_fatal = all(one.fatal for _, one in several)
            hit = hit._replace(severity=worst, releases=tuple(one.release.name for one in judged), fatal=is_fatal)
        else:
            severity = min(one.severity for _, one in several) if _are_nearly_all(at, judged) else Severity.INFO
            hit = hit._replace(severity=severity, releases=(_named(at, judged),), fatal=False)
            fix = None
        if any(other.fix != fix for other, _ in several):
            fix = None
        found[name, problem._replace(fix=fix)] = hit
    return found


def _are_nearly_all(names: set[str], judged: Sequence[TargetRelease]) -> bool:
    """Whether some of the releases are nine of ten, or three of four with the newest, where a moving tag ends."""
    share = len(names) / len(judged)
    return share >= _MOST or (share >= _MOST_WITH_NEWEST and judged[0].release.name in names)


def _named(names: set[str], judged: Sequence[TargetRelease]) -> str:
    """Some of the releases as a message names them: ``v1.22.2 and older``, ``v1.24.0 to v1.26.2``."""
    path = [one.release for one in reversed(judged)]
    named = release_ranges((release for release in path if release.name in names), path)
    first, comma, others = named.partition(", ")
    oldest, _, last = first.partition(" to ")
    return f"{last or oldest} and older{comma}{others}" if oldest == path[0].name else named
