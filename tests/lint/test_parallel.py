"""Results come back in order, and a lost worker is an error, not a hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccmcheck.base.errors import InternalError
from ccmcheck.lint import parallel

ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 500])
def test_keeps_the_order(count: int, size: int) -> None:
    assert list(parallel.spread(lambda number: number * 2, range(size), count)) == [
        number * 2 for number in range(size)
    ]


def test_tells_when_a_worker_is_lost() -> None:
    def die(number: int) -> int:
        os._exit(number)

    with pytest.raises(InternalError, match="worker"):
        list(parallel.spread(die, range(200), 2))


def test_large_results_pass() -> None:
    got = list(parallel.spread(lambda number: "x" * 100_000 + str(number), range(130), 2))
    assert [text[100_000:] for text in got] == [str(number) for number in range(130)]


def test_few_files_stay_in_one_process() -> None:
    assert parallel.processes(parallel.WORTH_IT - 1) == 1
    assert parallel.processes(3, wanted=2) == 2
    assert parallel.processes(1, wanted=8) == 1


ORPHANS = """
import os, sys, time
from ccmcheck.lint import child_processes, parallel
def computes(number):
    print(os.getpid(), flush=True)
    while True: pass
def sleeps(number):
    print(os.getpid(), flush=True)
    time.sleep(600)
def fills_the_pipe(number):
    if number % child_processes.CHUNK == 0:
        print(os.getpid(), flush=True)
    return "x" * 100_000
for result in parallel.spread(globals()[sys.argv[1]], range(6 * child_processes.CHUNK), 3):
    time.sleep(600)
"""


PATIENCE = 60
"""Seconds for workers that look four times a second, on a machine that is busy; without a look they never end."""


@pytest.mark.parametrize("work", ["computes", "sleeps", "fills_the_pipe"])
def test_workers_end_when_their_parent_is_killed(work: str) -> None:
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, work], stdout=subprocess.PIPE, env=ENVIRONMENT)
    assert parent.stdout is not None
    workers = {int(parent.stdout.readline())}
    while len(workers) < 3:
        workers.add(int(parent.stdout.readline()))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    killed = time.monotonic()
    while left := [worker for worker in workers if is_running(worker)]:
        elapsed = time.monotonic() - killed
        if elapsed > PATIENCE:
            for worker in left:
                os.kill(worker, signal.SIGKILL)
            pytest.fail(f"{len(left)} workers run {elapsed:.1f} s after their parent was killed")
        time.sleep(0.02)
    parent.stdout.close()


def is_running(process: int) -> bool:
    """Whether a process that is not our child runs; one that ended and is not yet waited for does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"
