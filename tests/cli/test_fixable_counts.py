"""What the summary of ``lint`` calls fixable is what ``fix`` fixes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from test_canary_fix import said

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
FILES = sorted(path.name for path in SAMPLES.iterdir() if path.is_file())
FIXED = re.compile(r"([\d,]+) findings? (?:was|were|would be) fixed")


@pytest.mark.parametrize("name", FILES)
def test_safe_fixes_of_the_samples(tmp_path: Path, name: str) -> None:
    shutil.copy(SAMPLES / name, tmp_path / name)
    said(tmp_path, ["lint", "--no-config", "--output-file", "json=out.json", name])
    summary = json.loads((tmp_path / "out.json").read_text("utf-8"))["summary"]
    match = FIXED.search(said(tmp_path, ["fix", "--no-config", "--diff", name]))
    assert match is not None
    assert summary["fixable"]["safe"] == int(match[1].replace(",", ""))


def test_some_samples_have_fixes_to_count(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "cloud.conf", tmp_path / "cloud.conf")
    assert "2 findings would be fixed" in said(tmp_path, ["fix", "--no-config", "--diff", "cloud.conf"])


def test_unsafe_fixes_may_uncover_more(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "old-secret.yaml", tmp_path / "old-secret.yaml")
    said(tmp_path, ["lint", "--no-config", "--output-file", "json=out.json", "old-secret.yaml"])
    fixable = json.loads((tmp_path / "out.json").read_text("utf-8"))["summary"]["fixable"]
    match = FIXED.search(said(tmp_path, ["fix", "--no-config", "--unsafe", "--diff", "old-secret.yaml"]))
    assert match is not None
    assert int(match[1]) > fixable["safe"] + fixable["unsafe"]
