"""The page on create-monitor for a terminal: the walk through the matrix alone, or the whole page."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
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

_LABEL = 10
_LEAST = 40
_MOST_SERVICES = 20


def walk(page: QuestionPage, width: int = 0, *, verbose: int = 0) -> Iterator[str]:
    """What cloud.conf and each Service should say, and the rows that were tried.

    Args:
        page: The page.
        width: Columns to wrap at; 0 for none.
        verbose: 1 for all Services.

    Yields:
        Lines.
    """
    return map(printable, _walk(page, width, verbose, tried=True))


def draw(page: QuestionPage, width: int = 0, *, verbose: int = 0) -> Iterator[str]:
    """The whole page.

    Args:
        page: The page.
        width: Columns to wrap at; 0 for none.
        verbose: 1 for the rows tried, and for what does not hold here.

    Yields:
        Lines.
    """
    return map(printable, _page(page, width, verbose))


def _page(page: QuestionPage, width: int, verbose: int) -> Iterator[str]:
    yield from _walk(page, width, verbose, tried=bool(verbose))
    yield ""
    yield page.asked
    for text in page.answer:
        yield from _prose(text, width, "  ")
    if page.figures or page.scripts:
        yield ""
        yield "This cluster"
        for one in page.figures:
            said = one.now if one.now == one.then else f"{one.now} → {one.then}"
            yield from _prose(f"{one.label}: {said}", width, "  ", 2)
        for script in page.scripts:
            said = script.now_text if script.now_text == script.then_text else f"{script.now_text} → {script.then_text}"
            yield from _prose(f"{script.name} use case ({script.policy}): {said}", width, "  ", 2)
    if page.timers:
        yield ""
        yield f"Timers, for {page.timers_for}"
        yield from _table(("", "delay/timeout/up/down", "refused", "silent", "probes/s"), timers_rows(page), width)
    for title, arguments in (
        ("For create-monitor = true", page.arguments_for),
        ("Against it", page.arguments_against),
        ("What remains with it on", page.risks),
    ):
        yield from _arguments(title, arguments, width, verbose)
    yield ""
    yield "Who switched it on or off, and why"
    for step in page.timeline:
        why = f" ({step.why})" if step.why else ""
        yield from _prose(
            f"{step.when:<10} {step.effect:<4} {step.who}: {step.what}{why} [{step.source}]", width, "  ", 16
        )
    yield ""
    yield "What others set"
    yield from _table(
        ("", "value", "timers", "where"),
        [(one.name, value_of(one), one.timers, one.source) for one in page.others],
        width,
    )
    yield ""
    yield "What would change the answer"
    for text in page.would_change:
        yield from _prose(f"· {text}", width, "  ", 2)
    yield ""
    yield "Links"
    for link in page.links:
        yield f"  {link.url}  {link.title}"


def _walk(page: QuestionPage, width: int, verbose: int, *, tried: bool) -> Iterator[str]:
    advised = page.recommendation
    yield headline(advised)
    yield heading(page)
    if page.stop:
        yield ""
        yield from _prose(f"✗ with this file {page.stop}", width, "  ", 2)
    written = snippet(advised)
    if written:
        yield ""
        yield from (f"    {line}" for line in written.split("\n"))
    yield ""
    rows = f" ({', '.join(advised.rows)})" if advised.rows else ""
    yield from _labelled("why", f"{advised.why}{rows}", width)
    if advised.timers or advised.timers_why:
        yield from _labelled("timers", ": ".join(filter(None, (advised.timers, advised.timers_why))), width)
    for need in advised.needs:
        yield from _labelled("needed", need, width)
    for note in page.notes:
        yield from _labelled("note", note, width)
    shown = page.services if verbose else page.services[:_MOST_SERVICES]
    for case in shown:
        yield ""
        yield from _service(case, width, tried=tried, told=advised.timers_why)
    if len(page.services) > len(shown):
        yield ""
        yield f"… and {len(page.services) - len(shown)} more Services; -v shows them"


def _service(case: ServiceCase, width: int, *, tried: bool, told: str) -> Iterator[str]:
    where = f"{case.path}:{case.line}" if case.path and case.line else case.path
    name = case.service if case.stand_in else f"Service {case.service}"
    yield "   ".join(part for part in (name, "" if case.stand_in else case.policy, " ".join(case.ports), where) if part)
    yield from _labelled(case.row or "?", said_of(case), width)
    for text in case.actions:
        yield from _labelled("besides", text, width)
    for text in case.cautions:
        yield from _labelled("caution", text, width)
    if (case.timers or case.timers_why) and case.timers_why not in told:
        yield from _labelled("timers", ": ".join(filter(None, (case.timers, case.timers_why))), width)
    for annotation, value in case.annotations:
        said = f'annotation {annotation}: "{value}"' if value is not None else f"delete the annotation {annotation}"
        yield from _labelled("write", said, width)
    for label, text in looked_after(case):
        yield from _labelled(label, text, width)
    if tried:
        for number, (sign, rows, why) in enumerate(misses(case)):
            yield from _labelled("tried" if not number else "", f"{sign} {', '.join(rows)}: {why}", width)


def _arguments(title: str, arguments: Sequence[Argument], width: int, verbose: int) -> Iterator[str]:
    shown = [one for one in arguments if verbose or one.applies is not False]
    yield ""
    yield title
    for one in shown:
        sign = {True: "!", False: "–", None: "·"}[one.applies]
        here = f" Here: {one.here}." if one.here else ""
        yield from _prose(f"{sign} {one.text}.{here} [{one.source}]", width, "  ", 2)
    if len(shown) < len(arguments):
        yield f"  – {len(arguments) - len(shown)} more that do not hold here; -v shows them"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]], width: int) -> Iterator[str]:
    """Columns; the last one is wrapped."""
    listed = comparison(head, rows)
    widths = [max(len(row[at]) for row in listed) for at in range(len(head) - 1)]
    left = sum(widths) + 2 * len(widths) + 2
    for row in listed:
        start = "".join(f"{cell:<{wide}}  " for cell, wide in zip(row, widths, strict=False))
        lines = wrap(row[-1], max(width - left, _LEAST)) if width else [row[-1]]
        for at, line in enumerate(lines):
            yield f"  {start if not at else ' ' * len(start)}{line}".rstrip()


def _labelled(label: str, text: str, width: int) -> Iterator[str]:
    lines = wrap(text, max(width - _LABEL - 2, _LEAST)) if width else [text]
    for at, line in enumerate(lines):
        yield f"  {label if not at else '':<{_LABEL}}{line}"


def _prose(text: str, width: int, indent: str, hanging: int = 0) -> Iterator[str]:
    if not width:
        yield indent + text
        return
    yield from wrap(
        text,
        max(width, _LEAST),
        initial_indent=indent,
        subsequent_indent=indent + " " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
