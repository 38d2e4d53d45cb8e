"""The child processes that a run is spread over, by plain fork.

Results come back in the order of the files. A fork costs about 10 ms; a multiprocessing pool costs three times that
before the first file, which is why there is none.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Sequence
from types import FrameType
from typing import NoReturn, TypeVar

from ccmcheck.base.budget import TimeIsUp, processor_time_is_up
from ccmcheck.base.errors import InternalError

Item = TypeVar("Item")
Result = TypeVar("Result")

CHUNK = 64
_PARENT_CHECK_SECONDS = 0.25
"""How often a child looks whether its parent is still there; one whose parent was killed ends."""
_NO_MEMORY, _NO_TIME = 2, 3
"""The exit codes of a child whose budget ended."""
_LENGTH = 8
"""Bytes of the number before each message."""


def spread_over(work: Callable[[Item], Result], items: Sequence[Item], count: int) -> Generator[Result, None, None]:
    """Do some work for each item in child processes, in order.

    Args:
        work: Called in a child process; its result is pickled.
        items: What to work on.
        count: How many processes.

    Raises:
        InternalError: A child ended before its work was done.
    """
    chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
    children: list[tuple[int, int]] = []
    try:
        _start(work, [chunks[number::count] for number in range(min(count, len(chunks)))], children)
        for number in range(len(chunks)):
            yield from _receive(*children[number % count])
        for child, _ in children:
            os.waitpid(child, 0)
    except BaseException:
        for child, _ in children:
            _end(child)
        raise
    finally:
        _close([pipe for _, pipe in children])


def _close(pipes: Sequence[int]) -> None:
    for pipe in pipes:
        os.close(pipe)


def _start(
    work: Callable[[Item], Result], shares: Sequence[Sequence[Sequence[Item]]], children: list[tuple[int, int]]
) -> None:
    """Start a child for each share, and note it with the pipe it writes to.

    Ctrl-C waits until all are noted: one that is not would go on alone, and one that is not set up yet would print
    a traceback.
    """
    parent = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for share in shares:
            reader, writer = os.pipe()
            child = os.fork()
            if not child:
                # writing to a pipe fails only once nobody can read it
                _close([reader, *(pipe for _, pipe in children)])
                _end_with(parent)
                _serve(work, share, writer, before)
            os.close(writer)
            children.append((child, reader))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(parent: int) -> None:
    """End this process soon after its parent, which may be killed without a chance to end it.

    A timer needs no library, unlike Linux's prctl, and interrupts a write to a full pipe as well.
    """

    def check(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, _PARENT_CHECK_SECONDS, _PARENT_CHECK_SECONDS)


def _serve(
    work: Callable[[Item], Result], share: Sequence[Sequence[Item]], writer: int, mask: set[int | signal.Signals]
) -> NoReturn:
    """Do a child's share and end; the parent's clean-up is none of its business."""
    import pickle

    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for chunk in share:
            _send(writer, pickle.dumps([work(item) for item in chunk], pickle.HIGHEST_PROTOCOL))
        status = 0
    except MemoryError:
        status = _NO_MEMORY
    except TimeIsUp:
        status = _NO_TIME
    finally:
        os._exit(status)


def _send(pipe: int, body: bytes) -> None:
    view = memoryview(len(body).to_bytes(_LENGTH, "little") + body)
    while view:
        view = view[os.write(pipe, view) :]


def _receive(child: int, pipe: int) -> list[Result]:
    import pickle

    length = int.from_bytes(_read(child, pipe, _LENGTH), "little")
    results: list[Result] = pickle.loads(_read(child, pipe, length))  # noqa: S301 - from our own child, over a pipe
    return results


def _read(child: int, pipe: int, length: int) -> bytes:
    parts = []
    while length:
        part = os.read(pipe, min(length, 1 << 20))
        if not part:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status == _NO_MEMORY:
                raise MemoryError
            if status == _NO_TIME:
                raise processor_time_is_up()
            raise InternalError("a worker process ended before its files were done", "Try again with --jobs 1.")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _end(child: int) -> None:
    try:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        return
