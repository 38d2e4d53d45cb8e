"""Sonobuoy's results of a plugin with ``result-format: manual``, which are its items in YAML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccmcheck.cluster.conformance.records import CaseResult, CaseVerdict, RunResult
from ccmcheck.cluster.core import yaml

_PASSED, _FAILED, _SKIPPED = "passed", "failed", "skipped"


def as_sonobuoy(result: RunResult) -> Iterator[str]:
    """The document."""
    failed = any(case.counts for case in result.cases) or result.remains is not None or not result.cases
    details: dict[str, Any] = {"cluster": result.cluster, "run": result.run_id}
    if result.stopped:
        details["stopped"] = result.stopped
    if result.remains is not None:
        details["left"] = "; ".join(result.remains.objects)
        details["remove-with"] = result.remains.command
    yield yaml(
        {
            "name": "ccmcheck-conformance",
            "status": _FAILED if failed else _PASSED,
            "meta": {"type": "summary"},
            "details": details,
            "items": [_item(case) for case in result.cases],
        }
    )


def _item(case: CaseResult) -> dict[str, Any]:
    status = _PASSED if case.verdict is CaseVerdict.PASS else _FAILED if case.counts else _SKIPPED
    details: dict[str, Any] = {"title": case.title, "verdict": case.verdict.value}
    failing = case.failing
    if failing is not None:
        details["failure"] = f"{failing.name}: {failing.text}"
        details |= {f"cause-{number}": cause for number, cause in enumerate(case.causes, 1)}
    return {"name": case.name, "status": status, "meta": {"type": "item"}, "details": details}
