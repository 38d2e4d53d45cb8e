"""Repositories for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

CONF = "[Global]\nauth-url=https://keystone.example.com/v3\n"


def tree(root: Path, *names: str) -> None:
    """Files with a cloud.conf each."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CONF)


def git(root: Path, *arguments: str) -> str:
    """Run git as a user does."""
    return subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
