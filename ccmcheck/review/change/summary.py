"""The first lines of a review, which are all that most people read: the verdict, and the counts."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.suggest import first_of
from ccmcheck.report.document.blocks import Tone
from ccmcheck.review.change import points
from ccmcheck.review.change.health import why
from ccmcheck.review.change.records import Fate, Health, Review, ReviewPoint, ReviewTotals, labels
from ccmcheck.review.change.totals import stays_broken

_FATES = (
    Fate.CREATED, Fate.JOINED, Fate.DELETED, Fate.LEFT, Fate.RECREATED, Fate.RECONCILED, Fate.STUCK,
    Fate.UNTOUCHED, Fate.UNKNOWN,
)  # fmt: skip

_OF_ONE_SIDE = (Fate.CREATED, Fate.JOINED, Fate.DELETED, Fate.LEFT)

_TOLD = frozenset({"restart", "monitors", "probes", "settings", "release", "monitor", "detection"})
"""Kinds that the summary, or the parts about cloud.confs and Services, tell already."""

_MOST_NAMED = 3

STAND_INS = (
    "There is no Service of type LoadBalancer: one of each policy, any-cluster and any-local, stands in; "
    "--services adds "
    "Services."
)

_ALSO = {kind: (one, several) for kind, one, several in read_table(__file__, "also.tsv")}
"""What else the first line mentions, of one and of several."""

_IF_ERROR = frozenset({"security-group"})
"""Kinds that it mentions only as errors."""


def points_below(review: Review, *, told: frozenset[str] = frozenset()) -> list[ReviewPoint]:
    """The points that the summary's lines do not tell already.

    Args:
        review: The review.
        told: Further kinds that the report tells elsewhere, where they are neither warnings nor errors.
    """
    told |= _TOLD
    return [point for point in review.points if point.kind not in told or point.severity is not Severity.INFO]


def verdict(review: Review) -> str:
    """The verdict, one line."""
    if review.is_quiet:
        return "nothing changes"
    totals = review.totals
    fatal = [point for point in review.points if point.kind == "fatal"]
    if fatal:
        return "the CCM no longer starts"
    again = sum(one.health_before is Health.STUCK and one.health_after is Health.WORKS for one in review.services)
    counted = (
        (totals.stops, ("stops working", "stop working")),
        (totals.stuck, ("goes on unmanaged", "go on unmanaged")),
        (totals.impaired, ("begins to lose connections", "begin to lose connections")),
        (totals.starts - again, ("starts working", "start working")),
        (again, ("is looked after again", "are looked after again")),
    )
    grave = [point for point in review.points if point.kind not in _IF_ERROR or point.severity is Severity.ERROR]
    affected = {kind: {name for one in grave if one.kind == kind for name in one.subjects} for kind in _ALSO}
    affected["created"] -= affected["fails"]
    others = [(len(affected[kind]), words) for kind, words in _ALSO.items()]
    parts = [f"{count} {words[count > 1]}" for count, words in (*counted, *others) if count]
    if not totals.services:
        return "the configuration changes"
    if not parts:
        is_known = not any(Health.UNKNOWN in (one.health_before, one.health_after) for one in review.services)
        return "no Service stops or starts working" if is_known else "no Service is known to stop or start working"
    kind = "stand-in Services" if review.stand_ins else "Services"
    return (f"of {totals.services} {kind} " if totals.services > 1 else "of one Service ") + ", ".join(parts)


def summary(review: Review) -> Iterator[str]:
    """The summary, a few lines."""
    yield f"{review.base} → {review.head}: {verdict(review)}"
    totals = review.totals
    if review.is_quiet:
        return
    lines = about(review)
    if totals.services:
        yield f"{counts(review)}; {next(lines)}"
        slower = ("detection", Severity.WARNING)
        yield from monitors(totals, is_slower=any((one.kind, one.severity) == slower for one in review.points))
    yield from lines


def about(review: Review) -> Iterator[str]:
    """What becomes of the load balancers, and how long it takes, one line each."""
    totals = review.totals
    if totals.services:
        yield f"load balancers: {fates(totals)}"
    yield from points.cost_lines(review.services)
    if totals.restarts:
        stops = any(config.restart and config.stop_after for config in review.configs)
        yield points.UNTIL_IT_ENDS if stops else f"{points.RESTART}{points.duration_words(totals)}"


def counted(review: Review) -> Iterator[tuple[int, str, Tone]]:
    """How many Services fare worse, stay broken, fare better or go on working, and how many warnings there are.

    Args:
        review: The review.

    Yields:
        A count, what it counts, and how bad that is; worse Services and those that go on only where there are any.
    """
    totals = review.totals
    warnings = sum(point.severity is Severity.WARNING for point in review.points)
    if totals.worse:
        yield totals.worse, "worse", "bad"
    yield totals.broken, "still broken", "bad"
    yield totals.starts, "better", "good"
    if totals.works:
        yield totals.works, "as before", ""
    yield warnings, "warning" if warnings == 1 else "warnings", "warn"


def still_broken(review: Review) -> Iterator[tuple[tuple[str, ...], str]]:
    """The Services that are broken before and after, those with one reason together, and the reason."""
    reasons: dict[str, list[str]] = {}
    for change, label in zip(review.services, labels(review.services), strict=True):
        if stays_broken(change):
            reason = why(change.after, change.health_after) if change.after is not None else ""
            reasons.setdefault(reason, []).append(label)
    return ((tuple(names), reason) for reason, names in reasons.items())


def broken_lines(review: Review) -> Iterator[str]:
    """The same in words, a line for each reason."""
    found = list(still_broken(review))
    for names, reason in found[:_MOST_NAMED]:
        yield f"still broken: {first_of(names, _MOST_NAMED)}{': ' if reason else ''}{reason}"
    left = sum(len(names) for names, _ in found[_MOST_NAMED:])
    if left:
        yield f"still broken: {left} more, for other reasons"


def counts(review: Review) -> str:
    """The counts in words."""
    return ", ".join(f"{count} {words}" for count, words, _ in counted(review))


def fates(totals: ReviewTotals) -> str:
    """What becomes of the load balancers, counted."""
    return ", ".join(f"{totals.fates[fate]} {fate.value}" for fate in _FATES if totals.fates.get(fate)) or "none"


def monitors(totals: ReviewTotals, *, is_slower: bool = False) -> Iterator[str]:
    """Monitors, probes and detection, up to two lines.

    Args:
        totals: The counts.
        is_slower: Whether warnings say already that dead nodes are noticed later.
    """
    parts = []
    found = totals.monitors
    if found.before != found.after:
        parts.append(f"health monitors {found.before} → {found.after}{points.quota_words(totals)}")
    elif found.made or found.changed:
        recreated = f"{found.made} recreated" if found.made else ""
        changed = f"{found.changed} changed" if found.changed else ""
        parts.append(f"health monitors: {' and '.join(filter(None, (recreated, changed)))} of {found.after}")
    if totals.rate_before != totals.rate_after:
        parts.append(f"probes {points.rate_words(totals, before=True)} → {points.rate_words(totals, before=False)}")
    if parts:
        yield "; ".join(parts)
    before, after = totals.detection_before, totals.detection_after
    lasting = totals.services - sum(totals.fates.get(fate, 0) for fate in _OF_ONE_SIDE)
    if lasting > 0 and not is_slower and before != after and (before.known or after.known):
        yield f"a dead node is out {points.detection_words(after)}; before, {points.detection_words(before)}"
