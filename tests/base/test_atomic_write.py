"""Files are written whole or not at all, with the mode, owner and links they had."""

from __future__ import annotations

import base64
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ccmcheck.base import atomic_write as files
from ccmcheck.base.atomic_write import FileChanged, replace
from ccmcheck.base.errors import InputError
from ccmcheck.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
CONF = "[LoadBalancer]\nmonitor-delay = 3\n"
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("before", [0o600, 0o640, 0o644, 0o755, 0o400])
def test_the_mode_stays(before: int, tmp_path: Path) -> None:
    path = tmp_path / "cloud.conf"
    path.write_text(CONF, encoding="utf-8")
    path.chmod(before)
    replace(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert mode(path) == before
    replace(str(path), b"newer", private=True)
    assert mode(path) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "cloud.conf"
    path.write_text(CONF, encoding="utf-8")
    os.chown(path, 1234, 2345)
    replace(str(path), b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_a_new_file_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        replace(str(tmp_path / "new"), b"x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o600
    assert names(tmp_path) == ["new"]


def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    real = tmp_path / "below" / "real.conf"
    real.write_text(CONF, encoding="utf-8")
    (tmp_path / "middle").symlink_to(Path("below") / "real.conf")
    (tmp_path / "cloud.conf").symlink_to("middle")
    replace(str(tmp_path / "cloud.conf"), b"new")
    assert real.read_bytes() == b"new"
    assert (tmp_path / "cloud.conf").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert names(tmp_path) == ["below", "cloud.conf", "middle"]


def test_a_name_of_maximal_length(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    replace(str(path), b"a")
    replace(str(path), b"b")
    assert path.read_bytes() == b"b"


@pytest.mark.parametrize("failing", ["_write", "_keep", "os.fsync", "os.replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, failing, fail) if "." not in failing else monkeypatch.setattr(failing, fail)
    with pytest.raises(InputError, match="cannot be written: no space left on device"):
        replace(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["cloud.conf"]


Change = Callable[[Path], object]


def pipe_instead(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(b"old and more"),
        lambda path: path.write_bytes(b"new"),
        lambda path: path.unlink(),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to("other")),
        pipe_instead,
    ],
    ids=["longer", "same length", "removed", "a folder", "a link", "a pipe"],
)
def test_what_another_program_writes_meanwhile_is_kept(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old")
    (tmp_path / "other").write_bytes(b"old")
    expected = tmp_path / "expected" / "cloud.conf"
    expected.parent.mkdir()
    expected.write_bytes(b"old")
    (expected.parent / "other").write_bytes(b"old")
    change(expected)
    real = os.fsync

    def fsync(opened: int) -> None:
        real(opened)
        change(path)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FileChanged, match="was changed by another program meanwhile; it was left as it is"):
        replace(str(path), b"xyz", before=b"old")
    monkeypatch.undo()
    assert names(tmp_path) == sorted({*names(expected.parent), "other", "expected"})
    if path.is_file():
        assert path.read_bytes() == expected.read_bytes()


def test_a_link_that_leads_elsewhere_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(b"old")
    link = tmp_path / "cloud.conf"
    link.symlink_to("one")

    def fsync(_: int) -> None:
        link.unlink()
        link.symlink_to("two")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FileChanged):
        replace(str(link), b"new", before=b"old")
    assert [(tmp_path / name).read_bytes() for name in ("one", "two")] == [b"old", b"old"]


def test_the_mode_is_the_one_right_before_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old")
    path.chmod(0o644)
    monkeypatch.setattr(os, "fsync", lambda _: path.chmod(0o600))
    assert replace(str(path), b"new", before=b"old") == ()
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)


def test_the_temporary_file_is_private_until_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old")
    path.chmod(0o644)
    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.extend(map(mode, tmp_path.glob(".ccmcheck-*"))))
    replace(str(path), b"new")
    assert seen == [0o600]
    assert mode(path) == 0o644


def test_hard_links_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old")
    for name in ("second", "third"):
        (tmp_path / name).hardlink_to(path)
    assert replace(str(path), b"new") == (f"{path} had 2 other names (hard links), which keep the old contents",)
    assert replace(str(path), b"newer") == ()
    assert (path.read_bytes(), (tmp_path / "second").read_bytes()) == (b"newer", b"old")
    second = str(tmp_path / "second")
    assert replace(second, b"new") == (f"{second} had another name (hard link), which keeps the old contents",)


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or directory"):
        replace(str(tmp_path / "nowhere" / "x"), b"x")
    assert names(tmp_path) == []


def test_written_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "cloud.conf"
    real.write_bytes(CONF.replace("\n", "\r\n").encode())
    real.chmod(0o640)
    Path("cloud.conf").symlink_to(real)
    assert run(["fix", "--no-config", "-q", "--write", "cloud.conf"]) == 0
    assert real.read_bytes() == b"[LoadBalancer]\r\nmonitor-delay = 3s\r\n"
    assert (mode(real), Path("cloud.conf").is_symlink()) == (0o640, True)
    assert run(["fix", "--no-config", "-q", "--output-dir", "out", "real/cloud.conf"]) == 0
    real.write_bytes(CONF.encode())
    assert run(["fix", "--no-config", "-q", "--output-dir", "out", "real/cloud.conf"]) == 0
    assert Path("out/real/cloud.conf").read_bytes() == b"[LoadBalancer]\nmonitor-delay = 3s\n"
    assert mode(Path("out/real/cloud.conf")) == 0o600


# killed

LOOP = """
import sys
from ccmcheck.base.atomic_write import replace
path, size = sys.argv[1], int(sys.argv[2])
old, new = b"o" * size, b"n" * size
print("ready", flush=True)
while True:
    replace(path, new)
    replace(path, old)
"""


@pytest.mark.ci
@pytest.mark.slow
def test_killed_while_it_writes(tmp_path: Path) -> None:
    """Where nearly all of the time goes into writing, so that it is hit."""
    path = tmp_path / "cloud.conf"
    size = 3_000_000
    chance = random.Random(1)  # noqa: S311 - moments, no secrets
    seen = set[bytes]()
    unfinished = 0
    for _ in range(40):
        path.write_bytes(b"o" * size)
        process = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(path), str(size)], env=ENVIRONMENT, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(chance.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        data = path.read_bytes()
        assert len(data) == size
        assert data in (b"o" * size, b"n" * size)
        seen.add(data[:1])
        left = list(tmp_path.glob(".ccmcheck-*"))
        unfinished += len(left)
        assert {mode(each) for each in left} <= {0o600, mode(path)}
        files._searched.clear()
        assert replace(str(path), data) == tuple(f"{each} was left by a run that was killed; removed" for each in left)
        assert names(tmp_path) == ["cloud.conf"]
    assert seen == {b"o", b"n"}
    assert unfinished > 5


@pytest.mark.slow
def test_fix_killed_at_any_moment(tmp_path: Path) -> None:
    before = "".join(
        "---\napiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config}\ndata:\n  cloud.conf: "
        + base64.b64encode(f"[LoadBalancer]\nmonitor-delay = {number}\n".encode()).decode()
        + "\n"
        for number in range(1, 20)
    ).encode()
    path = tmp_path / "secrets.yaml"
    command = [sys.executable, "-m", "ccmcheck", "fix", "--no-config", "-q", "--write", str(path)]
    path.write_bytes(before)
    started = time.monotonic()
    subprocess.run(command, env=ENVIRONMENT, check=True)
    whole = time.monotonic() - started
    after = path.read_bytes()
    assert after != before
    chance = random.Random(2)  # noqa: S311 - moments, no secrets
    seen = set[bytes]()
    for _ in range(15):
        path.write_bytes(before)
        path.chmod(0o640)
        process = subprocess.Popen(command, env=ENVIRONMENT)
        time.sleep(chance.uniform(0, whole * 1.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_bytes() in (before, after)
        assert mode(path) == 0o640
        seen.add(path.read_bytes())
    assert before in seen


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace(str(pipe), b"text")
        assert os.read(reader, 99) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    replace(os.devnull, b"text")
    assert Path(os.devnull).is_char_device()


def test_the_mode_of_new_reports_and_secrets(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        replace(str(tmp_path / "report"), b"", mode=files.SHARED)
        replace(str(tmp_path / "secret"), b"")
    finally:
        os.umask(before)
    assert (tmp_path / "report").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_a_system_without_owners_and_modes_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no fchown, fchmod only since Python 3.13, and writes CRLF for LF where a file is not opened as bytes."""
    path = tmp_path / "cloud.conf"
    path.write_bytes(b"old\n")
    monkeypatch.delattr(os, "fchown")
    monkeypatch.delattr(os, "fchmod")
    binary = 1 << 20
    monkeypatch.setattr(files, "_BYTES", files._BYTES | binary)
    opened: list[int] = []
    real = os.open

    def remembering(name: str, flags: int, mode: int = 0o777) -> int:
        if not Path(name).is_dir():
            opened.append(flags)
        return real(name, flags & ~binary, mode)

    monkeypatch.setattr(os, "open", remembering)
    replace(str(path), b"new\n")
    replace(os.devnull, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert len(opened) == 2
    assert all(flags & binary for flags in opened)


def test_renames_of_many_files_are_made_durable_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(files, "_sync_folder", synced.append)
    unsynced: set[str] = set()
    for name in ("a", "b"):
        replace(str(tmp_path / name), b"x", unsynced=unsynced)
    assert synced == []
    files.sync_folders(unsynced)
    assert synced == [os.path.realpath(tmp_path)]
    replace(str(tmp_path / "c"), b"x")
    assert len(synced) == 2
