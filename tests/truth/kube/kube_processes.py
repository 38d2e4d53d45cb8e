"""Processes that run beside the test, each with its output in a file; ports that are free; waiting."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

STOP_SECONDS = 20

_Seen = TypeVar("_Seen")


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def start(command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a program; what it prints is added to a file."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=None if environment is None else dict(environment),
            cwd=log.parent,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process, by force where it does not end by itself."""
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def process(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs until the block ends."""
    started = start(command, log)
    try:
        yield started
    finally:
        stop(started)


def until(seen: Callable[[], _Seen | None], what: str, seconds: float = 30) -> _Seen:
    """Wait until something is seen.

    Args:
        seen: Looks; whatever counts as true ends the waiting.
        what: What is waited for, for the message.
        seconds: For how long.

    Raises:
        AssertionError: It is not seen in that time.
    """
    ends = time.monotonic() + seconds
    while True:
        if found := seen():
            return found
        if time.monotonic() > ends:
            raise AssertionError(f"not seen in {seconds:g} s: {what}")
        time.sleep(0.1)
