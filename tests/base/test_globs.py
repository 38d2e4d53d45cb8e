from __future__ import annotations

import random
import shutil
import subprocess
import time
from fnmatch import fnmatchcase
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


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 9 + "*b", "a" * 250),
        ("**/" + "*a" * 9 + "*b", f"d/{'a' * 250}/e"),
        ("**/x/" * 9 + "b", "x/" * 120 + "c"),
        ("**/" * 9 + "b", "x/" * 120 + "c"),
        ("/".join(["*a*a*"] * 9) + "b", "/".join(["a" * 30] * 12)),
        ("[ab]*" * 20 + "?c", "ab" * 100),
    ],
)
def test_many_stars_take_no_longer_than_one(pattern: str, path: str) -> None:
    started = time.process_time()
    assert not matches(pattern, path)
    assert time.process_time() - started < 0.5


def _fits(names: list[str], path: list[str]) -> bool:
    """By trying everything."""
    if not names:
        return True
    if names[0] == "**":
        return any(_fits(names[1:], path[at:]) for at in range(len(path) + (len(names) == 1)) if names[1:] or path)
    return bool(path) and fnmatchcase(path[0], names[0]) and _fits(names[1:], path[1:])


def test_they_mean_what_trying_everything_finds() -> None:
    chosen = random.Random(7)  # noqa: S311 - no secret
    fitting = 0
    for _ in range(4_000):
        names = [
            "".join(chosen.choice(["a", "b", "*", "?"]) for _ in range(chosen.randrange(1, 4)))
            for _ in range(chosen.randrange(1, 4))
        ]
        names = [chosen.choice(["**", name]) for name in names]
        path = [
            "".join(chosen.choice("ab") for _ in range(chosen.randrange(1, 4))) for _ in range(chosen.randrange(1, 5))
        ]
        names = [name.replace("**", "*") if name.strip("*") else name for name in names]
        expected = _fits(names if len(names) > 1 else ["**", *names], path)
        fitting += expected
        assert matches("/".join(names), "/".join(path)) == expected, (names, path)
    assert 400 < fitting < 3_600
