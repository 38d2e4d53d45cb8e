"""A review for a terminal: the summary, the cloud.confs, then the Services, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.escape import printable
from ccmcheck.model import Severity
from ccmcheck.review.records import Fate
from ccmcheck.review.summary import summary, told_below
from ccmcheck.review.words import config_lines, fate_words, heading, request_words, service_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.records import Point, Review, ServiceChange

_SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.INFO: "·"}
_MOST_SERVICES = 20
_MOST_POINTS = 30
_MOST_SUBJECTS = 4
_WIDTH = 12


def draw(review: Review, *, verbose: int = 0) -> Iterator[str]:
    """Draw a review.

    Args:
        review: The review.
        verbose: 1 for everything, what stays as it is too; 2 for the requests' bodies.

    Yields:
        Lines.
    """
    for line in _lines(review, verbose):
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
        if lines or verbose:
            yield ""
            yield heading(config)
            yield from (f"  {line}" for line in lines)
    services = [one for one in review.services if verbose or not one.is_quiet]
    for one in services if verbose else services[:_MOST_SERVICES]:
        yield ""
        yield from _service(one, verbose)
    if not verbose and len(services) > _MOST_SERVICES:
        yield ""
        yield f"… and {len(services) - _MOST_SERVICES} more Services; -v shows them"
    if verbose and review.notes:
        yield ""
        yield from (f"note: {note}" for note in review.notes)


def _point(point: Point, verbose: int) -> str:
    subjects = point.subjects
    shown = subjects if verbose else subjects[:_MOST_SUBJECTS]
    more = f" and {len(subjects) - len(shown)} more" if len(subjects) > len(shown) else ""
    return f"{', '.join(shown)}{more}: {point.text}" if subjects else point.text


def _service(one: ServiceChange, verbose: int) -> Iterator[str]:
    where = f"   {one.path}:{one.line}" if one.path else ""
    yield f"Service {one.service}   {fate_words(one)}{where}"
    for title, before, after in service_rows(one, unchanged=bool(verbose)):
        if before == after or (not before and one.fate is Fate.CREATED):
            yield f"  {title:<{_WIDTH}} {after}"
        else:
            yield f"  {title:<{_WIDTH}} {before or '–'}"
            yield f"  {'':<{_WIDTH}} → {after or '–'}"
    if one.requests:
        yield f"  {'asks':<{_WIDTH}} {request_words(one)}"
    if verbose > 1:
        import json

        for request in one.requests:
            yield f"    {request.method} {request.path}"
            if request.body is not None:
                yield from (
                    f"      {line}" for line in json.dumps(request.body, indent=2, ensure_ascii=False).split("\n")
                )
