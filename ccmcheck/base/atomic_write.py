"""Writes files atomically: a crash at any moment leaves the old or the new file, whole.

Temporary files beside the files that they replace, and those that a killed run left there.

A temporary file is readable for its owner only and locked while it is written, so that another run can tell whether
somebody still writes it, in a container with process numbers of its own as well.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress

from ccmcheck.base.boundary import LeadsOut, refuse
from ccmcheck.base.errors import InputError, TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.open_input import NotAFile, open_regular, read_all

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


PRIVATE = 0o600
"""The mode of new files that may hold secrets."""
SHARED = 0o666
"""The mode of new files without secrets, before the umask."""
_BYTES = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Without the first, Windows writes CRLF where LF is meant."""
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


class FileChanged(InputError):
    """Another program changed the file after it was read."""


def replace(
    path: str,
    data: bytes,
    *,
    mode: int = PRIVATE,
    private: bool = False,
    before: bytes | None = None,
    unsynced: set[str] | None = None,
) -> tuple[str, ...]:
    """Replace a file's contents: write a temporary file beside it, flush it to the disk, rename it over the file.

    Symbolic links are followed and stay links, unless they lead out of the checkout. Mode and owner are kept. A device
    or a pipe, such as /dev/null, is written to and not replaced.

    Args:
        path: The file.
        data: Its new bytes.
        mode: The mode of a file that is new, before the umask.
        private: Whether it gets the mode `PRIVATE` even where it existed with another mode.
        before: The bytes that were read of it; they are compared right before the rename. None: whatever is there.
        unsynced: Gets the folder whose renames are still to be made durable with `sync_folders`, where many files of a
            folder are replaced; None to do that now.

    Returns:
        What the user should know, a sentence each: hard links that are separate files now, leftovers of killed runs.

    Raises:
        FileChanged: It does not hold ``before`` any more; it is left as it is.
        InputError: It cannot be written; its contents are unchanged.
    """
    _refuse(path)
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    try:
        status = os.stat(path)  # a link such as /dev/stderr may have a target without a path
    except FileNotFoundError:
        status = None
    except OSError as error:
        raise _refused(path, error) from None
    if status is not None and not stat.S_ISREG(status.st_mode):
        _write_into(path, data)
        return ()
    notes = list(remove_leftovers(folder))
    try:
        opened, beside = create(folder, PRIVATE if status is not None else mode, _BYTES)
    except OSError as error:
        raise _refused(path, error) from None
    try:
        try:
            _write(opened, data)
            os.fsync(opened)
            if before is not None:
                status = _unchanged(path, target, before)
            if status is not None:
                _keep(opened, status, PRIVATE if private else status.st_mode & 0o7777)
        finally:
            os.close(opened)
        os.replace(beside, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(beside)
        raise _refused(path, error) from None
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    if unsynced is None:
        _sync_folder(folder)
    else:
        unsynced.add(folder)
    if status is not None and status.st_nlink > 1:
        others = status.st_nlink - 1
        names = (
            "another name (hard link), which keeps" if others == 1 else f"{others} other names (hard links), which keep"
        )
        notes.append(f"{path} had {names} the old contents")
    return tuple(notes)


def open_to_keep(path: str, flags: int, mode: int) -> int:
    """Open a file that is written bit by bit, such as a log, and create it where there is none.

    Args:
        path: The file, as the command line names it.
        flags: How to open it.
        mode: The mode of a new one, before the umask.

    Raises:
        InputError: It cannot be written.
    """
    _refuse(path)
    try:
        return os.open(path, flags | os.O_CREAT | _BYTES, mode)
    except OSError as error:
        raise _refused(path, error) from None


def make_folder(path: str) -> None:
    """Make a folder for files that are written, with those above it; one that is there stays as it is.

    Raises:
        InputError: It cannot be made.
    """
    _refuse(path)
    try:
        os.makedirs(path or os.curdir, exist_ok=True)
    except OSError as error:
        raise _refused(path, error) from None


def sync_folders(folders: set[str]) -> None:
    """Make the renames in some folders durable; see `replace`."""
    while folders:
        _sync_folder(folders.pop())


def is_stream(path: str) -> bool:
    """Whether a path is a pipe or a device, such as /dev/stdout, which somebody may read while it is written."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def readable_by_others(path: str) -> str:
    """A warning about a file with secrets that others may read, as they could before; empty where none may."""
    mode = os.stat(path).st_mode & 0o777
    if not mode & 0o077:
        return ""
    return f"{path} holds secrets, and others may read it (mode {mode:04o}); it had that mode before"


def _unchanged(path: str, target: str, before: bytes) -> os.stat_result:
    """The status of a file that still holds what was read of it.

    Raises:
        FileChanged: It does not.
        OSError: It cannot be read.
    """
    try:
        opened, size = open_regular(target, follow=False)
        try:
            status = os.fstat(opened)
            same = size == len(before) and read_all(opened, size, size + 1) == before
        finally:
            os.close(opened)
        same = same and os.path.realpath(path) == target and os.path.samestat(os.stat(target), status)
    except (FileNotFoundError, NotAFile, TooLarge):
        same = False
    except OSError as error:
        if error.errno != errno.ELOOP:  # the file is a link now
            raise
        same = False
    if not same:
        raise FileChanged(f"{path} was changed by another program meanwhile; it was left as it is", "Run this again.")
    return status


def _write_into(path: str, data: bytes) -> None:
    """Write to an existing device or pipe, such as /dev/null: a rename would replace it."""
    try:
        opened = os.open(path, os.O_WRONLY | _BYTES | _NO_WAIT)  # a pipe that nobody reads is an error
        try:
            if _NO_WAIT:
                os.set_blocking(opened, True)
            _write(opened, data)
        finally:
            os.close(opened)
    except OSError as error:
        raise _refused(path, error) from None


def _write(opened: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(opened, view) :]


def _keep(opened: int, status: os.stat_result, mode: int) -> None:
    """Give the new file the old one's owner, as far as we may, and a mode; Windows has neither."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(opened, status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(opened, mode)


def _sync_folder(folder: str) -> None:
    """Make the rename itself durable; a file system that cannot is no worse than for any other write."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _refuse(path: str) -> None:
    try:
        refuse(path)
    except LeadsOut as error:
        raise InputError(f"{path} cannot be written: {error.message}", error.hint) from None


def _refused(path: str, error: OSError) -> InputError:
    return InputError(f"{path} cannot be written: {(error.strerror or type(error).__name__).lower()}")
