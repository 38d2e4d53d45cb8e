"""The page on create-monitor as plain data, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor.others import UPSTREAM

if TYPE_CHECKING:
    from ccmcheck.policy.create_monitor.others import Setter
    from ccmcheck.predict.records import Json, Prediction
    from ccmcheck.review.create_monitor.records import QuestionPage, ServiceCase

VERSION = 2


def walk_data(page: QuestionPage) -> Json:
    """The walk through the matrix."""
    advised = page.recommendation
    return {
        "version": VERSION,
        "config": page.config,
        "release": page.release,
        "source": page.source,
        "stop": page.stop,
        "provider": page.provider,
        "nodes": page.nodes,
        "recommendation": {
            **advised._asdict(),
            "rows": list(advised.rows),
            "config": dict(advised.config),
            "needs": list(advised.needs),
        },
        "services": [_service(case) for case in page.services],
        "notes": list(page.notes),
    }


def as_data(page: QuestionPage) -> Json:
    """The whole page."""
    return {
        **walk_data(page),
        "question": page.asked,
        "answer": list(page.answer),
        "figures": _each(page.figures),
        "scripts": _each(page.scripts),
        "timeline": _each(page.timeline),
        "others": [_setter(setter) for setter in page.others],
        "for": _each(page.arguments_for),
        "risks": _each(page.risks),
        "would_change": list(page.would_change),
        "links": _each(page.links),
        "motion": _each(page.motion),
        "first_connections": _each(page.shares),
        "options": _each(page.options),
        "settings": [_setting(*one) for one in page.settings],
        "setting": _setting(*page.setting),
        "tenants": [_service(case) for case in page.tenants],
        "instead": _each(page.instead),
        "assumed": list(page.assumed),
    }


def _setting(name: str, option: int, why: str) -> Json:
    return {"setting": name, "option": option, "why": why}


def _setter(setter: Setter) -> Json:
    return {
        "name": setter.name,
        "value": setter.value,
        "timers": setter.timers,
        "source": setter.source,
        "upstream": setter.kind == UPSTREAM,
        "kind": setter.kind,
        "repository": setter.repository,
        "path": setter.path,
        "commit": setter.commit,
        "date": setter.date,
        "url": setter.url,
        "note": setter.note,
    }


def _each(records: tuple[NamedTuple, ...]) -> list[Json]:
    return [record._asdict() for record in records]


def _service(case: ServiceCase) -> Json:
    return {
        "service": case.service,
        "path": case.path,
        "line": case.line,
        "stand_in": case.stand_in,
        "policy": case.policy,
        "ports": list(case.ports),
        "row": case.row or None,
        "advice": case.advice or None,
        "via": case.via,
        "why": case.why,
        "source": case.source,
        "actions": list(case.actions),
        "cautions": list(case.cautions),
        "needs": list(case.needs),
        "timers": case.timers or None,
        "timers_why": case.timers_why,
        "annotations": dict(case.annotations),
        "tried": _each(case.trials),
        "now": _verdicts(case.now),
        "then": _verdicts(case.then),
    }


def _verdicts(prediction: Prediction | None) -> Json | None:
    if prediction is None:
        return None
    return {
        "outcome": prediction.outcome.value,
        "monitors": sum(plan.monitor is not None for plan in prediction.plans),
        "answers": {
            answer.name: {"good": answer.good, "text": answer.text, "numbers": dict(answer.numbers)}
            for answer in prediction.answers
        },
    }
