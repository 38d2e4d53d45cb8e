"""What a run may use: ``--time-limit``, ``--cpu-limit`` and ``--memory-limit`` end its work; what was found stays.

Time is up as an exception in the main thread, which is no `Exception`, so that nothing that deals with faults of a
file, a template or a library takes it for one. Memory ends as Python's own MemoryError, in any step: who deals with
faults calls `refuse_to_go_on` first.
"""

from __future__ import annotations

import errno
import math
import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from ccmcheck.base.errors import InputError

if TYPE_CHECKING:
    from subprocess import Popen

_AGAIN = 1.0
"""Seconds after which it is raised once more: C code may have swallowed it."""
_REST = 0.25
"""What all parts of the run that follow may take together, as a part of the limit; each gets a half of what is left."""
_LEAST_REST = 2.0
"""Seconds for the same."""
_MEMORY_REST = 256 * 1024 * 1024
"""Bytes for the same."""
_MIB = 1024 * 1024
_LIFTED = "lifted"
_MOST_CAUSES = 64

_INTERRUPTS = ("SIGINT", "SIGTERM", "SIGALRM", "SIGXCPU")

WALL_TIME, PROCESSOR_TIME = "--time-limit", "--cpu-limit"
_CLOCKS = {WALL_TIME: "the time limit", PROCESSOR_TIME: "the limit of processor time"}

Item = TypeVar("Item")
_limits: dict[str, float] = {}
"""The seconds and the bytes of this process's run; signals and limits belong to the process."""
_cuts: ContextVar[tuple[str, ...]] = ContextVar("cuts", default=())


class TimeIsUp(BaseException):
    """The run has used its time.

    Args:
        seconds: Its limit.
        option: What sets it.
    """

    def __init__(self, seconds: float, option: str = WALL_TIME) -> None:
        super().__init__(f"{_CLOCKS[option]} of {seconds:g} s is over")
        self.message = str(self)
        self.option = option
        self.hint = f"What was not read by then is unknown. {option} allows more."


OVER = (TimeIsUp, MemoryError)
"""What ends the work of a run."""


def limit_time(seconds: float) -> None:
    """Raise `TimeIsUp` in the main thread after some seconds; nothing where the system has no such timers.

    Args:
        seconds: From now on.
    """
    _limits["seconds"] = seconds
    _limits["ends"] = time.monotonic() + seconds
    _ring_after(seconds)


def _ring_after(seconds: float) -> None:
    if not hasattr(signal, "setitimer"):
        return

    def end(_signal: int, _frame: FrameType | None) -> None:
        if _LIFTED not in _limits:
            raise TimeIsUp(_limits.get("seconds", seconds))

    try:
        signal.signal(signal.SIGALRM, end)
    except ValueError:  # not in the main thread, which alone hears signals
        return
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)


def limit_processor_time(seconds: float) -> None:
    """Raise `TimeIsUp` in the main thread once this process, or a process that it starts, has computed for so long.

    Args:
        seconds: From now on.
    """
    _limits["processor"] = seconds
    _compute_at_most(seconds)


def processor_time_is_up() -> TimeIsUp:
    """What ends this process, or one that it started."""
    return TimeIsUp(_limits.get("processor", 0), PROCESSOR_TIME)


def _compute_at_most(more: float | None) -> None:
    """Limit the processor time, in whole seconds as the system does; None lifts the limit."""
    try:
        import resource
    except ImportError:  # Windows
        return

    def end(_signal: int, _frame: FrameType | None) -> None:
        if _LIFTED not in _limits:
            raise processor_time_is_up()

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    before = _limits.setdefault("processor before", soft)
    most = int(before) if more is None else math.ceil(time.process_time() + more)
    if more is not None and before != resource.RLIM_INFINITY and before < most:
        return  # who started the process allows less
    try:
        signal.signal(signal.SIGXCPU, signal.SIG_DFL if more is None else end)
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    except (OSError, ValueError):  # not in the main thread
        return


def limit_memory(mebibytes: int) -> None:
    """Let the process, and each process that it starts, map so much memory beside what it has.

    Args:
        mebibytes: From now on.
    """
    _limits["mebibytes"] = mebibytes
    _map_at_most(mebibytes * _MIB)


def _map_at_most(more: int | None) -> None:
    """Limit the address space; None lifts the limit."""
    try:
        import resource
    except ImportError:  # Windows
        return
    from ccmcheck.base.child import address_space

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = hard if more is None else address_space() + more
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError):  # macOS has no such limit
        return


def lift_memory_limit() -> None:
    """End the limit of memory alone, once it is reached: Python 3.11 crashes where it has none to leave its frames."""
    if "mebibytes" in _limits:
        _map_at_most(None)


def lift_limits() -> None:
    """End the limits: what is left is to report what was found."""
    _limits[_LIFTED] = True  # a limit that is reached from here on ends nothing
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    if "processor" in _limits:
        _compute_at_most(None)
    lift_memory_limit()
    _limits.clear()


