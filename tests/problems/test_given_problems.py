"""Problems that people reported: each that ccmcheck names is named by its files, or by the line of the log that it began with.

``given.jsonl`` has a problem a line: where it was reported, its cause, and, where ccmcheck names that, the files, the command and
what it says; what only OpenStack can show has the test that shows it. The others have no command; those that are ``outside`` are faults of programs that ccmcheck does not look at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import run

LINES = Path(__file__).with_name("given.jsonl").read_text(encoding="utf-8").splitlines()
PROBLEMS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
NAMED = [problem for problem in PROBLEMS if "says" in problem]
SHOWN = [problem["shown_by"] for problem in PROBLEMS if "shown_by" in problem]
INSIDE = [problem for problem in PROBLEMS if "outside" not in problem]
LEAST_NAMED = 0.76


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


def test_no_fewer_are_named() -> None:
    assert len({problem["id"] for problem in PROBLEMS}) == len(PROBLEMS) == 96
    assert (len(NAMED) + len(SHOWN)) / len(INSIDE) >= LEAST_NAMED
