"""Predictions agree with what the real code did in scenarios of several acts; nothing but the record is needed here.

``make truth ARGS=scenarios`` plays others, and ``python tests/truth/scenarios/scenarios_compare.py --record`` rewrites
the record.
"""

from __future__ import annotations

import pytest
import scenarios_recorded as recorded
from loadbalancer_scenarios import steps
from scenarios_compare import differences

RECORD = recorded.load()


@pytest.mark.part(of=4)
@pytest.mark.parametrize("tag", RECORD)
def test_every_recorded_act_is_predicted(tag: str) -> None:
    counts, wrong = differences(tag, RECORD[tag])
    assert wrong == []
    assert {"ensure", "restart", "update", "delete"} <= set(counts)
    assert sum(counts.values()) >= 150


def test_the_record_shares_load_balancers_and_crashes() -> None:
    answers = [answer for each in RECORD.values() for _, given in each for answer in given]
    assert {answer.outcome for answer in answers} >= {"ok", "error", "panic"}
    assert any("already shared" in answer.error for answer in answers)
    assert recorded.AT.stat().st_size < 500_000


def test_a_wrong_answer_would_be_seen() -> None:
    scenario, answers = next(one for one in RECORD["v1.36.0"] if one[1][0].outcome == "ok")
    (first, *_) = steps(scenario, answers)
    assert first.answer.changes
    wrong = [answers[0]._replace(requests=answers[0].requests[:-1]), *answers[1:]]
    assert differences("v1.36.0", [(scenario, wrong)])[1]
