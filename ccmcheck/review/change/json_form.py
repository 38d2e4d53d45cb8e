"""A review as plain data, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.review.change.summary import summary, verdict

if TYPE_CHECKING:
    from ccmcheck.predict.records import Json, Prediction
    from ccmcheck.review.change.records import ConfigChange, Review, ServiceChange, Totals

VERSION = 1


def as_data(review: Review) -> Json:
    """Everything as plain data; keys stay, new ones may come."""
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
                "do": point.do,
            }
            for point in review.points
        ],
        "configs": [_config(config) for config in review.configs],
        "services": [_service(service) for service in review.services],
        "notes": list(review.notes),
        "stand_ins": review.stand_ins,
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


def _config(config: ConfigChange) -> Json:
    return {
        **config._asdict(),
        "change": config.change.value,
        "settings": [setting._asdict() for setting in config.settings],
        "upgrade": [change._asdict() for change in config.upgrade],
        "turns": [{**effect._asdict(), "severity": effect.severity.word} for effect in config.turns],
    }


def _service(service: ServiceChange) -> Json:
    return {
        "service": service.service,
        "path": service.path,
        "line": service.line,
        "old_path": service.old_path,
        "change": service.change.value,
        "config": service.config,
        "fate": service.fate.value,
        "health_before": service.health_before.value,
        "health_after": service.health_after.value,
        "before": _prediction(service.before),
        "after": _prediction(service.after),
        "requests": [request.as_dict() for request in service.requests],
        "monitors": service.monitors._asdict(),
        "rules_added": [rule._asdict() for rule in service.rules_added],
        "rules_removed": [rule._asdict() for rule in service.rules_removed],
        "facts": [{**fact._asdict(), "changes": fact.changes} for fact in service.facts],
        "rate_before": service.rate_before._asdict(),
        "rate_after": service.rate_after._asdict(),
        "detection_before": service.detection_before._asdict(),
        "detection_after": service.detection_after._asdict(),
        "stays": list(service.stays),
        "anew": service.recreation_error,
        "ignored": [ignored._asdict() for ignored in service.ignored],
        "doubt": service.doubt,
    }


def _prediction(prediction: Prediction | None) -> Json | None:
    """A summary of a prediction; `ccmcheck predict` shows all of it."""
    if prediction is None:
        return None
    return {
        "release": prediction.release,
        "outcome": prediction.outcome.value,
        "why": prediction.why,
        "error": prediction.error,
        "provider": prediction.provider,
        "policy": prediction.policy,
        "nodes": prediction.nodes,
        "monitor_source": prediction.monitor_source,
    }
