"""``--time-limit``: what was found so far is reported, marked as cut, and the exit code is 3."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import FATAL, put, run

from ccmcheck.base.budget import TimeIsUp, lift_time_limit, limit_time
from ccmcheck.cli.main import run as run_here
from ccmcheck.lint import engine

SLOW = "slow/cloud.conf"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the files takes longer than anybody waits."""
    lint = engine.Linter.lint

    def waiting(self: engine.Linter, path: str, data: bytes, *, explicit: bool = False) -> object:
        if path == SLOW:
            time.sleep(60)
        return lint(self, path, data, explicit=explicit)

    monkeypatch.setattr(engine.Linter, "lint", waiting)


@pytest.mark.usefixtures("slow")
def test_what_was_found_until_then_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, SLOW: FATAL, "z/cloud.conf": FATAL})
    monkeypatch.chdir(tmp_path)
    started = time.monotonic()
    code = run_here(["lint", "--jobs", "1", "--time-limit", "2", "--format", "json", "."])
    assert time.monotonic() - started < 30
    document = json.loads(capsys.readouterr().out)
    assert code == 3
    assert {finding["path"] for finding in document["findings"]} == {"a/cloud.conf"}
    (failure,) = document["failures"]
    assert failure["path"] == SLOW
    assert "the time limit of 2 s is over: 2 of 3 files were not read" in failure["message"]


@pytest.mark.parametrize("arguments", [["predict", "--time-limit", "0.01", "."], ["list", "--time-limit", "0.01", "."]])
def test_every_command_ends_with_3(tmp_path: Path, arguments: list[str]) -> None:
    put(tmp_path, {f"{number}/cloud.conf": FATAL for number in range(200)})
    done = run(tmp_path, *arguments)
    assert done.code == 3
    assert "the time limit of 0.01 s is over" in done.err
    assert "Traceback" not in done.err


def test_the_environment_may_set_it_and_an_option_wins(tmp_path: Path) -> None:
    put(tmp_path, {f"{number}/cloud.conf": FATAL for number in range(200)})
    assert run(tmp_path, "list", ".", CCMCHECK_TIME_LIMIT="0.01").code == 3
    assert run(tmp_path, "list", "--time-limit", "300", ".", CCMCHECK_TIME_LIMIT="0.01").code == 0


def _waiting() -> None:
    while True:
        with suppress(Exception):  # what libraries do
            time.sleep(1)


def test_nothing_that_deals_with_faults_swallows_it() -> None:
    limit_time(0.05)
    try:
        with pytest.raises(TimeIsUp):
            _waiting()
    finally:
        lift_time_limit()
