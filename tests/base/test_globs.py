from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ccmcheck.base.globs import matches

PATTERNS = (
    "*.yaml",
    "cloud.conf",
    "dev",
    "a/*.yaml",
    "a/**",
    "a/**/c.yaml",
    "**/c.yaml",
    "**",
    "*",
    "/c.yaml",
    "a/b",
    "?.yaml",
    "[ab].yaml",
    "[!ab].yaml",
    "[a-c].yaml",
    "x**y.conf",
    "a.b",
    "a/b/**/d",
    "s p",
)
PATHS = (
    "c.yaml",
    "a/c.yaml",
    "a/b/c.yaml",
    "a/b/x/d",
    "a/b/d",
    "dev/cloud.conf",
    "x/dev/y/z",
    "cloud.conf",
    "a.yaml",
    "axb",
    "a.b",
    "xzzy.conf",
    "xz/zy.conf",
    "deep/er/c.yaml",
    "s p/q",
    "ab/c",
)


@pytest.mark.skipif(shutil.which("git") is None, reason="git, whose patterns these are, is not installed")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_as_in_git(pattern: str, tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    (tmp_path / ".gitignore").write_text(pattern + "\n", "utf-8")
    asked = "\0".join(PATHS) + "\0"
    done = subprocess.run(
        [*git, "check-ignore", "--no-index", "-z", "--stdin"], input=asked, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1)
    assert [path for path in PATHS if matches(pattern, path)] == done.stdout.split("\0")[:-1]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("vendor/", "vendor/x/cloud.conf", True),
        ("./a/*.yaml", "a/b.yaml", True),
        ("./*.yaml", "a/b.yaml", False),
        ("./*.yaml", "b.yaml", True),
        ("[]x].yaml", "].yaml", True),
        ("w[", "w[", True),
        ("a.conf", "aXconf", False),
        ("*.conf", "a\nb.conf", True),
        ("*.conf", "a.conf\n", False),
    ],
)
def test_further_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected
