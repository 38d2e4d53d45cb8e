"""A program that is started does not outlive its block, whatever interrupts the run, and whenever."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import pytest

from ccmcheck.base.budget import started

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no such signals")


class Over(BaseException):
    """As the run's time limit: no `Exception`."""


def _over(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Over


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGINT, signal.SIGXCPU])
def test_an_interrupt_amid_the_start_ends_the_program(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals, when: str
) -> None:
    programs: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def interrupted(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        if when == "before":
            signal.raise_signal(number)
        programs.append(start(command, **options))
        if when == "after":
            signal.raise_signal(number)
        return programs[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    before = signal.signal(number, _over)
    try:
        with pytest.raises(Over), started(SLEEP, stdout=subprocess.PIPE):
            pytest.fail("the block began")
        assert signal.getsignal(number) is _over
    finally:
        signal.signal(number, before)
    (program,) = programs
    assert program.returncode == -signal.SIGKILL
    assert program.stdout is not None
    assert program.stdout.closed


def _start_both(lines: list[bytes]) -> NoReturn:
    code = f"import subprocess\nprint(subprocess.Popen({SLEEP!r}, stdout=subprocess.DEVNULL).pid, flush=True)\ninput()"
    command = [sys.executable, "-c", code]
    with started(command, group=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        lines.append(program.stdout.readline() if program.stdout is not None else b"")
        raise Over


def test_what_ends_the_block_ends_what_the_program_started() -> None:
    lines: list[bytes] = []
    with pytest.raises(Over):
        _start_both(lines)
    child = int(lines[0])
    for _ in range(100):
        if _is_gone(child):
            break
        time.sleep(0.1)
    else:
        pytest.fail("what it started still runs")


def _is_gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_bytes().rsplit(b")", 1)[1].split()[0] == b"Z"
    except FileNotFoundError:
        return True


def test_a_program_that_cannot_be_started_changes_no_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(FileNotFoundError), started(["/nowhere/program"]):
        pytest.fail("the block began")
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_between_two_handlers_leaves_none_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """It rings when one of the handlers is changed, and the next one is not."""
    change, before = signal.signal, signal.getsignal(signal.SIGINT)
    alarm = signal.signal(signal.SIGALRM, _over)
    rung: list[int] = []

    def ringing(number: int, handler: Any) -> Any:
        if number == signal.SIGALRM and not rung:
            rung.append(number)
            signal.raise_signal(number)
        return change(number, handler)

    monkeypatch.setattr(signal, "signal", ringing)
    try:
        with pytest.raises(Over), started(SLEEP):
            pytest.fail("the block began")
        assert rung
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)) == (before, _over)
    finally:
        change(signal.SIGALRM, alarm)
        change(signal.SIGINT, before)


def test_each_interrupt_amid_the_start_is_heard_again(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen
    calm: list[int] = []

    def interrupted(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)
        return start(command, **options)

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    before = signal.signal(signal.SIGTERM, lambda number, _frame: calm.append(number))
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job ignores
    try:
        with pytest.raises(KeyboardInterrupt), started(SLEEP):
            pytest.fail("the block began")
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, interrupt)
    assert calm == [signal.SIGTERM]
