"""A drift as a report: the cluster, the verdict, each object that differs, what a sync changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.core import blocks as b
from ccmcheck.cluster.core import review_report, written
from ccmcheck.cluster.drift.records import LEFT, REMOVED, Compared, Drift, DriftedValue, FieldChange, Lone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.core import blocks as b

    Json = dict[str, object]


_MOST = 20
"""Objects of a kind that are listed; ``-v`` lists all."""


def as_lines(drift: Drift, form: str, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """A drift for people.

    Args:
        drift: The drift.
        form: ``text`` or ``markdown``.
        verbose: 1 for what is equal or was not compared, too; 2 for the bodies of requests.
        quiet: Whether the differences are all.

    Yields:
        Lines.
    """
    yield from written(_blocks(drift, verbose, quiet=quiet), form)
    if drift.sync is not None:
        yield ""
        write = review_report.as_markdown if form == "markdown" else review_report.as_text
        yield from write(drift.sync, verbose=verbose, quiet=quiet)


def _blocks(drift: Drift, verbose: int, *, quiet: bool) -> Iterator[b.Block]:
    yield b.Heading(drift.identity.line, 3, below=(f"CCM {drift.release}: {verdict(drift)}",))
    shown = [one for one in drift.compared if one.differences or one.unknown or verbose]
    most = len(shown) if verbose else _MOST
    for compared in shown[:most]:
        if compared.differences or verbose:
            yield _compared(compared)
    if len(shown) > most:
        yield b.Paragraph(f"… and {len(shown) - most} more; -v shows them")
    for title, lone in (("Only in git", drift.only_git), ("Only in the cluster", drift.only_live)):
        if lone:
            yield b.ReportSection(
                title, (b.ItemList(tuple(map(_lone, lone if verbose else lone[:_MOST])), is_plain=True),), 4
            )
            if len(lone) > _MOST and not verbose:
                yield b.Paragraph(f"… and {len(lone) - _MOST} more; -v shows them")
    if quiet:
        return
    notes = list(_notes(drift, verbose))
    if notes:
        yield b.ReportSection("Not compared", (b.ItemList(tuple(map(b.ListItem, notes)), is_plain=True),), 4)


def _compared(compared: Compared) -> b.Block:
    items = [b.ListItem(difference_words(one), "warn", details=tuple(details(one))) for one in compared.differences]
    use = use_words(compared)
    blocks: list[b.Block] = [b.Paragraph(use)] if use else []
    if items:
        blocks.append(b.ItemList(tuple(items)))
    elif not compared.differences:
        blocks.append(b.Paragraph("no difference"))
    return b.ReportSection(compared.subject, tuple(blocks), 4, (compared.place,))


def _lone(lone: Lone) -> b.ListItem:
    aside = lone.place or (change_words(lone.changed) if lone.changed is not None else "")
    return b.ListItem(f"{lone.subject}  {aside}" if aside else lone.subject)


def _notes(drift: Drift, verbose: int) -> Iterator[str]:
    yield from drift.notes
    unknown = [f"{one.subject}: {', '.join(one.unknown)}" for one in drift.compared if one.unknown]
    yield from (f"known only after rendering: {text}" for text in (unknown if verbose else unknown[:_MOST]))
    count = len(drift.elsewhere)
    if count:
        named = f": {', '.join(one.subject for one in drift.elsewhere)}" if verbose else ""
        yield f"{count} Service{'' if count == 1 else 's'} in namespaces that git has no Services for{named}"


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


def difference_words(difference: DriftedValue) -> str:
    """One difference."""
    if difference.is_secret:
        return f"{difference.name}: {_presence(difference)}"
    git = _value(difference.git, is_set=difference.in_git)
    live = _value(difference.live, is_set=difference.in_cluster)
    return f"{difference.name}: git {git}, live {live}"


def _presence(difference: DriftedValue) -> str:
    if difference.in_git and difference.in_cluster:
        return "differs"
    return "only git sets it" if difference.in_git else "only the live object sets it"


def _value(value: str, *, is_set: bool) -> str:
    if is_set:
        return value or "empty"
    return f"{value} (default)" if value else "not set"


def details(difference: DriftedValue) -> Iterator[str]:
    """What belongs to one difference."""
    if difference.changed is not None:
        yield f"last changed {change_words(difference.changed)}"
    if difference.sync == LEFT:
        yield "a sync leaves it: git does not set it, and what applies git does not own it"
    elif difference.sync == REMOVED:
        yield "a sync removes it: git does not set it any more"


def change_words(change: FieldChange) -> str:
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


VERSION = 1


def as_data(drift: Drift) -> Json:
    """Everything as plain data; keys stay, new ones may come."""
    return {
        "version": VERSION,
        "cluster": {**drift.identity._asdict(), "line": drift.identity.line},
        "paths": list(drift.paths),
        "release": drift.release,
        "verdict": verdict(drift),
        "drift": not drift.is_none,
        "partial": bool(drift.failures),
        "compared": [_compared_data(one) for one in drift.compared],
        "only_git": [_lone_data(one) for one in drift.only_git],
        "only_live": [_lone_data(one) for one in drift.only_live],
        "elsewhere": [_lone_data(one) for one in drift.elsewhere],
        "sync": review_report.as_data(drift.sync) if drift.sync is not None else None,
        "notes": list(drift.notes),
        "failures": [
            {"path": failure.path, "message": failure.message, "hint": failure.hint} for failure in drift.failures
        ],
    }


def _compared_data(one: Compared) -> Json:
    return {
        **one._asdict(),
        "differences": [{**each._asdict(), "changed": _change_data(each.changed)} for each in one.differences],
        "unknown": list(one.unknown),
        "changed": _change_data(one.changed),
    }


def _lone_data(one: Lone) -> Json:
    return {**one._asdict(), "changed": _change_data(one.changed)}


def _change_data(change: FieldChange | None) -> Json | None:
    return change._asdict() if change is not None else None
