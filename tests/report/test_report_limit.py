"""``--max-findings`` leaves findings out of reports, says how many, and changes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccmcheck.cli.lint import MOST_AS_TEXT
from ccmcheck.cli.main import run

KEYS = 60
CONF = "[LoadBalancer]\ncreate-monitor=false\n" + "".join(f"unknown-key-{number}=1\n" for number in range(KEYS))
SAYS_SO = ["text", "concise", "json", "ndjson", "sarif", "github"]
HAS_NO_PLACE = ["junit", "gitlab", "checkstyle"]


@pytest.fixture(autouse=True)
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cloud.conf").write_text(CONF, encoding="utf-8")


def lint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["lint", "--no-config", "--select", "unknown-key", *arguments, "a", "b"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("name", SAYS_SO)
def test_what_is_left_out_is_counted_for_each_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = lint(capsys, "--format", name, "--max-findings", "3")
    assert code == 1
    mark = {"json": '"rule": "unknown-key", "severity"', "ndjson": '"type": "finding"', "sarif": '"ruleId": '}
    assert out.count(mark.get(name, "silently ignores")) == 6
    if name in {"json", "ndjson"}:
        summary = json.loads(out)["summary"] if name == "json" else json.loads(out.splitlines()[-1])
        assert summary["findings"]["error"] == 2 * KEYS
        assert summary["not_shown"] == [
            {"path": f"{folder}/cloud.conf", "rule": "unknown-key", "findings": KEYS - 3} for folder in "ab"
        ]
    elif name == "sarif":
        log = json.loads(out)["runs"][0]
        assert len(log["results"]) == 6
        notes = log["invocations"][0]["toolExecutionNotifications"]
        assert [note["descriptor"]["id"] for note in notes] == ["findings-not-shown"] * 2
        assert log["invocations"][0]["executionSuccessful"] is True
        assert [one["findings"] for one in log["properties"]["not_shown"]] == [KEYS - 3] * 2
    else:
        assert out.count(f"and {KEYS - 3} more of unknown-key; --max-findings 0 shows all") == 2


@pytest.mark.parametrize("name", HAS_NO_PLACE)
def test_formats_without_a_place_for_it_hold_all(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys, "--format", name, "--max-findings", "3")[1].count("silently ignores") >= 2 * KEYS


def test_text_shows_fifty_of_a_rule_in_a_file_and_the_others_all(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = lint(capsys)
    assert out.count("silently ignores") == 2 * MOST_AS_TEXT
    assert out.count(f"and {KEYS - MOST_AS_TEXT} more of unknown-key") == 2
    assert f"{2 * KEYS} findings ({2 * KEYS} errors)" in out
    assert lint(capsys, "--max-findings", "0")[1].count("silently ignores") == 2 * KEYS
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
    assert (
        shown
        == [finding for folder in "ab" for finding in every if finding["path"][0] == folder][:2] + every[KEYS:][:2]
    )


def test_a_rule_that_is_cut_leaves_the_others_whole(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = CONF + "monitor-delay=3\n"
    (tmp_path / "a" / "cloud.conf").write_text(text, encoding="utf-8")
    run(["lint", "--no-config", "--format", "concise", "--max-findings", "1", "a"])
    out = capsys.readouterr().out
    assert "error duration-bad" in out
    assert out.count("error unknown-key") == 1
    assert out.splitlines()[-1] == f"a/cloud.conf: and {KEYS - 1} more of unknown-key; --max-findings 0 shows all"


def test_what_is_shown_and_counted_is_the_same_where_less_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    everything, some = (lint(capsys, "--max-findings", most)[1].splitlines() for most in ("0", "3"))
    assert some[-1].partition(",")[0] == everything[-1].partition(",")[0]
    quoted = [line for line in everything if "=1" in line]
    assert [line for line in some if "=1" in line] == [*quoted[:3], *quoted[KEYS : KEYS + 3]]


def test_a_baseline_leaves_the_last_findings_with_their_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--no-config", "--select", "unknown-key", "--write-baseline", "known.json", "a", "b"]) == 0
    for name in ("a", "b"):
        Path(name, "cloud.conf").write_text(f"{CONF}unknown-key-last=1\n", encoding="utf-8")
    _, out = lint(capsys, "--baseline", "known.json", "--max-findings", "3")
    assert out.count("unknown-key-last=1") == 2
    assert out.count("silently ignores") == 2
