"""Repositories of platforms: each planted mistake is found at its line, the release is right, and nothing else is an error."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from platform_repositories import RELEASES, REPOSITORIES, files_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run


@pytest.mark.parametrize("name", REPOSITORIES)
def test_all_mistakes_and_no_other_error(tmp_path: Path, name: str) -> None:
    files, mistakes = files_of(name)
    put(tmp_path, {**files})
    document = json.loads(run(tmp_path, "lint", "--format=json", ".").out)
    found = {(one["path"], one["line"]) for one in document["findings"] if one["severity"] != "info"}
    errors = {(one["path"], one["line"], one["rule"]) for one in document["findings"] if one["severity"] == "error"}
    assert mistakes - found == set()
    assert {(path, line, rule) for path, line, rule in errors if (path, line) not in mistakes} == set()
    assert len(mistakes) >= 5


@pytest.mark.parametrize("name", REPOSITORIES)
def test_one_release_for_all_that_is_judged(tmp_path: Path, name: str) -> None:
    put(tmp_path, {**files_of(name)[0]})
    out = run(tmp_path, "list", ".").out
    releases = {line.partition("release ")[2].partition(",")[0] for line in out.splitlines() if "─ release " in line}
    assert releases == {RELEASES[name]}
    assert set(re.findall(r"CCM (v?[\d.]+\d)", run(tmp_path, "lint", ".").out.splitlines()[-1])) == releases
