"""``--max-findings`` leaves findings out of reports, says how many, and changes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccmcheck.cli.main import run
from ccmcheck.report.base import MOST_FOR_PEOPLE

KEYS = MOST_FOR_PEOPLE // 2 + 20
CONF = "[LoadBalancer]\ncreate-monitor=false\n" + "".join(f"unknown-key-{number}=1\n" for number in range(KEYS))
SAYS_SO = ["text", "concise", "json", "ndjson", "sarif", "github"]
HAS_NO_PLACE = ["junit", "gitlab", "checkstyle"]


@pytest.fixture(autouse=True)
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cloud.conf").write_text(CONF, encoding="utf-8")


def lint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["lint", "--no-config", "--select", "unknown-key", *arguments, "a", "b"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("name", SAYS_SO)
def test_what_is_left_out_is_counted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = lint(capsys, "--format", name, "--max-findings", "3")
    assert code == 1
    mark = {"json": '"rule": "unknown-key", "severity"', "ndjson": '"type": "finding"', "sarif": '"ruleId": '}
    assert out.count(mark.get(name, "silently ignores")) == 3
    if name in {"json", "ndjson"}:
        summary = json.loads(out)["summary"] if name == "json" else json.loads(out.splitlines()[-1])
        assert summary["findings"]["error"] == 2 * KEYS
        assert summary["not_shown"] == [{"rule": "unknown-key", "findings": 2 * KEYS - 3}]
    elif name == "sarif":
        log = json.loads(out)["runs"][0]
        assert len(log["results"]) == 3
        notes = log["invocations"][0]["toolExecutionNotifications"]
        assert [note["descriptor"]["id"] for note in notes] == ["findings-not-shown"]
        assert log["invocations"][0]["executionSuccessful"] is True
        assert [one["findings"] for one in log["properties"]["not_shown"]] == [2 * KEYS - 3]
    else:
        assert out.count(f"and {2 * KEYS - 3} more of unknown-key; --max-findings 0 shows all") == 1


@pytest.mark.parametrize("name", HAS_NO_PLACE)
def test_formats_without_a_place_for_it_hold_all(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys, "--format", name, "--max-findings", "3")[1].count("silently ignores") >= 2 * KEYS


def test_text_and_markdown_show_some_and_the_others_all(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("text", "markdown"):
        _, out = lint(capsys, "--format", name)
        assert f"and {2 * KEYS - MOST_FOR_PEOPLE} more" in out
    _, out = lint(capsys)
    # the same line in both files is one finding with two places
    assert out.count("silently ignores") + out.count("The same at b/cloud.conf") == MOST_FOR_PEOPLE
    assert f"{2 * KEYS} findings ({2 * KEYS} errors)" in out
    assert lint(capsys, "--max-findings", "0")[1].count("silently ignores") == KEYS
    for name in SAYS_SO[1:]:
        assert "more of unknown-key" not in lint(capsys, "--format", name)[1]


def test_what_is_not_shown_counts_for_baseline_and_fingerprints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lint(capsys, "--max-findings", "1", "--write-baseline", "base.json")[0] == 0
    assert lint(capsys, "--baseline", "base.json")[0] == 0
    every = [json.loads(line) for line in lint(capsys, "--format", "ndjson")[1].splitlines()[1:-1]]
    shown = [
        json.loads(line) for line in lint(capsys, "--format", "ndjson", "--max-findings", "2")[1].splitlines()[1:-1]
    ]
    assert shown == every[:2]


def test_the_worst_are_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = CONF + "monitor-delay=3\n"
    (tmp_path / "a" / "cloud.conf").write_text(text, encoding="utf-8")
    run(["lint", "--no-config", "--format", "concise", "--max-findings", "1", "--ignore", "auth", "a"])
    fatal, *others = capsys.readouterr().out.splitlines()
    assert "error duration-bad" in fatal
    assert f"and {KEYS} more of unknown-key; --max-findings 0 shows all" in others


def test_what_is_shown_and_counted_is_the_same_where_less_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    everything, some = (lint(capsys, "--max-findings", most)[1].splitlines() for most in ("0", "3"))
    assert some[-1].partition(",")[0] == everything[-1].partition(",")[0]
    quoted = [line for line in everything if "=1" in line]
    assert [line for line in some if "=1" in line] == quoted[:3]


def test_a_baseline_leaves_the_last_findings_with_their_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--no-config", "--select", "unknown-key", "--write-baseline", "known.json", "a", "b"]) == 0
    for name in ("a", "b"):
        Path(name, "cloud.conf").write_text(f"{CONF}unknown-key-last=1\n", encoding="utf-8")
    _, out = lint(capsys, "--baseline", "known.json", "--max-findings", "3")
    assert out.count("unknown-key-last=1") == 1
    assert "The same at b/cloud.conf" in out


def test_statistics_count_each_rule_in_place_of_its_findings(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = lint(capsys, "--statistics")
    assert code == 1
    assert "silently ignores" not in out
    assert [line.split() for line in out.splitlines()[:2]] == [
        ["severity", "findings", "files", "with", "a", "fix", "rule"],
        ["error", f"{2 * KEYS}", "2", "0", "unknown-key"],
    ]
    assert f"{2 * KEYS} findings" in out.splitlines()[-1]
    as_json = json.loads(lint(capsys, "--statistics", "--format", "json")[1])
    assert (as_json["findings"], as_json["summary"]["rules"]) == ([], {"unknown-key": {"error": 2 * KEYS}})
    assert "| 🔴 error | " in lint(capsys, "--statistics", "--format", "markdown")[1]
    assert run(["lint", "--statistics", "--format", "sarif", "a"]) == 2
    assert "--statistics is not for sarif." in capsys.readouterr().err


def test_equal_findings_of_many_files_are_one_with_its_places(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(9):
        Path(f"{number}.conf").write_text("[LoadBalancer]\nunknown-key=1\n", encoding="utf-8")
    paths = [f"{number}.conf" for number in range(9)]
    run(["lint", "--no-config", "--select", "unknown-key", *paths])
    out = capsys.readouterr().out
    assert out.count("unknown-key=1") == 1
    places = ", ".join(f"{number}.conf:2:1" for number in range(1, 5))
    assert f"   The same at {places} and 4 more places; -v shows them\n" in out
    run(["lint", "--no-config", "--select", "unknown-key", "-v", *paths])
    assert "8.conf:2:1\n" in capsys.readouterr().out
