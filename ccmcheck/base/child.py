"""Runs what is not trusted in a child process with limits of its own on processor time and memory.

Limits that a signal handler or a loop keeps do not hold for one step of C code: Python computes ``10**(10**8)`` for
minutes, and pads a text to a gigabyte, without looking at either. The system ends a process in any step.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any, NoReturn

from ccmcheck.base.errors import CcmcheckError, InputError, InternalError, WrongUse, described

_ERRORS = {kind.__name__: kind for kind in (CcmcheckError, InputError, InternalError, WrongUse)}
_KILLED_BY_TIME = frozenset({"SIGXCPU", "SIGKILL"})


class ChildLimits:
    """The limits of a child process.

    Args:
        seconds: Of processor time.
        most_bytes: Of memory, beside what the process has at its start.
    """

    def __init__(self, seconds: int, most_bytes: int) -> None:
        self.seconds = seconds
        self.most_bytes = most_bytes

    def set(self) -> None:
        """Limit this process from now on, as far as the system can."""
        import resource

        used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
        for limit, most in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_CPU, used + self.seconds),
            (resource.RLIMIT_AS, address_space() + self.most_bytes),
        ):
            try:
                resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))
            except (OSError, ValueError):  # macOS has no limit of memory
                continue


def in_child(work: Callable[[], object], limits: ChildLimits, subject: str) -> Any:  # noqa: ANN401 - JSON
    """Do some work in a child process; without ``fork``, in this one.

    Args:
        work: The work; its result, texts and numbers in tuples and lists, comes as JSON: what the child says is not
            trusted more than what it works on. What it changes is lost.
        limits: What it may use.
        subject: What is said to have used more.

    Raises:
        WrongUse: It used more.
        CcmcheckError: As the work raised it.
    """
    if not hasattr(os, "fork"):
        return work()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _do(work, limits, writer)
    os.close(writer)
    try:
        with open(reader, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if not answer:
        raise WrongUse(f"{subject} {_excess(status, limits)}.", "Does it repeat something too often?")
    import json

    result, error = json.loads(answer)
    if error is not None:
        kind, message, hint = error
        raise _ERRORS[kind](message, hint)
    return result


def _do(work: Callable[[], object], limits: ChildLimits, writer: int) -> NoReturn:
    """The child's part; the parent's clean-up is none of its business."""
    try:
        for number in (signal.SIGINT, signal.SIGXCPU):  # the system ends it
            signal.signal(number, signal.SIG_DFL)
        limits.set()
        import json

        answer: tuple[object, object]
        try:
            answer = (work(), None)
        except CcmcheckError as error:
            kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _ERRORS)
            answer = (None, (kind, error.message, error.hint))
        except MemoryError:
            os._exit(0)
        except Exception as error:  # noqa: BLE001 - a fault of ours; its message may hold a secret
            answer = (None, (InternalError.__name__, described(error), ""))
        with open(writer, "wb") as pipe:
            pipe.write(json.dumps(answer).encode("ascii"))
    finally:
        os._exit(0)


def _excess(status: int, limits: ChildLimits) -> str:
    killed_by = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else ""
    if killed_by in _KILLED_BY_TIME:
        return f"takes more than {limits.seconds} s of processor time"
    return f"takes more than {limits.most_bytes // 1024**2} MiB of memory"


def address_space() -> int:
    """Bytes of memory that this process has mapped; 0 where nobody says."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * int(os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, IndexError):
        return 0
