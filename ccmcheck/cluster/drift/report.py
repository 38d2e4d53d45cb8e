"""A drift as a report: the cluster, the verdict, each object that differs, what a sync changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.core import blocks as b
from ccmcheck.cluster.core import review_report, written
from ccmcheck.cluster.drift.records import Drift
from ccmcheck.cluster.drift.words import change_words, details, difference_words, use_words, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cluster.core import blocks as b
    from ccmcheck.cluster.drift.records import Compared, Lone

_MOST = 20
"""Objects of a kind that are listed; ``-v`` lists all."""


def as_data(drift: Drift) -> dict[str, object]:
    """The report as plain data, for JSON."""
    from ccmcheck.cluster.drift.json_form import as_data as data_of

    return data_of(drift)


def as_text(drift: Drift, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """A drift for a terminal.

    Args:
        drift: The drift.
        verbose: 1 for what is equal or was not compared, too; 2 for the bodies of requests.
        quiet: Whether the differences are all.

    Yields:
        Lines.
    """
    yield from written(_blocks(drift, verbose, quiet=quiet), "text")
    if drift.sync is not None:
        yield ""
        yield from review_report.as_text(drift.sync, verbose=verbose, quiet=quiet)


def as_markdown(drift: Drift, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """A drift as Markdown.

    Args:
        drift: The drift.
        verbose: See `as_text`.
        quiet: See `as_text`.

    Yields:
        Lines.
    """
    yield from written(_blocks(drift, verbose, quiet=quiet), "markdown")
    if drift.sync is not None:
        yield ""
        yield from review_report.as_markdown(drift.sync, verbose=verbose, quiet=quiet)


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
            yield b.Section(title, (b.Items(tuple(map(_lone, lone if verbose else lone[:_MOST])), is_plain=True),), 4)
            if len(lone) > _MOST and not verbose:
                yield b.Paragraph(f"… and {len(lone) - _MOST} more; -v shows them")
    if quiet:
        return
    notes = list(_notes(drift, verbose))
    if notes:
        yield b.Section("Not compared", (b.Items(tuple(map(b.Item, notes)), is_plain=True),), 4)


def _compared(compared: Compared) -> b.Block:
    items = [b.Item(difference_words(one), "warn", details=tuple(details(one))) for one in compared.differences]
    use = use_words(compared)
    blocks: list[b.Block] = [b.Paragraph(use)] if use else []
    if items:
        blocks.append(b.Items(tuple(items)))
    elif not compared.differences:
        blocks.append(b.Paragraph("no difference"))
    return b.Section(compared.subject, tuple(blocks), 4, (compared.place,))


def _lone(lone: Lone) -> b.Item:
    aside = lone.place or (change_words(lone.changed) if lone.changed is not None else "")
    return b.Item(f"{lone.subject}  {aside}" if aside else lone.subject)


def _notes(drift: Drift, verbose: int) -> Iterator[str]:
    yield from drift.notes
    unknown = [f"{one.subject}: {', '.join(one.unknown)}" for one in drift.compared if one.unknown]
    yield from (f"known only after rendering: {text}" for text in (unknown if verbose else unknown[:_MOST]))
    count = len(drift.elsewhere)
    if count:
        named = f": {', '.join(one.subject for one in drift.elsewhere)}" if verbose else ""
        yield f"{count} Service{'' if count == 1 else 's'} in namespaces that git has no Services for{named}"