def refuse_to_go_on(error: BaseException) -> None:
    """End the work of a run that was interrupted, or whose time or memory is used up.

    Python 3.11 makes a RuntimeError of whatever ends the making of a class, with the cause behind it.

    Args:
        error: What was caught.

    Raises:
        MemoryError: It comes of that; `TimeIsUp` and `KeyboardInterrupt` alike.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, (TimeIsUp, KeyboardInterrupt)):
            raise cause from None
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    if is_out_of_memory(error):
        raise MemoryError from None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error, or one that it was made of, says that memory is used up.

    Args:
        error: What was caught.
    """
    causes: list[BaseException | None] = [error]
    for cause in causes:
        if cause is not None and len(causes) < _MOST_CAUSES:
            causes += [cause.__cause__, cause.__context__]
    return any(map(_says_no_memory, causes))


def _says_no_memory(error: BaseException | None) -> bool:
    if "mebibytes" not in _limits or isinstance(error, ModuleNotFoundError):
        return isinstance(error, MemoryError)
    is_refused = isinstance(error, OSError) and error.errno in (errno.ENOMEM, errno.EAGAIN)
    is_thread = isinstance(error, RuntimeError) and "start new thread" in str(error)
    # of a library that is there in part
    is_partial = isinstance(error, AttributeError) and isinstance(error.obj, ModuleType)
    # ImportError: the code of a library that is there cannot be mapped; SystemError: C code lost the MemoryError
    return is_refused or is_thread or is_partial or isinstance(error, (MemoryError, ImportError, SystemError))


def ended_by(error: BaseException) -> tuple[str, str]:
    """What is said of the end of a run's budget, and what to do."""
    if isinstance(error, TimeIsUp):
        return error.message, error.hint
    limit = f"the memory limit of {_limits['mebibytes']:,} MiB" if "mebibytes" in _limits else "the memory"
    return f"{limit} is used up", "What was not read by then is unknown. --memory-limit allows more."


def cut(error: BaseException, undone: str) -> tuple[str, str]:
    """Note that the run's budget ended in the middle of a part of it, and let the parts that follow have the rest.

    Args:
        error: One of `OVER`.
        undone: What was not done: ``3 of 5 files were not read``.

    Returns:
        What is said of it, and what to do.
    """
    message, hint = ended_by(error)
    message = f"{message}: {undone}"
    before = _cuts.get()
    if message not in before:
        _cuts.set((*before, message))
    rests = _limits["rests"] = _limits.get("rests", 0) + 1
    if "seconds" in _limits:
        _ring_after(_rest(_limits["seconds"], rests))
    if isinstance(error, TimeIsUp) and error.option == PROCESSOR_TIME:
        _compute_at_most(_rest(_limits.get("processor", 0), rests))
    if "mebibytes" in _limits:
        _map_at_most(_MEMORY_REST)
    return message, hint


def _rest(seconds: float, rests: float) -> float:
    return max(_LEAST_REST, seconds * _REST) / 2**rests


def time_left() -> float:
    """Seconds until the time limit; infinite without one."""
    return _limits["ends"] - time.monotonic() if "ends" in _limits else math.inf


def end_before(seconds: float) -> None:
    """End the work of a run of whose time not more than this is left.

    Args:
        seconds: What is kept.

    Raises:
        TimeIsUp: It is over.
    """
    if time_left() <= seconds:
        raise TimeIsUp(_limits["seconds"])


def cuts() -> tuple[str, ...]:
    """Where the budget of this run ended; empty for a whole one."""
    return _cuts.get()


def worked_off(items: Iterable[Item], undone: str) -> list[Item]:
    """All that an iterator gives; where the run's budget ends meanwhile, what it gave until then.

    Args:
        items: Does the work.
        undone: What is said of the rest: ``not all Services were predicted``.
    """
    done: list[Item] = []
    try:
        done.extend(items)  # keeps what it got where this ends in the middle
    except OVER as error:
        cut(error, undone)
    return done


@contextmanager
def whole(undone: str) -> Iterator[None]:
    """Some work of whose result nothing is used where the run's budget ends meanwhile.

    Args:
        undone: What is said then: ``nothing was written``.

    Raises:
        InputError: It ended.
    """
    try:
        yield
    except OVER as error:
        message, hint = ended_by(error)
        raise InputError(f"{message}: {undone}", hint) from None


@contextmanager
def started(command: Sequence[str], *, group: bool = False, **options: Any) -> Iterator[Popen[bytes]]:  # noqa: ANN401 - for Popen
    """A program that does not outlive the block, whatever ends it; its start is not interrupted.

    Args:
        command: The command.
        group: Whether what the program starts ends with it, too.
        options: As ``Popen`` has them.

    Raises:
        OSError: It cannot be started; ValueError for a command that no system takes.
    """
    import subprocess

    program = None
    try:
        with _uninterrupted():
            program = subprocess.Popen(command, start_new_session=group, **options)
        yield program
    finally:
        if program is not None:
            _end(program, group=group)


def _end(program: Popen[bytes], *, group: bool) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if group and hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            with suppress(OSError):  # what it was to read is left
                stream.close()
    program.wait()


def _raise_all(heard: list[int]) -> None:
    for number in heard:
        signal.raise_signal(number)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let what a signal raises wait for the end of the block; another thread than the main one hears none."""
    from threading import current_thread, main_thread

    heard: list[int] = []
    with ExitStack() as stack:
        stack.callback(_raise_all, heard)
        for number in (getattr(signal, name) for name in _INTERRUPTS if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if callable(handler) and current_thread() is main_thread():
                stack.callback(signal.signal, number, handler)  # whatever interrupts the others
                signal.signal(number, lambda number, _frame: heard.append(number))
        yield
