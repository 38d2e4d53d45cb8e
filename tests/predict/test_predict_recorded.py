"""Predictions agree with what the real code of every release asked for; nothing but the record is needed here.

``make truth`` runs the real code itself, and ``python tests/truth/loadbalancer/loadbalancer_compare.py --record`` writes the
record again.
"""

from __future__ import annotations

import loadbalancer_recorded as recorded
import pytest
from loadbalancer_oracle import Answer, Asked, Case
from loadbalancer_ours import differences
from reader_releases import BUILDABLE, CCM, buildable

RECORD = recorded.load()
LARGEST = 1_000_000


@pytest.mark.part(of=3)
@pytest.mark.parametrize("tag", RECORD)
def test_every_recorded_answer_is_predicted(tag: str) -> None:
    release = buildable(tag).release
    wrong = [line for case, answer in RECORD[tag] for line in differences(case, answer, release)]
    assert wrong == []


def test_the_record_is_of_every_release_and_small() -> None:
    assert set(RECORD) == {release.tag for release in BUILDABLE if CCM in release.consumers}
    assert len(RECORD) == 16
    seen = {answer.outcome for kept in RECORD.values() for _, answer in kept}
    assert seen == {"ok", "error", "config", "unsupported", "start", "exit", "panic"}
    assert recorded.AT.stat().st_size < LARGEST


@pytest.mark.parametrize("tag", RECORD)
def test_the_record_is_wide(tag: str) -> None:
    kept = RECORD[tag]
    assert len(kept) >= 150
    assert {answer.outcome for _, answer in kept} >= {"ok", "error"}
    there = [case for case, _ in kept if case.cloud["loadbalancers"]]
    assert len(kept) // 4 < len(there) < len(kept)
    assert sum(_has_monitor(case) for case in there) >= 10
    assert sum(not _has_monitor(case) for case in there) >= 10


def _has_monitor(case: Case) -> bool:
    return any(
        (listener.get("default_pool") or {}).get("healthmonitor")
        for balancer in case.cloud["loadbalancers"]
        for listener in balancer["listeners"]
    )


def _right() -> tuple[Case, Answer]:
    return next(
        (case, answer)
        for case, answer in RECORD["v1.36.0"]
        if answer.outcome == "ok" and answer.ingress and len(answer.changes) > 1 and answer.changes[0].body
    )


def test_a_wrong_answer_would_be_seen() -> None:
    case, right = _right()

    def seen(answer: Answer) -> list[str]:
        return [line.split(":")[0] for line in differences(case, answer, "v1.36.0")]

    first = right.requests[0]
    assert seen(right) == []
    assert seen(right._replace(outcome="config")) == ["outcome"]
    assert seen(right._replace(error="another")) == ["error"]
    assert seen(right._replace(ingress=())) == ["status"]
    assert seen(right._replace(events=("Warning Odd odd",))) == ["events"]
    assert seen(right._replace(requests=right.requests[:-1])) == ["requests"]
    assert seen(right._replace(requests=(*right.requests, first))) == ["requests"]
    assert seen(right._replace(requests=(first._replace(method="PUT"), *right.requests[1:])))[0] == "request 0"
    assert seen(right._replace(requests=(_changed(first), *right.requests[1:])))[0].startswith("request 0")


def _changed(asked: Asked) -> Asked:
    ((kind, body),) = (asked.body or {}).items()
    return asked._replace(body={kind: {**body, "admin_state_up": False}})
