"""What ``fix --write`` says and does where files change, are linked, or cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ccmcheck.base import atomic_write
from ccmcheck.cli.main import run

CONF = "[LoadBalancer]\nmonitor-delay = 3\n"
FIXED = CONF.replace("3", "3s")
FIX = ["fix", "--no-config", "--write"]


@pytest.fixture
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "cloud.conf"
    path.write_text(CONF, encoding="utf-8")
    return path


def changing(path: Path, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another program append a line to a file while it is fixed."""
    real, left = os.fsync, iter(range(times))

    def fsync(opened: int) -> None:
        real(opened)
        if next(left, None) is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write("# appended\n")

    monkeypatch.setattr(os, "fsync", fsync)


def test_a_file_that_changes_meanwhile_is_fixed_from_the_start(
    conf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changing(conf, 1, monkeypatch)
    assert run([*FIX, "cloud.conf"]) == 0
    assert conf.read_text(encoding="utf-8") == FIXED + "# appended\n"
    err = capsys.readouterr().err
    assert err.count("duration-bad fixed") == 1
    assert "1 finding fixed in 1 file." in err


def test_a_file_that_keeps_changing_is_left_and_reported(
    conf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changing(conf, 2, monkeypatch)
    assert run([*FIX, "cloud.conf"]) == 3
    assert conf.read_text(encoding="utf-8") == CONF + 2 * "# appended\n"
    err = capsys.readouterr().err
    assert "cloud.conf was changed by another program meanwhile; it was left as it is" in err
    assert "duration-bad fixed" not in err
    assert "0 findings fixed in 0 files." in err


def test_set_keeps_what_changes_meanwhile(
    conf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changing(conf, 1, monkeypatch)
    assert run(["set", "cloud.conf", "create-monitor=true"]) == 3
    assert conf.read_text(encoding="utf-8") == CONF + "# appended\n"
    assert "changed by another program" in capsys.readouterr().err


@pytest.mark.parametrize("number", [28, 30])
def test_what_could_not_be_written_is_not_counted(
    number: int, conf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a full disk, and on a file system that can only be read."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic_write, "_write" if number == 28 else "create", fail)
    for arguments in (FIX, ["fix", "--no-config", "--output-dir", "out"]):
        assert run([*arguments, "cloud.conf"]) == 3
        err = capsys.readouterr().err
        assert os.strerror(number).lower() in err
        assert "duration-bad fixed" not in err
        assert "0 findings fixed in 0 files." in err
    assert conf.read_text(encoding="utf-8") == CONF


def test_hard_links_and_leftovers_are_reported(conf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("second").hardlink_to(conf)
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left = Path(f".ccmcheck-{process.pid}-0123abcd")
    left.write_text("half", encoding="utf-8")
    assert run([*FIX, "-q", "cloud.conf"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"ccmcheck: {left.resolve()} was left by a run that was killed; removed",
        "ccmcheck: cloud.conf had another name (hard link), which keeps the old contents",
    ]
    assert not left.exists()
