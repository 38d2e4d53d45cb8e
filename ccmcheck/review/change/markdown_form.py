"""A review as Markdown, for the comment of a merge request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.review.change.summary import summary, told_below
from ccmcheck.review.change.words import alike, config_lines, heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.change.records import Point, Review
    from ccmcheck.review.change.words import Alike

LIMIT = 60_000
"""Code points of a comment: GitHub takes 65,536, GitLab a million."""

_ROOM = 600
_SIGNS = {Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.INFO: "⚪"}
_MOST_SUBJECTS = 6
_MOST_NAMED = 50
_SPECIAL = "\\|<>[]*_`#~!&@"
"""What begins a tag, a link, a mention or a style, or ends a cell."""

_ENTITIES = tuple((sign, f"&#{ord(sign)};") for sign in "@[]`*_")


def write(review: Review, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """Write a review.

    Args:
        review: The review.
        verbose: 1 for everything, what stays as it is too, without regard to a comment's size.
        quiet: Whether the summary is all.

    Yields:
        Lines.
    """
    left = LIMIT - _ROOM
    for block in _blocks(review, verbose, quiet=quiet):
        size = sum(len(line) + 1 for line in block)
        if not verbose and size > left:
            yield "… the rest does not fit a comment; `ccmcheck review -v` shows it."
            yield ""
            return
        left -= size
        yield from block


def _blocks(review: Review, verbose: int, *, quiet: bool) -> Iterator[list[str]]:
    """Blocks that are left out as a whole."""
    first, *rest = summary(review)
    yield [f"### ccmcheck review: {cell(first)}", "", *(f"{cell(line)}  " for line in rest), ""]
    if quiet:
        return
    told = told_below(review)
    if told:
        yield ["| | what | |", "|---|---|---|", *(_point(point, verbose) for point in told), ""]
    for config in review.configs:
        lines = list(config_lines(config))
        if lines or verbose or config.changes_release:
            yield [f"#### {cell(heading(config))}", "", *(f"- {cell(line)}" for line in lines), ""]
    for group in alike((one for one in review.services if verbose or not one.is_quiet), unchanged=bool(verbose)):
        yield list(_services(group, verbose))
    if verbose and review.notes:
        yield ["Notes:", "", *(f"- {cell(note)}" for note in review.notes), ""]


def _point(point: Point, verbose: int) -> str:
    shown = point.subjects if verbose else point.subjects[:_MOST_SUBJECTS]
    more = f" and {len(point.subjects) - len(shown)} more" if len(point.subjects) > len(shown) else ""
    subjects = ", ".join(map(code, shown)) + more
    sign = "🟢 better" if point.is_good else f"{_SIGNS[point.severity]} {point.severity.word}"
    return f"| {sign} | {cell(point.text)} | {subjects} |"


def _services(group: Alike, verbose: int) -> Iterator[str]:
    """Services of which the same is to be told."""
    services = group.services if verbose else group.services[:_MOST_NAMED]
    first, more = services[0], len(group.services) - len(services)
    names = ", ".join(f"<code>{html(one.service)}</code>" for one in services) + (f" and {more} more" if more else "")
    title = f"Service{'s' if len(group.services) > 1 else ''} {names}"
    yield f"<details><summary>{title}: {html(group.words)}</summary>"
    yield ""
    if len(group.services) == 1 and first.path:
        yield f"At {code(f'{first.path}:{first.line}')}"
        yield ""
    if group.rows:
        yield "| | before | after |"
        yield "|---|---|---|"
        yield from (
            f"| {title} | {cell(before) or '–'} | {cell(after) or '–'} |" for title, before, after in group.rows
        )
        yield ""
    if group.asks:
        yield f"Requests{' for each' if len(group.services) > 1 else ''}: {cell(group.asks)}"
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
