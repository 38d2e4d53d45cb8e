"""The first lines of a review, which are all that most people read: the verdict, and the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.review.points import rate_words
from ccmcheck.review.records import Fate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.review.records import Detection, Review, Totals

_FATES = (Fate.CREATED, Fate.DELETED, Fate.RECREATED, Fate.RECONCILED, Fate.STUCK, Fate.UNTOUCHED, Fate.UNKNOWN)


def verdict(review: Review) -> str:
    """The verdict, one line.

    Args:
        review: The review.
    """
    if review.is_quiet:
        return "nothing changes"
    totals = review.totals
    fatal = [point for point in review.points if point.kind == "fatal"]
    if fatal:
        return "the CCM no longer starts"
    parts = []
    for count, words in (
        (totals.stops, "work no longer"),
        (totals.impaired, "begin to lose connections"),
        (totals.starts, "start working"),
    ):
        if count:
            parts.append(f"{count} {_one_or_more(words, count)}")
    if not totals.services:
        return "the configuration changes"
    rest = totals.services - totals.stops - totals.impaired - totals.starts
    said = f"of {totals.services} Services " if totals.services > 1 else "the one Service: "
    if not parts:
        return "no Service stops or starts working"
    return said + ", ".join(parts) + (f", {rest} go{'es' if rest == 1 else ''} on as before" if rest else "")


def _one_or_more(words: str, count: int) -> str:
    if count > 1:
        return words
    first, _, others = words.partition(" ")
    return f"{first}s {others}"


def summary(review: Review) -> Iterator[str]:
    """The summary, two to five lines.

    Args:
        review: The review.
    """
    yield f"{review.base} → {review.head}: {verdict(review)}"
    totals = review.totals
    if review.is_quiet:
        return
    if totals.services:
        yield f"load balancers: {fates(totals)}"
        line = monitors(totals)
        if line:
            yield line
    if totals.restarts:
        yield "the CCM must be restarted, as it reads cloud.conf at its start; then all load balancers change at once"


def fates(totals: Totals) -> str:
    """What becomes of the load balancers, counted.

    Args:
        totals: The counts.
    """
    return ", ".join(f"{totals.fates[fate]} {fate.value}" for fate in _FATES if totals.fates.get(fate)) or "none"


def monitors(totals: Totals) -> str:
    """Monitors, probes and detection, one line; empty where nothing about them changes.

    Args:
        totals: The counts.
    """
    parts = []
    found = totals.monitors
    if found.made or found.deleted or found.changed:
        parts.append(f"monitors {found.before} → {found.after}")
    if totals.rate_before != totals.rate_after:
        parts.append(f"probes {rate_words(totals, before=True)} → {rate_words(totals, before=False)}")
    before, after = totals.detection_before, totals.detection_after
    if before != after and (before.known or after.known):
        parts.append(f"a dead node out after {_seconds(before)} → {_seconds(after)}")
    return "; ".join(parts)


def _seconds(found: Detection) -> str:
    if not found.known:
        return "an unknown time"
    if found.refused is None and found.silent is None:
        return "never"
    refused = "never" if found.refused is None else f"{found.refused:g} s"
    silent = "never" if found.silent is None else f"{found.silent:g} s"
    return f"at most {refused} (refused), {silent} (silent)"
