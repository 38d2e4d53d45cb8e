"""Problems that people reported: each that ccmcheck names is named by its files, or by the line of the log that it began with.

A problem a line: where it was reported, its cause, and, where ccmcheck names that, the files, the command and what it says; what
only OpenStack can show has the test that shows it. Those that are ``outside`` are faults of programs that ccmcheck does not look
at. Those in ``fresh.jsonl`` were chosen by what their threads say and rebuilt before any was tried: ``blind`` ones were named then.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

FILES = ("given.jsonl", "fresh.jsonl")
GIVEN, FRESH = (
    [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]
    for name in FILES
)
PROBLEMS: list[dict[str, Any]] = [*GIVEN, *FRESH]
NAMED = [problem for problem in PROBLEMS if "says" in problem]
SHOWN = [problem["shown_by"] for problem in PROBLEMS if "shown_by" in problem]
LEAST_NAMED = 0.85
LEAST_FRESH = 0.75


@pytest.mark.parametrize("problem", NAMED, ids=[problem["id"] for problem in NAMED])
def test_the_cause_is_named(problem: dict[str, Any], tmp_path: Path) -> None:
    for name, text in problem["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = run(tmp_path, *problem["command"]).out
    assert problem["says"] in " ".join(said.split())


@pytest.mark.parametrize("shown", SHOWN)
def test_what_openstack_shows_is_held_by_a_test(shown: str) -> None:
    file, _, name = shown.partition("::")
    function, _, case = name.partition("[")
    text = (Path(__file__).resolve().parents[1] / file).read_text(encoding="utf-8")
    assert f"def {function}(" in text
    assert case.rstrip("]") in text


def share_named(problems: list[dict[str, Any]]) -> float:
    """The share of the problems inside ccmcheck's view that it names."""
    inside = [problem for problem in problems if "outside" not in problem]
    return sum("says" in problem or "shown_by" in problem for problem in inside) / len(inside)


def test_no_fewer_are_named() -> None:
    assert len({problem["id"] for problem in PROBLEMS}) == len(PROBLEMS)
    assert (len(GIVEN), len(FRESH)) == (96, 629)
    assert share_named(GIVEN) >= LEAST_NAMED
    assert share_named(FRESH) >= LEAST_FRESH


def test_problems_are_sorted_and_from_other_threads() -> None:
    for problems in (GIVEN, FRESH):
        assert problems == sorted(problems, key=lambda problem: int(problem["id"][1:]))
    assert not {problem["link"] for problem in GIVEN} & {problem["link"] for problem in FRESH}
