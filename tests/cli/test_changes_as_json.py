"""What `fix` and `set` change, as JSON: the same counts, codes and files as in words, and no text of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import FATAL, RIGHT, put, run

SECRET = "s3cr3t"


def test_fix_lists_each_fix(tmp_path: Path) -> None:
    put(tmp_path, {"a/cloud.conf": FATAL, "b/cloud.conf": RIGHT})
    done = run(tmp_path, "fix", "--format=json")
    document = json.loads(done.out)
    assert (done.code, done.err, document["version"]) == (0, "", 1)
    (file,) = document["files"]
    assert (file["path"], file["changed"], file["not_fixed"]) == ("a/cloud.conf", True, [])
    (fix,) = file["fixed"]
    assert (fix["rule"], fix["line"], fix["inner_line"], fix["title"]) == ("duration-bad", 11, None, "write `3s`")
    assert document["summary"] == {"fixed": 1, "kept": 0, "by_hand": 0, "written": False}
    assert SECRET not in done.out
    assert (tmp_path / "a" / "cloud.conf").read_text(encoding="utf-8") == FATAL
    assert run(tmp_path, "fix", "--format=json", "--check").code == 1


def test_fix_writes_and_says_so(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": FATAL})
    document = json.loads(run(tmp_path, "fix", "--format=json", "--write").out)
    assert document["summary"]["written"]
    assert (tmp_path / "cloud.conf").read_text(encoding="utf-8") == FATAL.replace("delay = 3", "delay = 3s")
    assert json.loads(run(tmp_path, "fix", "--format=json").out)["files"] == []


def test_fix_names_what_cannot_be_read(tmp_path: Path) -> None:
    done = run(tmp_path, "fix", "--format=json", "missing")
    assert done.code == 3
    assert [failure["path"] for failure in json.loads(done.out)["failures"]] == ["missing"]


def test_set_names_the_files(tmp_path: Path) -> None:
    put(tmp_path, {"a.conf": RIGHT, "b.conf": RIGHT.replace("create-monitor = true", "create-monitor = false")})
    words = ("set", "a.conf", "b.conf", "--format=json")
    done = run(tmp_path, *words, "--check", "--", "create-monitor=false")
    assert json.loads(done.out) == {
        "version": 1,
        "files": [
            {"path": "a.conf", "changed": True, "cloud_confs": 1},
            {"path": "b.conf", "changed": False, "cloud_confs": 0},
        ],
        "written": False,
    }
    assert (done.code, done.err) == (1, "")
    assert json.loads(run(tmp_path, *words, "--", "create-monitor=false").out)["written"]
    assert "create-monitor = false" in (tmp_path / "a.conf").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words", ["fix --diff", "fix --patch=git", "set cloud.conf --diff a=b", "set - create-monitor=true"]
)
def test_two_outputs_in_one_place_are_refused(words: str, tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": RIGHT})
    done = run(tmp_path, *words.split(), "--format=json")
    assert (done.code, done.out) == (2, "")
    assert "--format json excludes" in done.err
