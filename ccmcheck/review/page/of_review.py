"""What the page of a review shows beside the review's own records: drawings, charts, bodies, and words for counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.records import Outcome
from ccmcheck.review.change.points import TITLES, rate_words
from ccmcheck.review.change.records import Change, Fate, Health
from ccmcheck.review.change.shortened import Budget
from ccmcheck.review.change.summary import summary, verdict
from ccmcheck.review.change.words import fate_words
from ccmcheck.review.create_monitor.tradeoff import own_timing, tradeoff
from ccmcheck.review.page import drawing
from ccmcheck.review.page.plotted import plot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.records import Prediction
    from ccmcheck.review.change.counts import Detection
    from ccmcheck.review.change.records import Review, ServiceChange, Totals
    from ccmcheck.review.change.shortened import Shown
    from ccmcheck.review.create_monitor.tradeoff import Timing
    from ccmcheck.review.page.drawing import Drawing
    from ccmcheck.review.page.plotted import Plotted

_FIRST = 6
"""Points of the summary."""

_MOST_DRAWN = 25
"""Services with drawings; those of the others are put in words."""

_MOST_TOLD = 400
_BODIES = 200_000
"""Characters of bodies in one page."""

_TONES = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: ""}


class Row(NamedTuple):
    """One figure before and after."""

    title: str
    before: str
    after: str
    better: bool | None = None


class Told(NamedTuple):
    """One Service as the page tells it.

    Attributes:
        change: The record.
        mark: What becomes of its traffic, in two or three words.
        tone: ``good``, ``warn``, ``bad`` or empty.
        fate_mark: What becomes of its load balancer, in a word; empty where nothing does.
        fate: What becomes of its load balancer, one sentence.
        before: The drawing before; None where there is none.
        after: The drawing after.
        in_words: Whether the drawings are put in words.
        absent: What stands where there is no drawing.
        facts: Its properties that change, then those that stay.
        requests: What is sent.
        left_out: How many requests are left out.
    """

    change: ServiceChange
    mark: str
    tone: str
    fate_mark: str
    fate: str
    before: Drawing | None
    after: Drawing | None
    in_words: bool
    absent: str
    facts: tuple[Row, ...]
    stays: tuple[Row, ...]
    requests: tuple[Shown, ...]
    left_out: int


def variables(review: Review) -> dict[str, object]:
    """The variables of templates/review/review.html.j2.

    Args:
        review: What a change does.
    """
    budget = Budget(_BODIES)
    loud = [one for one in review.services if not one.is_quiet]
    quiet = [one for one in review.services if one.is_quiet]
    return {
        "review": review,
        "headline": headline(review),
        "first": tuple(one for one in review.points if one.severity > Severity.INFO or one.is_good)[:_FIRST],
        "lines": tuple(summary(review))[1:],
        "tone": "good" if review.worst is None else _TONES.get(review.worst, ""),
        "tones": _TONES,
        "figures": tuple(figures(review.totals)),
        "told": tuple(_told(one, budget, in_words=at >= _MOST_DRAWN) for at, one in enumerate(loud[:_MOST_TOLD])),
        "untold": len(loud) - len(loud[:_MOST_TOLD]),
        "quiet": tuple(quiet[:_MOST_TOLD]),
        "quiet_more": len(quiet) - len(quiet[:_MOST_TOLD]),
        "releases": tuple(dict.fromkeys(one.release_after or one.release_before for one in review.configs)),
        "plotted": plotted(review),
        "width": drawing.WIDTH,
    }


def headline(review: Review) -> str:
    """The verdict as a title.

    Args:
        review: What a change does.
    """
    said = verdict(review)
    return said[:1].upper() + said[1:]


def figures(totals: Totals) -> Iterator[Row]:
    """The figures before and after.

    Args:
        totals: The counts.
    """
    monitors = totals.monitors
    if monitors.before or monitors.after:
        yield Row("Health monitors", str(monitors.before), str(monitors.after))
    if totals.quota is not None and totals.quota >= 0:
        used, uses = totals.used + monitors.before, totals.used + monitors.after
        fits = None if uses <= totals.quota else False
        yield Row("Quota of health monitors", f"{used} of {totals.quota}", f"{uses} of {totals.quota}", fits)
    if totals.rate_before != totals.rate_after or totals.rate_after.per_node:
        yield Row("Probes", rate_words(totals, before=True), rate_words(totals, before=False))
    old, new = totals.detection_before, totals.detection_after
    if old.known or new.known:
        for name, sooner, later in (
            ("A node that refuses connections is out everywhere after", old.refused, new.refused),
            ("A node that is silent is out everywhere after", old.silent, new.silent),
        ):
            if sooner is not None or later is not None:
                yield Row(name, _seconds(sooner, old), _seconds(later, new), _better(sooner, later))


def _seconds(value: float | None, of: Detection) -> str:
    if not of.known:
        return "not known"
    return "never" if value is None else f"{value:g} s"


def _better(before: float | None, after: float | None) -> bool | None:
    if before == after:
        return None
    return before is None or (after is not None and after < before)


def plotted(review: Review) -> Plotted | None:
    """The chart for the Services after the change, or before where there is nothing after.

    Probes of several clusters do not add up, nor do those of several drivers: the chart is that of the most Services
    that have a cloud.conf and a provider in common.

    Args:
        review: What a change does.
    """
    groups = Counter((one.config, found.provider) for one in review.services if (found := _accepted(one)) is not None)
    if not groups:
        return None
    group, count = groups.most_common(1)[0]
    mine = [one for one in review.services if (found := _accepted(one)) and (one.config, found.provider) == group]
    own: dict[str, Timing] = {}
    sides = ("before", [one.before for one in mine if one.before]), ("after", [one.after for one in mine if one.after])
    for name, predictions in sides:
        timing = own_timing(predictions)
        if timing is not None:
            own[name] = timing
    if len(own) == 2 and own["before"] == own["after"]:
        own = {"before and after": own["after"]}
    of = tradeoff([found for one in mine if (found := _accepted(one)) is not None], review.totals.amphorae, own)
    if of is None:
        return None
    shown = plot(of)
    if len(groups) == 1:
        return shown
    whose = f"The {count} Services of {group[0] or 'the defaults'}" + (f" with {group[1]}" if group[1] else "")
    return shown._replace(notes=(f"{whose}; the others are left out.", *shown.notes))


def _accepted(one: ServiceChange) -> Prediction | None:
    """What a Service becomes, or was where nothing comes of it any more."""
    found = (one.after, one.before)
    return next((side for side in found if side is not None and side.outcome is Outcome.ACCEPTED), None)


def _told(one: ServiceChange, budget: Budget, *, in_words: bool) -> Told:
    mark, tone = _mark(one)
    requests, left_out = budget.requests(one.requests)
    before = after = None
    if one.before is not None:
        before = drawing.draw(one.before, f"{one.service} before the change")
    if one.after is not None and one.fate is not Fate.STUCK:
        after = drawing.draw(one.after, f"{one.service} after the change", other=one.before)
    rows = [
        (fact.changes, Row(TITLES.get(fact.name, fact.name), fact.before, fact.after, fact.better))
        for fact in one.facts
    ]
    return Told(
        one,
        mark,
        tone,
        "" if one.fate in (Fate.UNTOUCHED, Fate.NONE) else one.fate.value,
        _fate(one),
        before,
        after,
        in_words,
        "As before: the CCM can no longer change it." if one.fate is Fate.STUCK else "The Service is not there.",
        tuple(row for changes, row in rows if changes),
        tuple(row for changes, row in rows if not changes and row.after),
        requests,
        left_out,
    )


_GOES_ON = (Health.WORKS, Health.IMPAIRED, Health.STUCK)


def _mark(one: ServiceChange) -> tuple[str, str]:
    """What becomes of its traffic, and how bad that is."""
    before, after = one.health_before, one.health_after
    if one.change is Change.REMOVED:
        return "is removed", ""
    if after is Health.DOWN:
        return ("stops working", "bad") if before in _GOES_ON else ("does not work", "bad")
    if after is Health.STUCK:
        return "goes on unmanaged", "bad"
    if after is Health.IMPAIRED:
        return ("begins to lose connections", "warn") if before is Health.WORKS else ("loses connections", "warn")
    if after is Health.WORKS:
        return ("works", "") if before is Health.WORKS else ("starts working", "good")
    return after.value, ""


def _fate(one: ServiceChange) -> str:
    said = fate_words(one)
    monitors = one.monitors
    counts = ((monitors.made, "created"), (monitors.deleted, "deleted"), (monitors.changed, "changed"))
    parts = [f"{count} {word}" for count, word in counts if count]
    return f"{said[:1].upper()}{said[1:]}." + (f" Health monitors: {', '.join(parts)}." if parts else "")
