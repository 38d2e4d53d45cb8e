"""The page on create-monitor as Markdown: the walk through the matrix alone, or the whole page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.review.change.markdown_form import cell
from ccmcheck.review.create_monitor.words import (
    comparison,
    heading,
    looked_after,
    misses,
    said_of,
    timers_rows,
    value_of,
)
from ccmcheck.review.page.of_question import headline, snippet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.review.create_monitor.records import Argument, QuestionPage, ServiceCase


_MOST_SERVICES = 20
"""A comment of a merge request holds some 60,000 characters."""


def walk(page: QuestionPage, *, verbose: int = 0) -> Iterator[str]:
    """What cloud.conf and each Service should say, and the rows that were tried.

    Args:
        page: The page.
        verbose: 1 for all Services.

    Yields:
        Lines.
    """
    return _walk(page, verbose, tried=True)


def _walk(page: QuestionPage, verbose: int, *, tried: bool) -> Iterator[str]:
    advised = page.recommendation
    yield f"## {cell(headline(advised))}"
    yield ""
    yield cell(heading(page))
    yield ""
    if page.stop:
        yield f"**With this file {cell(page.stop)}**"
        yield ""
    written = snippet(advised)
    if written:
        yield from ("```ini", *written.split("\n"), "```", "")
    rows = f" ({', '.join(advised.rows)})" if advised.rows else ""
    yield f"- Why: {cell(advised.why)}{rows}"
    if advised.timers or advised.timers_why:
        yield f"- Timers: {cell(': '.join(filter(None, (advised.timers, advised.timers_why))))}"
    for need in advised.needs:
        yield f"- Needed: {cell(need)}"
    for note in page.notes:
        yield f"- Note: {cell(note)}"
    yield ""
    shown = page.services if verbose else page.services[:_MOST_SERVICES]
    for case in shown:
        yield from _service(case, tried=tried)
    if len(page.services) > len(shown):
        yield from (f"… and {len(page.services) - len(shown)} more Services; `-v` shows them.", "")


def write(page: QuestionPage, *, verbose: int = 0) -> Iterator[str]:
    """The whole page.

    Args:
        page: The page.
        verbose: 1 for all Services, and the rows tried for each.

    Yields:
        Lines.
    """
    yield from _walk(page, verbose, tried=bool(verbose))
    yield f"## {page.asked}"
    yield ""
    for text in page.answer:
        yield from (cell(text), "")
    if page.figures:
        yield from ("### This cluster", "")
        yield from _table(("", "now", "then"), [(one.label, one.now, one.then) for one in page.figures])
    if page.scripts:
        yield from ("### The draft's conformance scripts", "")
        yield from _table(
            ("", "policy", "now", "then"),
            [(f"{one.name} use case", one.policy, one.now_text, one.then_text) for one in page.scripts],
        )
    if page.timers:
        yield from (f"### Timers, for {cell(page.timers_for)}", "")
        yield from _table(("", "delay/timeout/up/down", "refused", "silent", "probes/s"), timers_rows(page))
    yield from _arguments("For create-monitor = true", page.arguments_for)
    yield from _arguments("Against it", page.arguments_against)
    yield from _arguments("What remains with it on", page.risks)
    yield from ("### Who switched it on or off, and why", "")
    yield from _table(
        ("when", "who", "value", "what", "source"),
        [
            (one.when, one.who, one.effect, f"{one.what}{f' ({one.why})' * bool(one.why)}", one.source)
            for one in page.timeline
        ],
    )
    yield from ("### What others set", "")
    yield from _table(
        ("", "create-monitor", "timers", "where"),
        [(one.name, value_of(one), one.timers, one.source) for one in page.others],
    )
    yield from ("### What would change the answer", "", *(f"- {cell(text)}" for text in page.would_change), "")
    yield from ("### Links", "", *(f"- [{cell(link.title)}]({link.url})" for link in page.links))


def _service(case: ServiceCase, *, tried: bool) -> Iterator[str]:
    where = f" {case.path}:{case.line}" if case.path and case.line else f" {case.path}" if case.path else ""
    yield f"### {cell(case.service)} ({case.policy}, {', '.join(case.ports)}){cell(where)}"
    yield ""
    yield f"**{case.row or 'No row'}** {cell(said_of(case))}"
    yield ""
    lines = [f"Besides: {text}" for text in case.actions]
    lines += [f"Caution: {text}" for text in case.cautions]
    if case.timers or case.timers_why:
        lines.append("Timers: " + ": ".join(filter(None, (case.timers, case.timers_why))))
    for annotation, value in case.annotations:
        lines.append(f'Write {annotation}: "{value}"' if value is not None else f"Delete {annotation}")
    label = ""
    for title, text in looked_after(case):
        label = title or label
        colon = "" if text.startswith(("now: ", "then: ")) else ":"
        lines.append(f"{label[:1].upper()}{label[1:]}{colon} {text}")
    yield from (f"- {cell(line)}" for line in lines)
    if lines:
        yield ""
    if tried:
        yield from _table(
            ("rows tried", "match", "why"),
            [(", ".join(rows), "not known" if sign == "?" else "no", why) for sign, rows, why in misses(case)],
        )


def _arguments(title: str, arguments: Sequence[Argument]) -> Iterator[str]:
    yield from (f"### {title}", "")
    yield from _table(
        ("", "holds here", "here", "source"),
        [(one.text, {True: "yes", False: "no", None: "–"}[one.applies], one.here, one.source) for one in arguments],
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    first, *rest = comparison(head, rows)
    yield f"| {' | '.join(first)} |"
    yield "|" + "---|" * len(head)
    for row in rest:
        yield f"| {' | '.join(map(cell, row))} |"
    yield ""
