"""The page on create-monitor as a report: the walk through the matrix alone, or the whole page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.document import blocks as b
from ccmcheck.review.create_monitor.words import (
    headline,
    judged,
    misses,
    others_rows,
    outcomes,
    row_text,
    snippet,
    timers_rows,
    timers_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.document.blocks import Block, Tone
    from ccmcheck.review.create_monitor.records import Argument, QuestionPage, ServiceCase

_WIDTH = 10
_MOST_SERVICES = 20
"""A comment of a merge request holds some 60,000 characters."""

APPLIES: dict[bool | None, Tone] = {True: "warn", False: "off", None: "info"}


def as_text(page: QuestionPage, width: int = 0, *, whole: bool = True, verbose: int = 0) -> Iterator[str]:
    """The page for a terminal.

    Args:
        page: The page.
        width: Columns to wrap at; 0 for none.
        whole: False for the walk through the matrix alone.
        verbose: 1 for all Services, the rows tried, and what does not apply here.

    Yields:
        Lines.
    """
    from ccmcheck.document import text

    return text.write(blocks(page, whole=whole, verbose=verbose), width)


def as_markdown(page: QuestionPage, *, whole: bool = True, verbose: int = 0) -> Iterator[str]:
    """The page as Markdown.

    Args:
        page: The page.
        whole: False for the walk through the matrix alone.
        verbose: 1 for all Services, the rows tried, and what does not apply here.

    Yields:
        Lines.
    """
    from ccmcheck.document import markdown

    return markdown.write(blocks(page, whole=whole, verbose=verbose))


def blocks(page: QuestionPage, *, whole: bool, verbose: int) -> Iterator[Block]:
    """The page as blocks; arguments as for `as_text`."""
    yield from _walk(page, verbose, tried=not whole or bool(verbose))
    if not whole:
        return
    if page.summary:
        yield b.Section("In short", (b.Items(tuple(b.Item(claim.text) for claim in page.summary)),))
    yield b.Section(page.asked, tuple(map(b.Paragraph, page.answer)), 2)
    if page.figures or page.scripts:
        rows = [b.Row(figure.label, figure.now, figure.then) for figure in page.figures]
        rows += [
            b.Row(f"{script.name} use case ({script.policy})", script.now_text, script.then_text)
            for script in page.scripts
        ]
        yield b.Section("This cluster", (b.Comparison("", tuple(rows), ("now", "then")),))
    if page.timers:
        table = b.Table("", ("", "delay/timeout/up/down", "refused", "silent", "probes/s"), tuple(timers_rows(page)))
        yield b.Section(f"Timers, for {page.timers_for}", (table,))
    yield _arguments("For create-monitor = true", page.arguments_for, verbose)
    yield _arguments("Against it", page.arguments_against, verbose)
    yield _arguments("Caveats with it on", page.risks, verbose)
    if page.instead:
        yield _arguments("What else would do", page.instead, verbose)
    yield from _draft(page)
    steps = tuple(
        b.Fact(
            step.when,
            (f"{step.effect:<4} {step.who}: {step.what}{f' ({step.why})' if step.why else ''} ", b.Source(step.source)),
        )
        for step in page.timeline
    )
    yield b.Section("Who switched it on or off, and why", (b.Facts(steps, is_prose=True),))
    yield b.Section("What others set", (b.Items(tuple(_setter(*row) for row in others_rows(page)), is_plain=True),))
    yield b.Section("What would change the answer", (b.Items(tuple(map(b.Item, page.would_change))),))
    links = tuple(b.Item(b.Link(link.title, link.url)) for link in page.links)
    yield b.Section("Links", (b.Items(links, is_plain=True),))
    if page.assumed and verbose:
        yield b.Section("Assumed", (b.Items(tuple(map(b.Item, page.assumed))),))


def _setter(name: str, value: str, timers: str, how: str, where: b.Text) -> b.Item:
    """What one project sets: the source on a line of its own, because it is long."""
    return b.Item((b.Strong(name), f": {', '.join(filter(None, (value, timers, how)))}"), details=(where,))


def _draft(page: QuestionPage) -> Iterator[Block]:
    if page.draft:
        steps = tuple(b.Fact(step.when, (f"{step.what} ", b.Source(step.source))) for step in page.draft)
        yield b.Section("What became of the draft", (b.Facts(steps, is_prose=True),))
    if page.open_questions:
        items = tuple(b.Item(asked.question, details=(asked.answer,)) for asked in page.open_questions)
        yield b.Section("What is open today", (b.Items(items),))


def _walk(page: QuestionPage, verbose: int, *, tried: bool) -> Iterator[Block]:
    advised = page.recommendation
    yield b.Heading(headline(advised), 2, below=("   ".join(judged(page)),))
    if page.stop:
        yield b.Items((b.Item(f"with this file {page.stop}", "bad"),))
    written = snippet(advised)
    if written:
        yield b.Console(written, "ini", inset=4)
    rows = f" ({', '.join(advised.rows)})" if advised.rows else ""
    facts: list[tuple[str, ...]] = [("why", f"{advised.why}{rows}"), ("timers", timers_text(advised))]
    facts += [("needed", need) for need in advised.needs] + [("note", note) for note in page.notes]
    yield b.Section("", (_facts(facts),))
    for case in page.services if verbose else page.services[:_MOST_SERVICES]:
        yield _service(case, tried=tried, known=advised.timers_why)
    if len(page.services) > _MOST_SERVICES and not verbose:
        yield b.Paragraph(f"… and {len(page.services) - _MOST_SERVICES} more Services; -v shows them")


def _service(case: ServiceCase, *, tried: bool, known: str) -> Block:
    where = f"{case.path}:{case.line}" if case.path and case.line else case.path
    facts: list[tuple[str, ...]] = [(case.row or "?", row_text(case))]
    facts += [("besides", text) for text in case.actions] + [("caution", text) for text in case.cautions]
    if case.timers_why not in known:
        facts.append(("timers", timers_text(case)))
    for annotation, value in case.annotations:
        said = f'annotation {annotation}: "{value}"' if value is not None else f"delete the annotation {annotation}"
        facts.append(("write", said))
    facts += outcomes(case)
    rows = [f"{sign} {', '.join(rows)}: {why}" for sign, rows, why in misses(case)]
    if tried and rows:
        facts.append(("tried", *rows))
    aside = ("" if case.stand_in else case.policy, " ".join(case.ports), where)
    title: b.Text = case.service if case.stand_in else ("Service ", b.Code(case.service))
    return b.Section(title, (_facts(facts),), aside=aside)


def _facts(facts: Iterable[tuple[str, ...]]) -> Block:
    """Each a label, its text, and what follows on lines of its own; those without a text are left out."""
    shown = (b.Fact(label, text, details=tuple(details)) for label, text, *details in facts if text)
    return b.Facts(tuple(shown), _WIDTH, is_prose=True)


def _arguments(title: str, arguments: Sequence[Argument], verbose: int) -> Block:
    shown = [argument for argument in arguments if verbose or argument.applies is not False]
    items = [
        b.Item(
            (f"{argument.text}.{f' Here: {argument.here}.' if argument.here else ''} ", b.Source(argument.source)),
            APPLIES[argument.applies],
        )
        for argument in shown
    ]
    if len(shown) < len(arguments):
        items.append(b.Item(f"{len(arguments) - len(shown)} more that do not apply here; -v shows them", "off"))
    return b.Section(title, (b.Items(tuple(items)),))
