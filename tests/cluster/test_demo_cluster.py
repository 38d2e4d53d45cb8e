"""`make demo-cluster` shows what was recorded where building takes too long, and leaves nothing behind when it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "truth" / "kube" / "kube_demo.py"


@pytest.fixture
def slow_go(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine whose Go takes forever, and writes its process ID."""
    go = tmp_path / "go"
    go.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 300\n")
    go.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    return {**os.environ, "HOME": str(tmp_path), "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}


def is_gone(folder: Path) -> bool:
    """Whether the process that stood for Go ends, long before it would by itself.

    Who kills it on Ctrl-C does not wait for its end, which the system may then take some time for.
    """
    limit = time.monotonic() + 60
    while state_of((folder / "pid").read_text().strip()) not in "ZX":  # Z until somebody asks how it ended
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True


def state_of(process: str) -> str:
    """The letter that the system has for it; X for one that there is no more."""
    try:
        return Path("/proc", process, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def test_what_was_recorded_is_shown_after_the_limit(slow_go: dict[str, str], tmp_path: Path) -> None:
    environment = {**slow_go, "CCMCHECK_DEMO_SECONDS": "1"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "building and starting took longer than 0 min 1 s: this shows what the same commands printed" in done.stdout
    assert "$ ccmcheck cluster lint" in done.stdout
    assert is_gone(tmp_path)


def test_nothing_is_left_behind_when_it_is_ended(slow_go: dict[str, str], tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, str(SCRIPT)], env=slow_go, cwd=ROOT, stdout=subprocess.PIPE) as demo:
        limit = time.monotonic() + 60
        pid = tmp_path / "pid"
        # Go has begun, and the demonstration, which started it, has come to wait for it
        while not (pid.exists() and pid.read_text().endswith("\n") and state_of(str(demo.pid)) == "S"):
            assert time.monotonic() < limit
            assert demo.poll() is None
            time.sleep(0.1)
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(timeout=60) == 130
    assert is_gone(tmp_path)
