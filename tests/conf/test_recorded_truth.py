"""The reading agrees with what the real code of every release was seen to do; nothing but the record is needed here.

``make truth`` runs the real code itself, and ``python tests/truth/reader/compare.py --record`` writes the record anew.
"""

from __future__ import annotations

import pytest
import reader_recorded
from reader_oracle import Answer
from reader_ours import differences

READERS = reader_recorded.load_readers()
ANSWERS = list(reader_recorded.load_answers(READERS))


def named(number: int) -> str:
    return f"{READERS[number].consumer}@{READERS[number].release.release}"


@pytest.mark.parametrize("number", range(len(READERS)), ids=named)
def test_every_recorded_answer_is_ours(number: int) -> None:
    known = READERS[number]
    wrong = [
        (data, line)
        for data, answers in ANSWERS
        for line in differences(data, known.consumer, known.release, answers[number])
    ]
    assert not wrong


def test_the_record_is_wide() -> None:
    outcomes = [answer.outcome for _, answers in ANSWERS for answer in answers]
    assert len(ANSWERS) >= 300
    assert len(READERS) >= 20
    assert min(outcomes.count("ok"), outcomes.count("fatal")) > len(outcomes) // 10
    assert set(outcomes) == {"ok", "fatal"}


def test_a_wrong_answer_would_be_seen() -> None:
    number = next(number for number, reader in enumerate(READERS) if reader.release.tag == "v1.36.0")
    known = READERS[number]
    data = b"[LoadBalancer]\nmonitor-delay = 5s\n[x]\n"

    def seen(answer: Answer) -> list[str]:
        return [line.split(":")[0] for line in differences(data, known.consumer, known.release, answer)]

    empty = Answer("ok", "", known.defaults, frozenset(), frozenset(), elsewhere=False)
    right = empty._replace(ignored=frozenset({("x", None, None)}))
    assert seen(right) == []
    assert seen(empty) == ["ignored"]
    assert seen(Answer("fatal", "1:1: x", {}, frozenset(), frozenset(), elsewhere=False)) == ["outcome"]
    delay = ("LoadBalancer", None, "monitor-delay")
    assert seen(right._replace(values={**known.defaults, delay: {"ns": 6_000_000_000}})) == [f"value of {delay}"]
    assert seen(right._replace(subsections=frozenset({("LoadBalancerClass", "a")}))) == ["subsections"]
