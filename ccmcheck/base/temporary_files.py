"""Temporary files beside the files that they replace, and those that a killed run left there.

A temporary file is readable for its owner only and locked while it is written, so that another run can tell whether
somebody still writes it, in a container with process numbers of its own as well.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress

from ccmcheck.base.lazy_regex import lazy_regex

_NAME = lazy_regex(r"\.ccmcheck-([0-9]+)-[0-9a-f]{8}\Z")
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
_OLD_SECONDS = 10.0
"""A file of this age that nobody has locked is left over, whatever process has its number now."""

_searched: set[str] = set()
"""The folders whose leftovers were removed by this run."""


def create(folder: str, mode: int, flags: int = 0) -> tuple[int, str]:
    """Create and lock a temporary file.

    Args:
        folder: Where to create it.
        mode: Its mode, before the umask.
        flags: Further flags to open it with.

    Returns:
        Its descriptor, whose closing ends the lock, and its path.

    Raises:
        OSError: It cannot be created.
    """
    # not named after the file that it replaces: that name may be as long as names can be
    path = os.path.join(folder, f".ccmcheck-{os.getpid()}-{os.urandom(4).hex()}")
    opened = os.open(path, _FLAGS | flags, mode)
    _lock(opened)
    return opened, path


def remove_leftovers(folder: str) -> Iterator[str]:
    """Remove the temporary files of killed runs from a folder, once a run.

    Args:
        folder: Its path, absolute and without links.

    Returns:
        A sentence about each.
    """
    if folder in _searched:
        return
    _searched.add(folder)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for match in filter(None, [_NAME.match(name) for name in names if name.startswith(".ccmcheck-")]):
        path = os.path.join(folder, match.string)
        try:
            if not _is_left_over(path, int(match[1])):
                continue
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            yield f"{path} was left by a run that was killed, and cannot be removed: {reason}"
        else:
            yield f"{path} was left by a run that was killed; removed"


def _is_left_over(path: str, process: int) -> bool:
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode) or _is_locked(path):
        return False
    return not _is_alive(process) or time.time() - status.st_mtime > _OLD_SECONDS


def _is_alive(process: int) -> bool:
    """Whether a process runs; this one has no temporary file when it looks for those of others."""
    if os.name == "nt":  # where os.kill ends the process, and no open file can be removed
        return True
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _lock(opened: int) -> None:
    with suppress(ImportError, OSError):  # not on Windows, nor on every network file system
        import fcntl

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(path: str) -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(opened)
    return False
