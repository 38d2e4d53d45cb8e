"""``fix`` in several processes says and writes what it does in one, in the same order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccmcheck.base.errors import InternalError
from ccmcheck.cli import fix as fix_command
from ccmcheck.cli.main import run
from ccmcheck.lint import parallel
from ccmcheck.lint.child_processes import CHUNK

CONF = "[Global]\nauth-url=https://keystone.example.net\nregion=x\n[LoadBalancer]\nmonitor-delay = {number}\n"
UNFIXABLE = CONF + "lb-method = sideways\ncreate-monitor = perhaps\n"
SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a{number}\nstringData:\n  cloud.conf: |\n"
    "    [Global]\n    password = hidden-{number}\n    [LoadBalancer]\n    monitor-delay = {number}\n"
)
MODES = [
    ["--write"],
    ["--diff"],
    ["--check"],
    ["--unsafe", "--write"],
    ["--output-dir", "out"],
    ["--patch", "json"],
    ["--patch", "git", "--output-dir", "out", "--with-secrets"],
    ["--patch", "kustomize"],
    ["--from", "1.25", "--to", "1.36", "--write"],
    ["--write", "-q"],
]


def make_files(folder: Path, count: int = 150) -> None:
    """Files that are right, wrong, broken, linked, changed only in part, and not to be written."""
    for number in range(1, count):
        place = folder / f"d{number % 7}"
        place.mkdir(exist_ok=True)
        (place / f"{number:03}-cloud.conf").write_text((UNFIXABLE if number % 11 == 0 else CONF).format(number=number))
        (place / f"{number:03}.yaml").write_text(SECRET.format(number=number if number % 3 else f"{number}s"))
    (folder / "d1" / "broken.yaml").write_text("apiVersion: v1\nkind: Secret\ndata:\n  cloud.conf: !!!\n\t- x\n")
    (folder / "d2" / "latin-cloud.conf").write_bytes(b"[Global]\nregion=\xff\n")
    (folder / "d3" / "linked-cloud.conf").hardlink_to(folder / "d3" / "003-cloud.conf")
    (folder / "d4" / "again-cloud.conf").symlink_to("004-cloud.conf")


def result_of(arguments: list[str], folder: Path, capfd: pytest.CaptureFixture[str]) -> tuple[object, ...]:
    folder.mkdir()
    make_files(folder, 3 * CHUNK // 2 + 1)  # more than three chunks, so that one of three processes has two
    os.chdir(folder)
    code = run(["fix", "--no-config", *arguments, "."])
    captured = capfd.readouterr()
    files = {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return code, captured.out, captured.err, files


@pytest.mark.part(of=5)
@pytest.mark.parametrize("mode", MODES, ids=" ".join)
def test_the_output_is_that_of_one_process(
    mode: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    serial = result_of([*mode, "--jobs", "1"], tmp_path / "serial", capfd)
    spread = result_of([*mode, "--jobs", "3"], tmp_path / "spread", capfd)
    assert serial == spread
    assert "cloud.conf" in f"{serial[1]}{serial[2]}{serial[3]}"


def test_many_files_are_spread_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    make_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parallel, "WORTH_IT", 100)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    processes: set[int] = set()
    real = os.fork

    def fork() -> int:
        child = real()
        processes.add(child)
        return child

    monkeypatch.setattr(os, "fork", fork)
    run(["fix", "--no-config", "--write", "."])
    assert len(processes) == 3
    assert " findings fixed in " in capfd.readouterr().err


def test_a_file_that_changes_meanwhile_is_fixed_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    make_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    changed = tmp_path / "d5" / "005-cloud.conf"
    # the workers read it at the latest when they are started; the first file is written after that
    real, left = os.fsync, iter(range(1))

    def fsync(opened: int) -> None:
        real(opened)
        if next(left, None) is not None:
            changed.write_text(changed.read_text() + "# appended\n")

    monkeypatch.setattr(os, "fsync", fsync)
    run(["fix", "--no-config", "--write", "--jobs", "2", "."])
    text = changed.read_text()
    assert "monitor-delay = 5s\n" in text
    assert text.endswith("# appended\n")
    assert capfd.readouterr().err.count("005-cloud.conf:5 duration-bad fixed") == 1


def test_a_lost_worker_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    make_files(tmp_path)
    monkeypatch.chdir(tmp_path)

    def die(*_: object) -> None:
        os._exit(1)

    monkeypatch.setattr(fix_command, "fix_file", die)
    with pytest.raises(InternalError, match="worker"):
        fix_command.command.main(["--no-config", "--jobs", "2", "."], standalone_mode=False)
    assert "fixed" not in capfd.readouterr().err
