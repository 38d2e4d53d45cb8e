"""A drift as plain data, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.core import review_data
from ccmcheck.cluster.drift.words import verdict

if TYPE_CHECKING:
    from ccmcheck.cluster.drift.records import Change, Compared, Drift, Lone

    Json = dict[str, object]

VERSION = 1


def as_data(drift: Drift) -> Json:
    """Everything as plain data; keys stay, new ones may come."""
    return {
        "version": VERSION,
        "cluster": {**drift.identity._asdict(), "line": drift.identity.line},
        "paths": list(drift.paths),
        "release": drift.release,
        "verdict": verdict(drift),
        "drift": not drift.is_none,
        "partial": bool(drift.failures),
        "compared": [_compared(one) for one in drift.compared],
        "only_git": [_lone(one) for one in drift.only_git],
        "only_live": [_lone(one) for one in drift.only_live],
        "elsewhere": [_lone(one) for one in drift.elsewhere],
        "sync": review_data(drift.sync) if drift.sync is not None else None,
        "notes": list(drift.notes),
        "failures": [
            {"path": failure.path, "message": failure.message, "hint": failure.hint} for failure in drift.failures
        ],
    }


def _compared(one: Compared) -> Json:
    return {
        **one._asdict(),
        "differences": [{**each._asdict(), "changed": _change(each.changed)} for each in one.differences],
        "unknown": list(one.unknown),
        "changed": _change(one.changed),
    }


def _lone(one: Lone) -> Json:
    return {**one._asdict(), "changed": _change(one.changed)}


def _change(change: Change | None) -> Json | None:
    return change._asdict() if change is not None else None
