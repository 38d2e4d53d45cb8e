"""What the page on create-monitor shows beside its own records: the answer in a line, drawings, the chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.review.create_monitor.tradeoff import tradeoff
from ccmcheck.review.page import drawing
from ccmcheck.review.page.of_review import Row
from ccmcheck.review.page.plotted import plot, plot_points

if TYPE_CHECKING:
    from ccmcheck.review.create_monitor.records import QuestionPage, Recommendation, ServiceCase
    from ccmcheck.review.page.drawing import Drawing
    from ccmcheck.review.page.plotted import Plotted

_MOST_DRAWN = 20
_MOST_TOLD = 200


class Told(NamedTuple):
    """One Service as the page tells it.

    Attributes:
        case: The record.
        now: The drawing with the files as they are; None where there is none.
        then: The drawing with what is recommended.
        in_words: Whether the drawings are put in words.
    """

    case: ServiceCase
    now: Drawing | None
    then: Drawing | None
    in_words: bool


def variables(question: QuestionPage) -> dict[str, object]:
    """The variables of templates/review/question.html.j2.

    Args:
        question: The answer.
    """
    told = question.services[:_MOST_TOLD]
    return {
        "question": question,
        "headline": headline(question.recommendation),
        "tone": _tone(question),
        "snippet": snippet(question.recommendation),
        "told": tuple(_told(one, in_words=at >= _MOST_DRAWN) for at, one in enumerate(told)),
        "untold": len(question.services) - len(told),
        "figures": tuple(Row(one.label, one.now, one.then, one.better) for one in question.figures),
        "plotted": plotted(question),
        "width": drawing.WIDTH,
    }


def plotted(question: QuestionPage) -> Plotted | None:
    """The chart: of what is compared, or by the probes that each node gets where nodes are not counted.

    Args:
        question: The answer.
    """
    found = plot_points(question.timers)
    if found is None or found.wide is not None:
        return found
    cases = sorted(question.services, key=lambda one: one.service != question.timers_for)
    for one in cases:
        prediction = one.then or one.now
        of = None if prediction is None else tradeoff([prediction], None, {})
        if of is not None:
            return plot(of)
    return found


def headline(of: Recommendation) -> str:
    """The answer in a few words.

    Args:
        of: What is recommended.
    """
    if of.value is None:
        return "Whether create-monitor should be on here cannot be told yet"
    if of.now is of.value:
        same = "on" if of.value else "off"
        return f"Leave create-monitor {same}" + ("" if of.given else ", and write it down")
    return f"Turn create-monitor {'on' if of.value else 'off'}"


def snippet(of: Recommendation) -> str:
    """What to write into cloud.conf; empty where nothing is.

    Args:
        of: What is recommended.
    """
    if not of.config:
        return ""
    return "\n".join(["[LoadBalancer]", *(f"{key} = {value}" for key, value in of.config)])


def _tone(question: QuestionPage) -> str:
    of = question.recommendation
    if question.stop:
        return "bad"
    return "good" if of.value is not None and of.now is of.value else "warn"


def _told(one: ServiceCase, *, in_words: bool) -> Told:
    now = None if one.now is None else drawing.draw(one.now, f"{one.service} as it is now")
    then = None if one.then is None else drawing.draw(one.then, f"{one.service} as recommended", other=one.now)
    return Told(one, now, then, in_words)
