"""Predictions as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.predict.advice.suggestion import Suggestion
from ccmcheck.predict.conformance import Script
from ccmcheck.predict.records import Json, Prediction

VERSION = 2
_OF_CHOICE = ("topic", "says", "change", "source")


class ServiceReport(NamedTuple):
    """One Service's prediction with where the Service is.

    Attributes:
        prediction: The prediction.
        path: The file.
        line: The line of the Service in it, from 1; 0 where that is not known.
        suggestion: What one change would bring.
        choices: What decides where nothing is set.
    """

    prediction: Prediction
    path: str = ""
    line: int = 0
    suggestion: Suggestion | None = None
    choices: tuple[OpenChoice, ...] = ()


class PredictionReport(NamedTuple):
    """Everything that is reported of one deployment at one release, and of those that are equal to it.

    Attributes:
        config: Its cloud.conf: the file and the route in it; empty where the defaults stand in.
        release: The CCM's release.
        source: Why that release.
        services: The Services.
        scripts: The conformance scripts.
        notes: What else there is to say.
        deployments: The names of all that this holds for; empty where the defaults stand in.
        stop: Why the CCM does not run with its cloud.conf; empty where it does.
        choices: What decides about Nodes, routes and the CCM's start where nothing is set.
        fails: Whether the saved answers of OpenStack say that something does not work.
    """

    config: str
    release: str
    source: str
    services: tuple[ServiceReport, ...]
    scripts: tuple[Script, ...]
    notes: tuple[str, ...] = ()
    deployments: tuple[str, ...] = ()
    stop: str = ""
    choices: tuple[OpenChoice, ...] = ()
    fails: bool = False


def without_equals(reports: Iterable[PredictionReport]) -> list[PredictionReport]:
    """The reports, of equal ones the first with the names of all: overlays often differ in names alone."""
    found: list[PredictionReport] = []
    alike: dict[object, list[tuple[PredictionReport, int]]] = {}  # what is compared, and its place in the result
    for report in reports:
        services = tuple(service._replace(path="", line=0) for service in report.services)
        source = "files" if report.source.startswith("from ") else report.source
        compared = report._replace(config="", source=source, deployments=(), services=services)
        near = alike.setdefault((report.release, source, tuple(one.prediction.why for one in services)), [])
        at = next((number for one, number in near if one == compared), None)
        if at is None:
            near.append((compared, len(found)))
            found.append(report)
        else:
            found[at] = found[at]._replace(deployments=(*found[at].deployments, *report.deployments))
    return found


def as_data(reports: tuple[PredictionReport, ...]) -> Json:
    """Everything as plain data.

    Args:
        reports: One for each configuration and release.
    """
    return {
        "version": VERSION,
        "services": [_service(service, report) for report in reports for service in report.services],
        "conformance": [
            {"config": report.config, "release": report.release, **script._asdict()}
            for report in reports
            for script in report.scripts
        ],
        "choices": [
            {"config": report.config, "release": report.release, **choice}
            for report in reports
            for choice in _choices(report.choices)
        ],
        "notes": [note for report in reports for note in report.notes],
    }


def _choices(choices: Iterable[OpenChoice]) -> list[Json]:
    return [{name: getattr(choice, name) for name in _OF_CHOICE} for choice in choices]


def _service(service: ServiceReport, report: PredictionReport) -> Json:
    found = service.prediction
    return {
        "service": found.service,
        "path": service.path,
        "line": service.line,
        "config": report.config,
        "deployments": list(report.deployments),
        "release": found.release,
        "request": found.request,
        "requests": [request.as_dict() for request in found.sent],
        "verdict": _verdict(found),
        "findings": [
            {**one._asdict(), "severity": one.severity.word, "path": list(one.path)} for one in found.findings
        ],
        "name": found.name,
        "policy": found.policy,
        "provider": found.provider,
        "nodes": found.nodes,
        "ports": [
            {
                "port": plan.port,
                "protocol": plan.protocol,
                "node_port": plan.node_port,
                "listener": plan.listener,
                "pool": plan.pool,
                "lb_algorithm": plan.method,
                "monitor": plan.monitor,
                "monitor_port": plan.monitor_port or None,
            }
            for plan in found.plans
        ],
        "floating_ip": found.floating._asdict(),
        "security_group": None if found.rules is None else [rule._asdict() for rule in found.rules],
        "status": [
            {
                key: value
                for key, value in (("ip", one.ip), ("hostname", one.hostname), ("ipMode", one.ip_mode))
                if value
            }
            for one in found.published
        ],
        "annotations": dict(found.written),
        "events": [_without("at", event._asdict()) for event in found.events],
        "ignored": [one._asdict() for one in found.ignored],
        "assumed": list(found.assumed),
        "choices": _choices(service.choices),
        "suggestion": None if service.suggestion is None else service.suggestion._asdict(),
    }


def _verdict(found: Prediction) -> Json:
    accepted = found.answer("accepted")
    first = found.refusals[0] if found.refusals else None
    return {
        "outcome": found.outcome.value,
        "accepted": accepted.good if accepted is not None else None,
        "status": first.status if first is not None else None,
        "field": first.field if first is not None else None,
        "why": found.why,
        "error": found.error,
        "refusals": [_without("by", one._asdict()) for one in found.refusals],
        "answers": {
            one.name: {**_without("name", one._asdict()), "numbers": dict(one.numbers)} for one in found.answers
        },
    }


def _without(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in fields.items() if field != name}
