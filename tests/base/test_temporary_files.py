"""Temporary files of killed runs are removed and reported; those that somebody still writes are left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccmcheck.base.atomic_write import create, remove_leftovers


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def leave(folder: Path, process: int, *, age: float = 0.0) -> Path:
    path = folder / f".ccmcheck-{process}-0123abcd"
    path.write_text("half a fi", encoding="utf-8")
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def test_that_of_a_process_that_is_gone(tmp_path: Path, ended: int) -> None:
    path = leave(tmp_path, ended)
    assert list(remove_leftovers(str(tmp_path))) == [f"{path} was left by a run that was killed; removed"]
    assert not path.exists()


def test_that_of_a_process_whose_number_another_has_now(tmp_path: Path) -> None:
    young, old = leave(tmp_path, 1), leave(tmp_path, os.getppid(), age=60)
    assert list(remove_leftovers(str(tmp_path))) == [f"{old} was left by a run that was killed; removed"]
    assert young.exists()


def test_one_that_is_being_written_stays_whatever_its_number(tmp_path: Path, ended: int) -> None:
    opened, path = create(str(tmp_path), 0o600)
    renamed = tmp_path / f".ccmcheck-{ended}-0123abcd"
    Path(path).rename(renamed)
    os.utime(renamed, (0, 0))
    assert list(remove_leftovers(str(tmp_path))) == []
    assert renamed.exists()
    os.close(opened)


def test_a_folder_is_searched_once_a_run(tmp_path: Path, ended: int) -> None:
    assert list(remove_leftovers(str(tmp_path))) == []
    path = leave(tmp_path, ended)
    assert list(remove_leftovers(str(tmp_path))) == []
    assert path.exists()


def test_other_names_and_other_kinds_of_files_stay(tmp_path: Path, ended: int) -> None:
    for name in (
        f".ccmcheck-{ended}-0123abcde",
        f".ccmcheck-{ended}",
        ".ccmcheck-x-0123abcd",
        f"x.ccmcheck-{ended}-0123abcd",
    ):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / f".ccmcheck-{ended}-00000001").mkdir()
    (tmp_path / f".ccmcheck-{ended}-00000002").symlink_to(tmp_path)
    os.mkfifo(tmp_path / f".ccmcheck-{ended}-00000003")
    before = sorted(tmp_path.iterdir())
    assert list(remove_leftovers(str(tmp_path))) == []
    assert sorted(tmp_path.iterdir()) == before


def test_one_that_cannot_be_removed_is_reported(tmp_path: Path, ended: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = leave(tmp_path, ended)

    def refuse(_: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "unlink", refuse)
    assert list(remove_leftovers(str(tmp_path))) == [
        f"{path} was left by a run that was killed, and cannot be removed: permission denied"
    ]


def test_a_folder_that_cannot_be_listed(tmp_path: Path) -> None:
    assert list(remove_leftovers(str(tmp_path / "gone"))) == []
