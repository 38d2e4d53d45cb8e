"""Fixes that cannot be made do not keep those that can from being made, and cost no more than the file is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import put, run

from ccmcheck.base.errors import CannotEdit
from ccmcheck.carriers.base import RunContext
from ccmcheck.fix import passes, step
from ccmcheck.fix.guard import TextChange
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.file_analysis import FileAnalysis
from ccmcheck.lint.settings import Settings

COUNT = 64
TEXT = "[LoadBalancer]\n" + "create-monitor = true\n" * COUNT


def test_more_repeated_lines_than_a_thousand_are_all_deleted() -> None:
    text = "[LoadBalancer]\n" + "create-monitor = true\n" * 2_500
    result = passes.fix_text("cloud.conf", text, Linter(Settings(), RunContext()))
    assert result.after == "[LoadBalancer]\ncreate-monitor = true\n"
    assert not result.dropped


def test_one_that_is_refused_costs_a_few_guards_and_the_others_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "create-monitor =  true\n"
    text = TEXT[: 22 * 9 + 15] + odd + TEXT[22 * 10 + 15 :]
    guarded = _refuse(
        monkeypatch, lambda change: any(odd[:-1] in change.before[place.start : place.end] for place in change.old)
    )
    result = passes.fix_text("cloud.conf", text, Linter(Settings(), RunContext()))
    assert [outcome.reason for outcome in result.dropped] == ["no"]
    assert len(result.done) == COUNT - 2
    assert len(guarded) < 25


def test_the_attempts_end_where_all_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step, "CHARACTERS_AT_LEAST", 0)
    guarded = _refuse(monkeypatch, lambda _: True)
    result = passes.fix_text("cloud.conf", TEXT, Linter(Settings(), RunContext()))
    assert result.after == TEXT
    assert len(guarded) <= step.TIMES_THE_FILE + 1
    assert {outcome.reason for outcome in result.dropped} <= {"no", step.TOO_MANY_ATTEMPTS}
    assert result.dropped


def _releases(count: int) -> str:
    """Releases of the chart whose values stand twice: what is taken out of one place shows in the other."""
    values = "spec:\n  valuesContent: |\n    cloudConfig:\n      loadBalancer:\n        use-octavia: true\n        lb-version: v2\n        monitor-delay: 5\n"
    named = "\n---\napiVersion: helm.cattle.io/v1\nkind: {}\nmetadata: {{name: a{}, namespace: n}}\n"
    chart = values.replace("spec:\n", "spec:\n  chart: openstack-cloud-controller-manager\n")
    return "".join(
        named.format(kind, number) + text
        for number in range(count)
        for kind, text in (("HelmChart", chart), ("HelmChartConfig", values))
    )


def test_what_spoils_many_cloud_confs_is_found_in_all_of_them_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    times = []
    for count in (2, 16):
        file = put(tmp_path, {"x.yaml": _releases(count)}) / "x.yaml"
        looked = _count(monkeypatch)
        run(tmp_path, "fix", "--write", "x.yaml")
        assert file.read_text(encoding="utf-8").count("monitor-delay: 5s") == count
        times.append(len(looked))
    assert times[0] == times[1] < 12


def _count(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count how often a file is looked through."""
    looked: list[str] = []
    examine = Linter.examine

    def counted(self: Linter, path: str, text: str, **options: Any) -> FileAnalysis:
        looked.append(path)
        return examine(self, path, text, **options)

    monkeypatch.setattr(Linter, "examine", counted)
    return looked


def _refuse(monkeypatch: pytest.MonkeyPatch, is_bad: object) -> list[TextChange]:
    """Let the guard refuse some changes; what it is asked about is collected."""
    guarded: list[TextChange] = []

    def compare(change: TextChange, *_: object) -> None:
        guarded.append(change)
        assert callable(is_bad)
        if is_bad(change):
            raise CannotEdit("no")

    monkeypatch.setattr(step, "compare", compare)
    return guarded
