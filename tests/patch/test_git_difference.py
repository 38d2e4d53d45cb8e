"""Differences for git: on any text and any name, ``git apply`` gives the text after."""

from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tools import git, needs

from ccmcheck.fix.patch import git as difference
from ccmcheck.redact.masker import MASK

LINES = [
    "a",
    "b",
    "",
    "  c",
    "x = 1",
    "é",
    "\ttab",
    "trailing ",
    "password = geheim77",
    "token=geheim77",
    "\x0c",
    "-- ",
    "+x",
    "@@",
]
SECRET = "geheim77"


@st.composite
def texts(draw: st.DrawFn) -> str:
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    lines = draw(st.lists(st.sampled_from(LINES), max_size=14))
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str]:
    """A text and the same with some lines replaced, deleted or inserted."""
    before = draw(texts())
    lines = before.splitlines(keepends=True)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines)))
        length = draw(st.integers(0, 2))
        lines[at : at + length] = [f"{draw(st.sampled_from(LINES))}\n" for _ in range(draw(st.integers(0, 2)))]
    after = "".join(lines)
    return before, after.removesuffix("\n") if draw(st.booleans()) else after


@cache
def checkout() -> Path:
    """A repository, made once, that goes with the process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    git(Path(folder.name), "init", "--quiet")
    return Path(folder.name)


@needs("git")
@settings(max_examples=150)
@given(st.lists(changes(), min_size=1, max_size=12))
@example([("password = geheim77", "password = geheim77\nx = 1\n")])
@example([("password = geheim77\n", "password = geheim77\nx = 1\n")])
@example([("token=geheim77\na\npassword = geheim77\n", "token=geheim77\nb\npassword = geheim77\n")])
@example([("", "a\n"), ("a\n", ""), ("a", "a\n"), ("a\n", "a"), ("a\r\nb\r\n", "a\r\nc\r\n")])
def test_apply(files: list[tuple[str, str]]) -> None:
    # many files in one go, because git takes longer to start than to apply
    with tempfile.TemporaryDirectory(dir=checkout()) as name:
        folder = Path(name)
        whole = []
        for number, (before, after) in enumerate(files):
            path = folder / f"{number}"
            path.write_bytes(before.encode())
            if before != after:
                whole.append(difference.make(str(path), before, after).text)
        if whole:
            git(folder, "apply", "-", stdin="".join(whole).encode())
        for number, (_, after) in enumerate(files):
            assert (folder / f"{number}").read_bytes() == after.encode()


@settings(max_examples=200)
@given(changes())
def test_secrets(change: tuple[str, str]) -> None:
    """Masked, nothing shows; and what is masked says so, because git does not apply it."""
    diff = difference.make("cloud.conf", *change)
    assert SECRET not in diff.masked
    assert SECRET not in diff.text or diff.masked != diff.text
    if diff.masked != diff.text:
        assert MASK in diff.masked
        assert "(masked)" in diff.masked


def test_context_ends_at_a_secret() -> None:
    lines = ["[Global]", "token = geheim77", "a = 1", "b = 2", "c = 3", "password = geheim77", "d = 4"]
    before, after = "\n".join(lines) + "\n", "\n".join(lines).replace("b = 2", "b = 5") + "\n"
    diff = difference.make("cloud.conf", before, after)
    assert diff.text.endswith("@@ -3,3 +3,3 @@\n a = 1\n-b = 2\n+b = 5\n c = 3\n")
    assert diff.masked == diff.text


def test_two_changes_around_a_secret() -> None:
    lines = ["a = 1", "x = 1", "token = geheim77", "y = 1", "b = 2", "z = 1"]
    before = "\n".join(lines) + "\n"
    diff = difference.make("cloud.conf", before, before.replace("a = 1", "a = 3").replace("b = 2", "b = 4"))
    assert diff.text.endswith(
        "@@ -1,2 +1,2 @@\n-a = 1\n+a = 3\n x = 1\n@@ -4,3 +4,3 @@\n y = 1\n-b = 2\n+b = 4\n z = 1\n"
    )
    assert diff.masked == diff.text


def test_a_secret_that_cannot_be_left_out() -> None:
    before = "a = 1\ntoken = geheim77\nb = 2\n"
    diff = difference.make("cloud.conf", before, before.replace("a = 1", "a = 3"))
    assert " token = geheim77\n" in diff.text
    assert " token = ****\n" in diff.masked


NAMES = [
    "cloud.conf",
    "a b.conf",
    "é.conf",
    'q"uote\\.conf',
    "tab\t.conf",
    "dir/é ü.yaml",
    "new\nline",
    "\udcff.conf",
    "-x",
    "(a)",
]


@needs("git")
@pytest.mark.parametrize("name", NAMES, ids=[ascii(name) for name in NAMES])
def test_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written as git itself writes them."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "--quiet")
    target = tmp_path / name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(b"a\n")
    git(tmp_path, "add", ".")
    target.write_bytes(b"b\n")
    own = [line for line in git(tmp_path, "diff").split(b"\n") if line.startswith((b"diff", b"---", b"+++"))]
    ours = difference.make(name, "a\n", "b\n").text.encode("utf-8", "surrogateescape")
    assert [line for line in ours.split(b"\n") if line.startswith((b"diff", b"---", b"+++"))] == own
    git(tmp_path, "checkout", "--", ".")
    git(tmp_path, "apply", "-", stdin=ours)
    assert target.read_bytes() == b"b\n"


@needs("git")
def test_from_a_folder_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "--quiet")
    below = tmp_path / "clusters" / "prod"
    below.mkdir(parents=True)
    (below / "real.conf").write_bytes(b"a\n")
    (below / "cloud.conf").symlink_to("real.conf")
    monkeypatch.chdir(below)
    diff = difference.make("cloud.conf", "a\n", "b\n")
    assert "--- a/clusters/prod/real.conf\n" in diff.text
    git(below, "apply", "-", stdin=diff.text.encode())
    assert (below / "cloud.conf").read_bytes() == b"b\n"
    assert (below / "cloud.conf").is_symlink()


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if any((folder / ".git").exists() for folder in tmp_path.parents):
        pytest.skip("the temporary folder lies in a git repository")
    (tmp_path / "below").mkdir()
    assert difference.tracked_name("below/x.conf") == "below/x.conf"
    assert difference.tracked_name(str(tmp_path / "below" / "x.conf")) == "below/x.conf"
    assert difference.tracked_name("../x.conf") == str(tmp_path.parent / "x.conf").lstrip(os.sep)


def test_git_is_not_started() -> None:
    """Making a difference needs no git."""
    environment = {"PATH": "/nowhere", "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    code = "from ccmcheck.fix.patch.git import make; print(make('x', 'a\\n', 'b\\n').text)"
    import sys

    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert b"+b\n" in done.stdout
