"""What a patch shows on a terminal: no character of a file moves the cursor or reverses text."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EVIL = "\x1b]0;title\x07\x1b[2J\u202edesrever\u202c\x9b31m"
MANIFEST = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cloud-config\ndata:\n"
    "  cloud.conf: |\n    [LoadBalancer]\n    # \u202edesrever\u202c\tx\n    monitor-delay = 3\n"
)
CONF = f"[LoadBalancer]\nmonitor-delay = 3 ; {EVIL}\n"


@pytest.mark.parametrize("format_name", ["git", "json", "merge", "strategic", "kustomize"])
def test_control_characters_are_escaped(format_name: str, tmp_path: Path) -> None:
    name, text = ("cloud.conf", CONF) if format_name == "git" else ("cm.yaml", MANIFEST)
    (tmp_path / name).write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "ccmcheck",
        "fix",
        "--no-config",
        "-q",
        "--patch",
        format_name,
        "--with-secrets",
        name,
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    ours, theirs = pty.openpty()
    done = subprocess.run(command, cwd=tmp_path, env=environment, stdout=theirs, stderr=subprocess.PIPE, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert "\\u202e" in shown
    assert not {character for character in shown if not character.isprintable()} - set("\r\n\t")
    assert b"control characters are shown escaped" in done.stderr or format_name != "git"
    piped = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert piped.stderr == b""
    assert format_name != "git" or EVIL.encode() in piped.stdout
