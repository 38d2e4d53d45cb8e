"""What the commands print and how: colour, width, a progress bar, files written beside and renamed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import click

from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse

BAR_WIDTH = 30
PATIENCE_SECONDS = 0.7
"""A run shorter than this shows no progress."""
DEFAULT_WIDTH = 100


def wants_color(choice: str, stream: object = None) -> bool:
    """Decide on colour.

    Args:
        choice: ``always``, ``never`` or ``auto``.
        stream: Where the text goes; stdout when None.

    NO_COLOR (https://no-color.org) and FORCE_COLOR are asked when the choice is ``auto``, then the terminal.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return is_terminal(sys.stdout if stream is None else stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: object) -> bool:
    """Whether a stream is a terminal."""
    return bool(getattr(stream, "isatty", lambda: False)())


def width() -> int:
    """Columns to write for: COLUMNS, else the terminal's, else unlimited (0)."""
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"])
    if not is_terminal(sys.stdout):
        return 0
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return DEFAULT_WIDTH


class Captured:
    """What a command says where it is called from Python."""

    def __init__(self) -> None:
        self.output: list[str] = []
        self.warnings: list[str] = []


_captured: ContextVar[Captured | None] = ContextVar("captured", default=None)


@contextmanager
def captured() -> Iterator[Captured]:
    """Keep what is written and said in the place of printing it."""
    printed = Captured()
    token = _captured.set(printed)
    try:
        yield printed
    finally:
        _captured.reset(token)


def write(pieces: Iterable[str]) -> None:
    """Write to stdout, whatever its encoding can take.

    Where nobody reads it any more, the rest is dropped: that changes neither what was found nor the exit code.

    Raises:
        CcmcheckError: It cannot be written.
    """
    if (printed := _captured.get()) is not None:
        printed.output.extend(pieces)
        return
    out = sys.stdout
    encoding = out.encoding or "utf-8"
    try:
        for piece in pieces:
            try:
                out.write(piece)
            except UnicodeEncodeError:
                out.write(piece.encode(encoding, "backslashreplace").decode(encoding))
        out.flush()
    except BrokenPipeError:
        drop_stdout()
    except OSError as error:
        raise CcmcheckError(
            f"standard output cannot be written: {(error.strerror or 'unknown reason').lower()}"
        ) from None


def drop_stdout() -> None:
    """Point stdout nowhere, so that neither further reports nor the interpreter's own flush fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def append(path: str, pieces: Iterable[str]) -> None:
    """Add to a file that something else gathers, such as GitHub's summary of a step; a failure is only said."""
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(pieces)
    except OSError as error:
        warn(f"{path} cannot be written: {(error.strerror or 'unknown reason').lower()}")


_MARKS = {"✓": "green", "✗": "red", "→": "cyan", "fatal:": "red", "stops:": "red"}
"""How a line of a text report begins, and the colour of that word."""


def painted(pieces: Iterable[str]) -> Iterator[str]:
    """A text report with its marks in colour."""
    for piece in pieces:
        yield "".join(map(_painted, piece.splitlines(keepends=True)))


def _painted(line: str) -> str:
    body = line.lstrip(" ")
    mark = body.partition(" ")[0].rstrip("\n")
    if mark not in _MARKS:
        return line
    return line[: len(line) - len(body)] + click.style(mark, fg=_MARKS[mark]) + body[len(mark) :]


_DIFF_COLORS = {"-": "red", "+": "green", "@": "cyan"}


def painted_diff(lines: Iterable[str], *, color: bool) -> Iterator[str]:
    """The lines of a diff, safe for a terminal and a CI system's log."""
    from ccmcheck.base.escape import inert, printable

    for line in lines:
        shown = inert(printable(line))
        name = _DIFF_COLORS.get(line[:1]) if color else None
        yield f"{click.style(shown, fg=name) if name else shown}\n"


def has_data(stream: object) -> bool:
    """Whether data already waits on a stream that is a pipe or a file; nothing is read."""
    import stat

    try:
        number = stream.fileno()  # type: ignore[attr-defined]
        status = os.fstat(number)
        if stat.S_ISREG(status.st_mode):
            return status.st_size > os.lseek(number, 0, os.SEEK_CUR)
        if not stat.S_ISFIFO(status.st_mode):
            return False
        import array
        import fcntl
        import termios

        waiting = array.array("i", [0])
        fcntl.ioctl(number, termios.FIONREAD, waiting)
        return waiting[0] > 0
    except (AttributeError, ImportError, OSError, ValueError):
        return False


def warn(line: str) -> None:
    """One line on stderr."""
    from ccmcheck.base.escape import inert, printable

    if (printed := _captured.get()) is not None:
        printed.warnings.append(printable(line))
    else:
        click.echo(inert(f"ccmcheck: {printable(line)}"), err=True)


def replace_file(
    path: str,
    data: bytes,
    *,
    mode: int | None = None,
    private: bool = False,
    before: bytes | None = None,
    unsynced: set[str] | None = None,
) -> None:
    """Replace a file and print what the user should know of it; see `ccmcheck.base.atomic_write.replace`."""
    from ccmcheck.base.atomic_write import PRIVATE, replace

    own_mode = PRIVATE if mode is None else mode
    for note in replace(path, data, mode=own_mode, private=private, before=before, unsynced=unsynced):
        warn(note)


def save(path: str, pieces: Iterable[str]) -> None:
    """Write a report to a file; see `ccmcheck.base.atomic_write.replace`.

    Raises:
        WrongUse: The file cannot be written.
    """
    from ccmcheck.base.atomic_write import SHARED

    try:
        replace_file(path, "".join(pieces).encode("utf-8", "backslashreplace"), mode=SHARED)
    except InputError as error:
        raise WrongUse(error.message, error.hint) from None


@contextmanager
def progress(wanted: bool) -> Iterator[ProgressBar | None]:
    """A bar on stderr for long runs on a terminal; removed when the run ends."""
    if not (wanted and is_terminal(sys.stderr)):
        yield None
        return
    bar = ProgressBar()
    try:
        yield bar
    finally:
        bar.clear()


class ProgressBar:
    """Draws ``done`` of ``total`` at most ten times a second, and nothing before `PATIENCE_SECONDS`.

    Args:
        unit: What is counted.
    """

    def __init__(self, unit: str = "files") -> None:
        self._unit = unit
        self._next = time.monotonic() + PATIENCE_SECONDS
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        """Draw, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        self._drawn = True
        filled = BAR_WIDTH * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done} of {total} {self._unit}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
