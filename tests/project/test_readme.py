"""Every example of the README and of the guides is run in a copy of samples/; what it prints is what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "ccmcheck" / "docs").glob("*.md")))
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\d+\.\d+ s\b")


class Step(NamedTuple):
    command: str
    output: str


def steps(block: str) -> list[Step]:
    """Cut a console block into commands (``$ `` and, for what belongs to it, ``> ``) and what each printed."""
    found: list[Step] = []
    command: list[str] = []
    output: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                found.append(Step("\n".join(command), "\n".join(output).strip()))
            command, output = [line[2:]], []
        elif line.startswith("> ") and not output:
            command.append(line[2:])
        else:
            output.append(line)
    found.append(Step("\n".join(command), "\n".join(output).strip()))
    return found


def lines(text: str) -> list[str]:
    """An output without what differs from run to run, and from editor to editor."""
    return [line.rstrip() for line in TIME.sub("N s", text).strip().splitlines()]


BLOCKS = [
    pytest.param(steps(match.group(1)), id=f"{page.stem}: {match.group(1).splitlines()[0][2:52]}")
    for page in PAGES
    for match in FENCE.finditer(page.read_text(encoding="utf-8"))
]


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("block", BLOCKS)
def test_example(block: list[Step], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    shim = tmp_path / "bin" / "ccmcheck"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ccmcheck "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    environment = {
        "PATH": f"{shim.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "COLUMNS": "120",
        "PYTHONPATH": str(ROOT),
    }
    for step in block:
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        printed = done.stdout + done.stderr
        if "pip install" in step.command:
            continue
        assert lines(printed) == lines(step.output), step.command
