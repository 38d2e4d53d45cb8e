"""A review as plain data, for JSON."""

from __future__ import annotations

from typing import cast

from ccmcheck.base.model import Finding
from ccmcheck.predict.records import Json, Prediction, Request
from ccmcheck.report.records import finding_record, plain
from ccmcheck.review.change.records import Review, ServiceFact
from ccmcheck.review.change.summary import summary, verdict

VERSION = 2
_SUMMARY = ("release", "outcome", "why", "error", "provider", "policy", "nodes", "monitor_source")
"""What is shown of a prediction; `ccmcheck predict` shows all of it."""

_PLAIN = {
    Prediction: lambda one: {name: plain(getattr(one, name)) for name in _SUMMARY},
    Request: Request.as_dict,
    ServiceFact: lambda fact: {**fact._asdict(), "changes": fact.changes},
    Finding: lambda finding: finding_record(finding, ""),
}


def plain_review(record: object) -> object:
    """Anything with reviews and their parts in it as plain data."""
    return plain(record, _PLAIN)


def as_data(review: Review) -> Json:
    """Everything as plain data; keys stay, new ones may come."""
    return {
        "version": VERSION,
        "verdict": verdict(review),
        "worst": None if review.worst is None else review.worst.word,
        "summary": list(summary(review)),
        **cast("dict[str, object]", plain_review(review)),
    }
