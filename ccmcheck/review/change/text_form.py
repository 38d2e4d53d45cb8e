"""A review for a terminal: the summary, the cloud.confs, then the Services, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.review.change.records import Fate
from ccmcheck.review.change.summary import summary, told_below
from ccmcheck.review.change.words import alike, config_lines, heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.change.records import Point, Review, ServiceChange
    from ccmcheck.review.change.words import Alike

_SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
_MOST_SERVICES = 20
_MOST_POINTS = 30
_MOST_SUBJECTS = 4
_WIDTH = 12
_ONE_LINE = 90
"""Characters of both values that fit one line."""


def draw(review: Review, *, verbose: int = 0, quiet: bool = False) -> Iterator[str]:
    """Draw a review.

    Args:
        review: The review.
        verbose: 1 for everything, what stays as it is too; 2 for the requests' bodies.

        quiet: Whether the summary is all.

    Yields:
        Lines.
    """
    for line in summary(review) if quiet else _lines(review, verbose):
        yield printable(line)


def _lines(review: Review, verbose: int) -> Iterator[str]:
    yield from summary(review)
    told = told_below(review)
    shown = told if verbose else told[:_MOST_POINTS]
    if shown:
        yield ""
    for point in shown:
        yield f"{'✓' if point.is_good else _SIGNS[point.severity]} {_point(point, verbose)}"
    if len(told) > len(shown):
        yield f"  and {len(told) - len(shown)} more; -v shows them"
    for config in review.configs:
        lines = list(config_lines(config))
        if lines or verbose or config.changes_release:
            yield ""
            yield heading(config)
            yield from (f"  {line}" for line in lines)
    groups = alike((one for one in review.services if verbose or not one.is_quiet), unchanged=bool(verbose))
    shown_groups = groups if verbose else groups[:_MOST_SERVICES]
    for group in shown_groups:
        yield ""
        yield from _services(group, verbose)
    left = sum(len(group.services) for group in groups[len(shown_groups) :])
    if left:
        yield ""
        yield f"… and {left} more Services; -v shows them"
    if verbose and review.notes:
        yield ""
        yield from (f"note: {note}" for note in review.notes)


def _point(point: Point, verbose: int) -> str:
    subjects = point.subjects
    shown = subjects if verbose else subjects[:_MOST_SUBJECTS]
    more = f" and {len(subjects) - len(shown)} more" if len(subjects) > len(shown) else ""
    return f"{', '.join(shown)}{more}: {point.text}" if subjects else point.text


def _services(group: Alike, verbose: int) -> Iterator[str]:
    """Services of which the same is to be told."""
    services = group.services if verbose else group.services[:_MOST_SUBJECTS]
    first = services[0]
    where = f"   {first.path}:{first.line}" if len(group.services) == 1 and first.path else ""
    more = len(group.services) - len(services)
    names = ", ".join(one.service for one in services) + (f" and {more} more" if more else "")
    yield f"Service{'s' if len(group.services) > 1 else ''} {names}   {group.words}{where}"
    for title, before, after in group.rows:
        if before == after or (not before and first.fate is Fate.CREATED):
            yield f"  {title:<{_WIDTH}} {after}"
        elif len(before) + len(after) <= _ONE_LINE:
            yield f"  {title:<{_WIDTH}} {before or '–'} → {after or '–'}"
        else:
            yield f"  {title:<{_WIDTH}} {before or '–'}"
            yield f"  {'':<{_WIDTH}} → {after or '–'}"
    if group.asks:
        yield f"  {'asks':<{_WIDTH}} {group.asks}"
    if verbose > 1:
        yield from (line for one in group.services for line in _bodies(one))


def _bodies(one: ServiceChange) -> Iterator[str]:
    """The requests for one Service, with their bodies."""
    import json

    if one.requests:
        yield f"    {one.service}"
    for request in one.requests:
        yield f"    {request.method} {request.path}"
        if request.body is not None:
            yield from (f"      {line}" for line in json.dumps(request.body, indent=2, ensure_ascii=False).split("\n"))
