from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.model import Finding, Place, Severity
from ccmcheck.lint.baseline import Baseline, Stale, load, write


def finding(path: str, rule: str, line: int = 1) -> Finding:
    return Finding(rule, Severity.ERROR, False, Place(path, line, 1, line, 2, "", line, 1), "label")


def test_what_is_written_is_sorted_and_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "baseline.json"
    findings = [
        finding("b/x.yaml", "two-b"),
        finding("b/x.yaml", "one-a", 3),
        finding("a.conf", "one-a"),
        finding("b/x.yaml", "two-b", 9),
    ]
    write(str(target), findings)
    expected = """\
{
  "version": 1,
  "files": {
    "a.conf": {
      "one-a": 1
    },
    "b/x.yaml": {
      "one-a": 1,
      "two-b": 2
    }
  }
}
"""
    assert target.read_text("utf-8") == expected
    write(str(target), reversed(findings))
    assert target.read_text("utf-8") == expected
    assert [path.name for path in tmp_path.iterdir()] == ["baseline.json"]


def test_what_was_written_absorbs_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    findings = [finding("a.conf", "one-a"), finding("a.conf", "one-a", 5), finding("b.conf", "one-a")]
    write("baseline.json", findings)
    assert load("baseline.json").filter(findings) == ([], 3, [])


def test_more_than_recorded_shows_the_last_ones() -> None:
    baseline = Baseline({"a.conf": {"one-a": 2}}, str(Path.cwd()))
    findings = [
        finding("a.conf", "one-a", 1),
        finding("a.conf", "two-b", 2),
        finding("a.conf", "one-a", 5),
        finding("a.conf", "one-a", 9),
    ]
    filtered = baseline.filter(findings)
    assert [(one.rule, one.place.line) for one in filtered.new] == [("two-b", 2), ("one-a", 9)]
    assert filtered.baselined == 2
    assert filtered.stale == []


def test_fewer_than_recorded_is_stale() -> None:
    baseline = Baseline({"b.conf": {"two-b": 1}, "a.conf": {"one-a": 3}}, str(Path.cwd()))
    assert baseline.filter([finding("a.conf", "one-a")]).stale == [
        Stale("a.conf", "one-a", 3, 1),
        Stale("b.conf", "two-b", 1, 0),
    ]


def test_only_files_of_this_run_can_be_stale() -> None:
    baseline = Baseline({"b.conf": {"two-b": 1}, "a.conf": {"one-a": 3}}, str(Path.cwd()))
    assert baseline.filter([], linted=["./b.conf"]).stale == [Stale("b.conf", "two-b", 1, 0)]
    assert baseline.filter([], linted=[]).stale == []


def test_paths_start_at_the_baselines_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    write("baseline.json", [finding("sub/a.conf", "one-a")])
    monkeypatch.chdir(tmp_path / "sub")
    for path in ("a.conf", "./a.conf", str(tmp_path / "sub" / "a.conf")):
        assert load("../baseline.json").filter([finding(path, "one-a")]).baselined == 1


def test_a_link_and_a_mode_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    write(str(link), [])
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert json.loads(real.read_text("utf-8")) == {"version": 1, "files": {}}


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be written: no such file"):
        write(str(tmp_path / "none" / "baseline.json"), [])


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "baseline.json").mkdir()
    with pytest.raises(BadConfiguration, match="cannot be written: is a directory"):
        write(str(tmp_path / "baseline.json"), [])
    assert [path.name for path in tmp_path.iterdir()] == ["baseline.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("\xff", "is not JSON"),
        ("[]", "it has no version"),
        ('{"files": {}}', "it has no version"),
        ('{"version": 2, "files": {}}', "has version 2; this ccmcheck reads version 1"),
        ('{"version": 1}', 'has no "files"'),
        ('{"version": 1, "files": {"a": 1}}', 'has no rules for "a"'),
        ('{"version": 1, "files": {"a": {"b": true}}}', 'has no number for "b" in "a"'),
        ('{"version": 1, "files": {"a": {"b": 0}}}', 'has no number for "b" in "a"'),
        ('{"version": 1, "files": {"\\u001b[2J": {"b": "1"}}}', r'in "\\x1b\[2J"'),
    ],
)
def test_what_is_no_baseline(text: str, message: str, tmp_path: Path) -> None:
    target = tmp_path / "baseline.json"
    target.write_text(text, "latin-1")
    with pytest.raises(BadConfiguration, match=message) as caught:
        load(str(target))
    assert caught.value.hint
    assert caught.value.exit_code == 2


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="There is no baseline") as caught:
        load(str(tmp_path / "none.json"))
    assert caught.value.hint == "Check its name, or write it first."
    with pytest.raises(BadConfiguration, match="cannot be read: this is a folder, not a file"):
        load(str(tmp_path))


NAMES = st.sampled_from(["a.conf", "b/c.yaml", "é\udcff.yaml", "-"])
RULES = st.sampled_from(["one-a", "two-b"])


@settings(max_examples=100)
@given(st.lists(st.tuples(NAMES, RULES, st.integers(1, 9))), st.lists(st.tuples(NAMES, RULES, st.integers(1, 9))))
def test_only_what_is_beyond_the_counts_is_new(
    tmp_path_factory: pytest.TempPathFactory, known: list[tuple[str, str, int]], now: list[tuple[str, str, int]]
) -> None:
    target = str(tmp_path_factory.mktemp("law") / "baseline.json")
    write(target, [finding(*one) for one in known])
    filtered = load(target).filter([finding(*one) for one in now])
    assert filtered.baselined + len(filtered.new) == len(now)
    for path in ("a.conf", "b/c.yaml", "é\udcff.yaml", "-"):
        for rule in ("one-a", "two-b"):
            before = sum(one[:2] == (path, rule) for one in known)
            after = sum(one[:2] == (path, rule) for one in now)
            new = sum((one.place.path, one.rule) == (path, rule) for one in filtered.new)
            assert new == max(0, after - before)
    assert sum(stale.recorded - stale.found for stale in filtered.stale) == len(known) - filtered.baselined
