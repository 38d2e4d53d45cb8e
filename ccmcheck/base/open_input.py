"""Opens every file that ccmcheck reads: regular files, and pipes only where the user named one; never without a limit.

None is opened that a link in the checkout leads to outside of it (`ccmcheck.base.boundary`).
Opening a pipe without a writer blocks, and a device may never end, so a checkout with such a file could stop a
run. A link to one counts as what it leads to.

Counts how often anything but the text at hand is asked for: another file, a chart, what the files around start.

What a run keeps for the next one (`ccmcheck.lint.kept_results`) is only what was judged without that.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ccmcheck.base.boundary import refuse
from ccmcheck.base.errors import InputError, TooLarge
from ccmcheck.base.paths import is_path


class _Consulted:
    """The count of this process; who asks for something adds to it.

    Attributes:
        times: How often.
    """

    times = 0


consulted = _Consulted()


CONFIGURATION_LIMIT = 10 * 1024 * 1024
"""Bytes of a file that configures a run: a configuration, a baseline, a profile, variables."""

_source: Callable[[str], bytes | None] | None = None
"""Reads files of a run's configuration from elsewhere; see `reading_from`."""

_BLOCK = 65_536
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class NotAFile(InputError):
    """What is there is no regular file."""


class NotInRevision(FileNotFoundError):
    """A file that configures the run is not in the revision that such files are read from."""


def open_regular(path: str, *, follow: bool = True) -> tuple[int, int]:
    """Open a regular file to read it.

    Args:
        path: The file.
        follow: Whether a link may lead to it.

    Returns:
        Its descriptor, which the caller closes, and its size.

    Raises:
        NotAFile: It is something else.
        LeadsOut: A link leads out of the checkout.
        OSError: It cannot be opened; ELOOP for a link that must not be followed.
    """
    consulted.times += 1
    if not is_path(path):
        raise NotAFile("no file can be called that")
    refuse(path if follow else os.path.dirname(path) if os.altsep else path.rpartition("/")[0])
    if follow:
        # before it is opened: opening a device may do something
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise NotAFile(f"this is {kind_of(mode)}, not a file")
    opened = os.open(path, _FLAGS | _NO_WAIT | (0 if follow else _NO_LINK))
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode):
        os.close(opened)
        raise NotAFile(f"this is {kind_of(status.st_mode)}, not a file")
    return opened, status.st_size


def read_all(opened: int, size: int, limit: int) -> bytes:
    """Read to the end; the size is only a first guess, since files under /proc say 0 and a log may be growing.

    Args:
        opened: The descriptor.
        size: The size that the file system reports.
        limit: The most bytes.

    Raises:
        TooLarge: There are more.
    """
    if size > limit:
        raise too_large(size, limit)
    data = os.read(opened, size + 1 if size else _BLOCK)
    if size and len(data) == size:
        return data
    parts = [data]
    total = len(data)
    while data:
        if total > limit:
            raise too_large(total, limit)
        data = os.read(opened, _BLOCK)
        parts.append(data)
        total += len(data)
    return b"".join(parts)


@contextmanager
def reading_from(source: Callable[[str], bytes | None]) -> Iterator[None]:
    """Let `read_input` take files from elsewhere, such as from a revision.

    Args:
        source: Gives a file's bytes, None to read the file itself; raises FileNotFoundError where it has none.
    """
    global _source  # noqa: PLW0603 - one run reads from one place
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before


def read_input(path: str, limit: int = CONFIGURATION_LIMIT, *, pipe: bool = False) -> bytes:
    """Read a file that configures a run.

    Args:
        path: The file.
        limit: The most bytes.
        pipe: Whether the user named it on the command line: it may be a pipe (``<(sops -d vars.env)``) or /dev/null.

    Raises:
        InputError: It is neither, or is too large; the message does not name the path.
        OSError: It cannot be read.
    """
    if not is_path(path):
        raise NotAFile("no file can be called that")
    data = _source(path) if _source is not None else None
    return read_here(path, limit, pipe=pipe) if data is None else data


def read_here(path: str, limit: int = CONFIGURATION_LIMIT, *, pipe: bool = False) -> bytes:
    """The same, never from elsewhere."""
    refuse(path)
    if pipe and _is_pipe_or_null(path):
        opened, size = os.open(path, _FLAGS), 0
    else:
        opened, size = open_regular(path)
    try:
        return read_all(opened, size, limit)
    finally:
        os.close(opened)


def is_there(path: str) -> bool:
    """Whether a file that configures a run exists, in the work tree or where `reading_from` takes it from.

    Args:
        path: The file.
    """
    if not is_path(path):
        return False
    if os.path.exists(path):
        return True
    try:
        return _source is not None and _source(path) is not None
    except (FileNotFoundError, InputError):
        return False


def read_text(path: str, limit: int = CONFIGURATION_LIMIT, *, pipe: bool = False) -> str:
    """The same as text: UTF-8, with or without a byte order mark, and any line ends as LF.

    Raises:
        UnicodeDecodeError: It is not UTF-8.
    """
    return read_input(path, limit, pipe=pipe).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def too_large(size: int, limit: int) -> TooLarge:
    """The error for a file above a limit."""
    return TooLarge(
        f"{size:,} bytes are more than the limit of {limit:,}; the file was not read",
        "Raise the limit with --max-size, or leave the file out with --exclude.",
    )


def kind_of(mode: int) -> str:
    """The kind of a file that is not regular, by its mode."""
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a folder" if stat.S_ISDIR(mode) else "a device"


def _is_pipe_or_null(path: str) -> bool:
    status = os.stat(path)
    if stat.S_ISCHR(status.st_mode):
        return os.path.samestat(status, os.stat(os.devnull))
    return stat.S_ISFIFO(status.st_mode)
