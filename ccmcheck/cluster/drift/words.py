"""Parts of a drift in words, the same in every form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.drift.records import LEFT, REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.drift.records import Change, Compared, Difference, Drift

OWNS_MORE = "or another field of the same manager then"


def verdict(drift: Drift) -> str:
    """The result, one line."""
    if not drift.compared and not drift.only_git and not drift.only_live:
        return "nothing could be compared"
    parts = []
    differing = len(drift.differing)
    if differing:
        of = len(drift.compared)
        parts.append(f"{differing} of {of} objects {'differs' if differing == 1 else 'differ'} from git")
    for lone, where in ((drift.only_git, "only in git"), (drift.only_live, "only in the cluster")):
        if lone:
            parts.append(f"{len(lone)} {where}")
    if parts:
        return ", ".join(parts)
    return f"no drift: {len(drift.compared)} object{'' if len(drift.compared) == 1 else 's'} compared"


def difference_words(difference: Difference) -> str:
    """One difference."""
    if difference.is_secret:
        return f"{difference.name}: {_presence(difference)}"
    git = _value(difference.git, is_set=difference.in_git)
    live = _value(difference.live, is_set=difference.in_cluster)
    return f"{difference.name}: git {git}, live {live}"


def _presence(difference: Difference) -> str:
    if difference.in_git and difference.in_cluster:
        return "differs"
    return "only git sets it" if difference.in_git else "only the live object sets it"


def _value(value: str, *, is_set: bool) -> str:
    if is_set:
        return value or "empty"
    return f"{value} (default)" if value else "not set"


def details(difference: Difference) -> Iterator[str]:
    """What belongs to one difference."""
    if difference.changed is not None:
        yield f"last changed {change_words(difference.changed)}"
    if difference.sync == LEFT:
        yield "a sync leaves it: git does not set it, and what applies git does not own it"
    elif difference.sync == REMOVED:
        yield "a sync removes it: git does not set it any more"


def change_words(change: Change) -> str:
    """Who changed a field, and when."""
    words = f"by {change.manager or 'somebody'} ({change.operation})" if change.operation else f"by {change.manager}"
    if not change.time:
        return words
    return f"{words} at {change.time}" + (f", {OWNS_MORE}" if change.owns_more else "")


def use_words(compared: Compared) -> str:
    """Which text of a cloud.conf the CCM uses; empty where that is unknown."""
    changed = f"changed {change_words(compared.changed)}" if compared.changed is not None else ""
    if compared.uses == "live":
        words = f"the CCM, started at {compared.started}, uses the live text"
        return f"{words}, {changed}" if changed else words
    if compared.uses == "older":
        return (
            f"the CCM, started at {compared.started}, uses an older text than the live one, {changed}: "
            "the live one holds after its next restart"
        )
    if compared.uses == "unknown":
        return f"the CCM, started at {compared.started}, may use an older text than the live one, {changed}"
    return f"the live text was {changed}" if changed else ""
