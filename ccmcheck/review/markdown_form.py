"""A review as Markdown, for the comment of a merge request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.escape import printable
from ccmcheck.model import Severity
from ccmcheck.review.summary import summary, told_below
from ccmcheck.review.words import config_lines, fate_words, heading, request_words, service_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.records import Point, Review, ServiceChange

LIMIT = 60_000
"""Code points of a comment: GitHub takes 65,536, GitLab a million."""

_ROOM = 600
_SIGNS = {Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.INFO: "⚪"}
_MOST_SUBJECTS = 6
_SPECIAL = "\\|<>[]*_`#~!&@"
"""What begins a tag, a link, a mention or a style, or ends a cell."""

_ENTITIES = tuple((sign, f"&#{ord(sign)};") for sign in "@[]`*_")


def write(review: Review, *, verbose: int = 0) -> Iterator[str]:
    """Write a review.

    Args:
        review: The review.
        verbose: 1 for everything, what stays as it is too, without regard to a comment's size.

    Yields:
        Lines.
    """
    left = LIMIT - _ROOM
    for block in _blocks(review, verbose):
        size = sum(len(line) + 1 for line in block)
        if not verbose and size > left:
            yield "… the rest does not fit a comment; `ccmcheck review -v` shows it."
            yield ""
            return
        left -= size
        yield from block


def _blocks(review: Review, verbose: int) -> Iterator[list[str]]:
    """Blocks that are left out as a whole."""
    first, *rest = summary(review)
    yield [f"### ccmcheck review: {cell(first)}", "", *(f"{cell(line)}  " for line in rest), ""]
    told = told_below(review)
    if told:
        yield ["| | what | |", "|---|---|---|", *(_point(point, verbose) for point in told), ""]
    for config in review.configs:
        lines = list(config_lines(config))
        if lines or verbose:
            yield [f"#### {cell(heading(config))}", "", *(f"- {cell(line)}" for line in lines), ""]
    for one in review.services:
        if verbose or not one.is_quiet:
            yield list(_service(one, verbose))
    if verbose and review.notes:
        yield ["Notes:", "", *(f"- {cell(note)}" for note in review.notes), ""]


def _point(point: Point, verbose: int) -> str:
    shown = point.subjects if verbose else point.subjects[:_MOST_SUBJECTS]
    more = f" and {len(point.subjects) - len(shown)} more" if len(point.subjects) > len(shown) else ""
    subjects = ", ".join(map(code, shown)) + more
    sign = "🟢 better" if point.is_good else f"{_SIGNS[point.severity]} {point.severity.word}"
    return f"| {sign} | {cell(point.text)} | {subjects} |"


def _service(one: ServiceChange, verbose: int) -> Iterator[str]:
    where = f" {code(f'{one.path}:{one.line}')}" if one.path else ""
    yield f"<details><summary>Service <code>{html(one.service)}</code>: {html(fate_words(one))}</summary>"
    yield ""
    yield f"At{where}" if where else "Not in a file any more"
    yield ""
    rows = list(service_rows(one, unchanged=bool(verbose)))
    if rows:
        yield "| | before | after |"
        yield "|---|---|---|"
        yield from (f"| {title} | {cell(before) or '–'} | {cell(after) or '–'} |" for title, before, after in rows)
        yield ""
    if one.requests:
        yield f"Requests: {cell(request_words(one))}"
        yield ""
    yield "</details>"
    yield ""


def cell(text: str) -> str:
    """A text that cannot end a cell, nor begin a tag, a link, a mention or a style.

    Args:
        text: The text.
    """
    shown = printable(text)
    for sign in _SPECIAL:
        if sign in shown:
            shown = shown.replace(sign, "\\" + sign)
    return shown


def code(text: str) -> str:
    """A text as code, which no backtick ends.

    Args:
        text: The text.
    """
    return "`" + printable(text).replace("`", "'").replace("|", "\\|") + "`"


def html(text: str) -> str:
    """A text inside HTML.

    Args:
        text: The text.
    """
    shown = printable(text)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), *_ENTITIES):
        shown = shown.replace(sign, entity)
    return shown
