"""A cache folder is its user's alone, and what is damaged or foreign in it is nothing."""

from __future__ import annotations

import os
import stat
from multiprocessing import get_context
from pathlib import Path

import pytest

from ccmcheck.base import cache_folder
from ccmcheck.base.cache_folder import CacheFolder


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.results"))


def test_folder_and_files_are_the_users_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        CacheFolder(str(tmp_path / "a/b")).write("name", b"data")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a/b").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a/b").iterdir()} == {0o600}
    assert CacheFolder(str(tmp_path / "a/b")).read("name") == b"data"
    assert CacheFolder(str(tmp_path / "a/b")).read("other") is None


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o702])
def test_a_folder_that_others_can_use_is_refused(mode: int, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(mode)
    with pytest.raises(PermissionError):
        CacheFolder(str(tmp_path / "kept"))


def test_a_link_a_file_or_a_short_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("")
    (tmp_path / "real/key").write_bytes(b"short")
    for name in ("link", "file", "real"):
        with pytest.raises(OSError, match=r"folder|key"):
            CacheFolder(str(tmp_path / name))
    (tmp_path / "real/key").unlink()
    (tmp_path / "elsewhere").write_bytes(b"k" * 32)
    (tmp_path / "real/key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError):
        CacheFolder(str(tmp_path / "real"))


def test_what_is_damaged_or_of_another_key_or_name_is_nothing(tmp_path: Path) -> None:
    ours, others = CacheFolder(str(tmp_path / "ours")), CacheFolder(str(tmp_path / "others"))
    ours.write("name", b"data" * 100)
    (path,) = kept_in(tmp_path / "ours")
    whole = path.read_bytes()
    for place in (0, 31, 32, 200, len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert ours.read("name") is None
    for part in (whole[:10], b"", whole + b" "):
        path.write_bytes(part)
        assert ours.read("name") is None
    others.write("name", b"data" * 100)
    path.write_bytes(kept_in(tmp_path / "others")[0].read_bytes())
    assert ours.read("name") is None
    path.unlink()
    (tmp_path / "ours/other.results").write_bytes(whole)
    assert ours.read("other") is None
    ours.write("name", b"data")
    assert ours.read("name") == b"data"


def test_the_oldest_go_where_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 5_000)
    folder = CacheFolder(str(tmp_path / "kept"))
    for number in range(4):
        folder.write(str(number), bytes(1_000))
        os.utime(tmp_path / f"kept/{number}.results", (number, number))
    assert folder.read("0")  # it is in use from now on
    folder.write("4", bytes(1_500))
    assert [path.stem for path in kept_in(tmp_path / "kept")] == ["0", "2", "3", "4"]
    monkeypatch.setattr(cache_folder, "_MOST_OF_FILE", 100)
    folder.write("5", bytes(101))
    assert folder.read("5") is None
    folder.clear()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["key"]


def _write_often(folder: str, letter: bytes) -> None:
    kept = CacheFolder(folder)
    for _ in range(100):
        kept.write("name", letter * 20_000)
        read = kept.read("name")
        assert read in (b"a" * 20_000, b"b" * 20_000)


def test_two_runs_that_write_at_once(tmp_path: Path) -> None:
    context = get_context("fork")
    runs = [context.Process(target=_write_often, args=(str(tmp_path / "kept"), letter)) for letter in (b"a", b"b")]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert [run.exitcode for run in runs] == [0, 0]
    assert sorted(path.suffix for path in (tmp_path / "kept").iterdir()) == ["", ".results"]


def test_a_full_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CacheFolder(str(tmp_path / "kept"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    folder.write("name", b"data")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["key"]
