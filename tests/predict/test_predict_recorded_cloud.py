"""Predictions agree with what the real CCM, Octavia and its Neutron driver did; nothing but the record is needed here.

``make truth`` plays the cases again, and ``python tests/truth/cloud/cloud_compare.py --record`` rewrites the record.
"""

from __future__ import annotations

from typing import Any

import cloud_recorded as recorded
import pytest
from cloud_ours import differences
from cloud_play import Step

RECORD = recorded.load()
LARGEST = 400_000


@pytest.mark.part(of=3)
@pytest.mark.parametrize("tag", RECORD)
def test_every_recorded_step_is_predicted(tag: str) -> None:
    wrong = [f"{step.name}: {line}" for step in RECORD[tag] for line in differences(step, tag)]
    assert wrong == []


def test_the_record_is_wide_and_small() -> None:
    steps = RECORD["v1.36.0"]
    assert len({step.name.rpartition(" ")[0] for step in steps}) >= 100
    acts = [step.act for step in steps]
    assert acts.count("create") >= 100
    assert acts.count("change") >= 40
    assert acts.count("delete") >= 100
    assert {step.answer.outcome for step in steps} >= {"ok", "error", "panic"}
    assert recorded.AT.stat().st_size < LARGEST


def _right(act: str) -> Step:
    return next(
        step
        for step in RECORD["v1.36.0"]
        if step.act == act and step.answer.outcome == "ok" and len(step.answer.changes) > 1
    )


@pytest.mark.parametrize("act", ["create", "change", "delete"])
def test_a_wrong_answer_would_be_seen(act: str) -> None:
    step = _right(act)

    def seen(**changes: Any) -> bool:
        return bool(differences(step._replace(answer=step.answer._replace(**changes)), "v1.36.0"))

    answer = step.answer
    assert not seen()
    assert seen(outcome="error")
    assert seen(requests=answer.requests[:-1])
    assert seen(requests=(*answer.requests, answer.requests[0]))
    assert seen(events=(*answer.events, "x Normal Odd odd"))
    if act != "delete":
        assert seen(ingress=())
        assert seen(annotations={})
        assert answer.cloud is not None
        assert seen(cloud={**answer.cloud, "loadbalancers": []})
