"""The page on create-monitor as plain data, for JSON."""

from __future__ import annotations

from typing import cast

from ccmcheck.policy.create_monitor import story
from ccmcheck.predict.records import Json, Prediction
from ccmcheck.report.records import plain
from ccmcheck.review.create_monitor.records import ASKED, QuestionPage

VERSION = 3
_WALK = ("config", "release", "source", "stop", "provider", "nodes", "recommendation", "services", "notes")


def walk_data(page: QuestionPage) -> Json:
    """The walk through the matrix."""
    return {"version": VERSION, **{name: plain(getattr(page, name), _PLAIN) for name in _WALK}}


def as_data(page: QuestionPage) -> Json:
    """The whole page."""
    return {
        "version": VERSION,
        "question": ASKED,
        "answer": list(story.ANSWER),
        **cast("dict[str, object]", plain(page, _PLAIN)),
        "timeline": plain(story.STEPS),
        "others": [{**setter._asdict(), "source": setter.source, "url": setter.url} for setter in story.SETTERS],
        "would_change": list(story.WOULD_CHANGE),
        "links": plain(story.LINKS),
        "settings": plain(story.SETTINGS),
    }


def _verdicts(prediction: Prediction) -> Json:
    return {
        "outcome": prediction.outcome.value,
        "monitors": sum(plan.monitor is not None for plan in prediction.plans),
        "answers": {
            answer.name: {"good": answer.good, "text": answer.text, "numbers": dict(answer.numbers)}
            for answer in prediction.answers
        },
    }


_PLAIN = {Prediction: _verdicts}
