"""Runs commands in turns and keeps the medians of what the kernel says they took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

MIB_IN_KIB = 1024
ROOT = Path(__file__).parents[2]
"""Beside these measurements lies what they measure, installed or not."""


class Command(NamedTuple):
    """A program with its arguments, and where it runs.

    Attributes:
        name: For the table.
        args: The program and its arguments.
        cwd: Its folder.
        codes: The exit codes that are right.
    """

    name: str
    args: tuple[str, ...]
    cwd: Path
    codes: tuple[int, ...] = (0,)


class Sample(NamedTuple):
    """What one run took, or the medians of several.

    Attributes:
        wall: Seconds until it was done.
        cpu: Seconds of processor time, all its processes together.
        memory: MiB of its largest process at its largest moment.
    """

    wall: float
    cpu: float
    memory: float


class WrongExitError(Exception):
    """A command ended with an exit code that it should not have, or without its result."""


def measure(commands: list[Command], runs: int, start: Callable[[Command], Sample] | None = None) -> list[Sample]:
    """Run commands in turns, A B A B, so that a busy moment of the machine meets them all alike.

    Args:
        commands: What to run; where it runs several times, each runs once more beforehand, for the caches.
        runs: How often each.
        start: What runs one once: `run` or, where memory counts, `run_apart`.

    Returns:
        The medians, one for each command.

    Raises:
        WrongExitError: A command ended wrongly.
    """
    start = start or run
    for command in commands if runs > 1 else ():
        start(command)
    samples: list[list[Sample]] = [[] for _ in commands]
    for _ in range(runs):
        for command, taken in zip(commands, samples, strict=True):
            taken.append(start(command))
    return [Sample(*(median(column) for column in zip(*taken, strict=True))) for taken in samples]


def run(command: Command) -> Sample:
    """Run one command once, its output thrown away."""
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command.args,
            cwd=command.cwd,
            env=environment(command.cwd),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in command.codes:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            raise WrongExitError(f"{command.name} ended with {process.returncode}: {said}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MIB_IN_KIB)


def run_apart(command: Command) -> Sample:
    """The same from a small process: Linux counts the memory of the process that starts a command for the command, too."""
    asked = json.dumps([command.name, command.args, str(command.cwd), command.codes])
    answer = subprocess.run([sys.executable, __file__, asked], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise WrongExitError(answer.stderr.strip())
    return Sample(*json.loads(answer.stdout))


def environment(home: Path) -> dict[str, str]:
    """What a command finds around it: this clone, nothing of the caller's Python settings, no configuration of a user."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
    }


def byte_compile(packages: tuple[str, ...]) -> None:
    """Compile what the commands import, so that no run pays for it."""
    code = "import sys, importlib.util as u; print(*[p for n in sys.argv[1:] for p in u.find_spec(n).submodule_search_locations])"
    found = subprocess.run(
        [sys.executable, "-c", code, *packages],
        check=True,
        capture_output=True,
        text=True,
        env=environment(Path.home()),
    )
    folders = found.stdout
    subprocess.run([sys.executable, "-m", "compileall", "-q", *folders.split()], check=True)


if __name__ == "__main__":
    _name, _args, _cwd, _codes = json.loads(sys.argv[1])
    try:
        print(json.dumps(run(Command(_name, tuple(_args), Path(_cwd), tuple(_codes)))))
    except WrongExitError as _error:
        sys.exit(str(_error))
