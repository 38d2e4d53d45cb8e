"""The report for programs: every step and every request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccmcheck.cluster.conformance.records import CaseResult, Reply, RunResult

VERSION = 1


def as_json(result: RunResult) -> Iterator[str]:
    """The document."""
    from ccmcheck.cluster.core import json_text

    yield json_text.dumped_lines(as_data(result))


def as_data(result: RunResult) -> dict[str, Any]:
    """The same as plain data."""
    remains = result.remains
    return {
        "version": VERSION,
        "cluster": result.cluster,
        "run": result.run_id,
        "image": result.image,
        "predicted_by": result.source or None,
        "started": result.started,
        "seconds": round(result.seconds, 3),
        "stopped": result.stopped or None,
        "cases": [_case(case) for case in result.cases],
        "remains": None if remains is None else {**remains._asdict(), "objects": list(remains.objects)},
        "failures": [
            {"path": failure.path, "message": failure.message, "hint": failure.hint} for failure in result.failures
        ],
    }


def _case(case: CaseResult) -> dict[str, Any]:
    comparison = case.comparison
    return {
        "name": case.name,
        "title": case.title,
        "verdict": case.verdict.value,
        "required": case.required,
        "seconds": round(case.seconds, 3),
        "addresses": list(case.addresses),
        "failing_step": case.failing.name if case.failing is not None else None,
        "predicted": case.predicted or None,
        "client_predicted": case.client or None,
        "delays": None if comparison is None else comparison._asdict(),
        "causes": list(case.causes),
        "steps": [
            {
                "name": step.name,
                "ok": step.ok,
                "text": step.text,
                "seconds": round(step.seconds, 3),
                "requests": [_reply(reply) for reply in step.replies],
            }
            for step in case.steps
        ],
    }


def _reply(reply: Reply) -> dict[str, Any]:
    known: dict[str, Any] = {"seconds": round(reply.seconds, 4)}
    if reply.problem is None:
        known |= {"pod": reply.pod, "client": reply.client}
        if reply.forwarded:
            known["forwarded"] = reply.forwarded
    else:
        known["problem"] = reply.problem.value
        if reply.status:
            known["status"] = reply.status
    return known
