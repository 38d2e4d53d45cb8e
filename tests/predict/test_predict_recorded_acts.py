"""Predictions agree with the CCM's code against the real Octavia, act by act; nothing but the record is needed here.

``make truth ARGS=acts`` plays other scenarios, and ``python tests/truth/acts/acts_compare.py --record`` rewrites the record.
"""

from __future__ import annotations

import collections

import cloud_recorded as recorded
import pytest
from acts_compare import AT, RELEASES
from acts_ours import NotPredictedError, known_causes, step_differences
from acts_play import Step

RECORD = {
    tag: [Step(one.name, one.act, tag, one.case, one.answer, one.statuses) for one in steps]
    for tag, steps in recorded.load(AT).items()
}


@pytest.mark.part(of=3)
@pytest.mark.parametrize("tag", RELEASES)
def test_every_recorded_act_is_predicted(tag: str) -> None:
    wrong = []
    for step in RECORD[tag]:
        try:
            lines = step_differences(step)
        except NotPredictedError:
            continue
        if lines and not known_causes(step, lines):
            wrong.append((step.name, step.act, lines[0]))
    assert wrong == []


def test_the_record_has_every_kind_of_act() -> None:
    acts = collections.Counter(step.act for steps in RECORD.values() for step in steps)
    assert acts.keys() == {"ensure", "update", "restart", "upgrade", "delete"}
    assert sum(acts.values()) > 150
    assert any(step.name.startswith("shared") for steps in RECORD.values() for step in steps)
    assert AT.stat().st_size < 100_000


def test_a_wrong_answer_would_be_seen() -> None:
    step = next(one for one in RECORD["v1.36.0"] if one.answer.outcome == "ok" and len(one.answer.changes) > 1)
    assert step_differences(step) == []
    fewer = step.answer._replace(requests=step.answer.requests[:-1])
    assert step_differences(step._replace(answer=fewer, statuses=step.statuses[:-1]))
