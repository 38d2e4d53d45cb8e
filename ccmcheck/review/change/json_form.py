"""A review as plain data, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.review.change.summary import summary, verdict

if TYPE_CHECKING:
    from ccmcheck.predict.records import Json, Prediction
    from ccmcheck.review.change.records import ConfigChange, Review, ServiceChange, Totals

VERSION = 1


def as_data(review: Review) -> Json:
    """Everything as plain data; keys stay, new ones may come.

    Args:
        review: The review.
    """
    return {
        "version": VERSION,
        "base": review.base,
        "head": review.head,
        "verdict": verdict(review),
        "worst": None if review.worst is None else review.worst.word,
        "summary": list(summary(review)),
        "totals": _totals(review.totals),
        "points": [
            {
                "severity": point.severity.word,
                "kind": point.kind,
                "text": point.text,
                "subjects": list(point.subjects),
                "why": point.why,
                "evidence": point.evidence,
            }
            for point in review.points
        ],
        "configs": [_config(one) for one in review.configs],
        "services": [_service(one) for one in review.services],
        "notes": list(review.notes),
    }


def _totals(totals: Totals) -> Json:
    return {
        **totals._asdict(),
        "fates": {fate.value: count for fate, count in totals.fates.items()},
        "monitors": totals.monitors._asdict(),
        "rate_before": totals.rate_before._asdict(),
        "rate_after": totals.rate_after._asdict(),
        "detection_before": totals.detection_before._asdict(),
        "detection_after": totals.detection_after._asdict(),
    }


def _config(one: ConfigChange) -> Json:
    return {
        **one._asdict(),
        "change": one.change.value,
        "settings": [setting._asdict() for setting in one.settings],
        "upgrade": [change._asdict() for change in one.upgrade],
        "turns": [{**effect._asdict(), "severity": effect.severity.word} for effect in one.turns],
    }


def _service(one: ServiceChange) -> Json:
    return {
        "service": one.service,
        "path": one.path,
        "line": one.line,
        "old_path": one.old_path,
        "change": one.change.value,
        "config": one.config,
        "fate": one.fate.value,
        "health_before": one.health_before.value,
        "health_after": one.health_after.value,
        "before": _prediction(one.before),
        "after": _prediction(one.after),
        "requests": [request.as_dict() for request in one.requests],
        "monitors": one.monitors._asdict(),
        "rules_added": [rule._asdict() for rule in one.rules_added],
        "rules_removed": [rule._asdict() for rule in one.rules_removed],
        "facts": [{**fact._asdict(), "changes": fact.changes} for fact in one.facts],
        "rate_before": one.rate_before._asdict(),
        "rate_after": one.rate_after._asdict(),
        "detection_before": one.detection_before._asdict(),
        "detection_after": one.detection_after._asdict(),
        "stays": list(one.stays),
        "anew": one.recreation_error,
        "ignored": [ignored._asdict() for ignored in one.ignored],
        "doubt": one.doubt,
    }


def _prediction(found: Prediction | None) -> Json | None:
    """A summary of a prediction; `ccmcheck predict` shows all of it."""
    if found is None:
        return None
    return {
        "release": found.release,
        "outcome": found.outcome.value,
        "why": found.why,
        "error": found.error,
        "provider": found.provider,
        "policy": found.policy,
        "nodes": found.nodes,
        "monitor_source": found.monitor_source,
    }
