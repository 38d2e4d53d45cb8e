"""The guard of the counted calls: what fails it, and that its records are of today's scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from counted_calls import RECORDS, SCENARIOS, Measured, _compare, _fixed_work, _two_states
from counting import counted, place

RECORDED: Measured = {"calls": 1_000, "time": 2.0, "functions": {"a.py:f": 600, "b.py:g": 300}}


@pytest.mark.parametrize(
    ("calls", "functions", "failed", "said"),
    [
        (1_000, {"a.py:f": 600, "b.py:g": 300}, False, "passed  it: 1,000 calls, 1.000 x the record"),
        (1_050, {"a.py:f": 650, "b.py:g": 300}, False, "1.050 x the record"),
        (1_051, {"a.py:f": 651, "b.py:g": 300}, True, "   a.py:f  600 → 651"),
        (1_900, {"a.py:f": 600, "c.py:h": 900}, True, "   c.py:h  few → 900"),
        (900, {"a.py:f": 500, "b.py:g": 300}, False, "fewer: record it"),
    ],
)
def test_more_than_recorded(
    calls: int, functions: dict[str, int], failed: bool, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    now: Measured = {"calls": calls, "time": 2.0, "functions": functions}
    assert _compare("it", now, RECORDED) is failed
    assert said in capsys.readouterr().out


def test_time_only_warns(capsys: pytest.CaptureFixture[str]) -> None:
    assert not _compare("it", {**RECORDED, "time": 3.0}, RECORDED)
    assert "warning: it takes 1.50 times" in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_the_records_are_of_these_scenarios(path: Path) -> None:
    assert list(json.loads(path.read_text())) == list(SCENARIOS)


def test_what_is_counted() -> None:
    from ccmcheck.gcfg.values import format_duration

    def work() -> None:
        for _ in range(3):
            format_duration(61 * 10**9)

    once = counted(work)
    assert {place(code): count for code, count in once.items()}["gcfg/values.py:format_duration"] >= 3
    assert counted(work) == once, "the same work is the same count"
    assert _fixed_work() > 0


def test_two_states_differ_in_the_monitor(tmp_path: Path) -> None:
    _two_states(tmp_path)
    a, b = ((tmp_path / side / "cloud.conf").read_text() for side in "ab")
    assert a != b
    assert a.replace("create-monitor=true", "create-monitor=false") == b
