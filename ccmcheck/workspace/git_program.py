"""The only module that starts git: with settings that start no other program, a known environment and a time limit.

What of a repository git is let near: no pipe or device, which it would wait for, and no link that leads out.
"""

from __future__ import annotations

import os
import stat
import time
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ccmcheck.base.boundary import leads_out
from ccmcheck.base.budget import started
from ccmcheck.base.errors import GitUnavailable, InputError
from ccmcheck.base.open_input import kind_of, read_input
from ccmcheck.base.repository_paths import RepositoryPaths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from subprocess import Popen
    from threading import Timer

    from ccmcheck.base.repository_paths import RepositoryPaths

_READ_IN_ANY_FOLDER = frozenset({".gitignore", ".gitattributes"})
_STORES = ("objects", "refs", "reftable", "logs")
_MOST_ALTERNATES = 65_536
"""Bytes of the file that names other folders of objects."""


def check_file(path: str, bound: str) -> bool:
    """Whether there is a file or a folder that git may read.

    Args:
        path: Its path.
        bound: The folder that no link leads out of.

    Raises:
        GitUnavailable: It is something else, or leads out.
    """
    top = leads_out(path, bound)
    if top and os.path.lexists(path):
        raise GitUnavailable(f"{path} leads out of {top}; --trust-checkout allows that")
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise GitUnavailable(f"{path} is {kind_of(mode)}, not a file")
    return True


def check_stores(paths: RepositoryPaths) -> None:
    """Look at all that git may read for an object or a ref, with folders of objects that others name.

    Args:
        paths: The repository.

    Raises:
        GitUnavailable: See `check_file`.
    """
    bound = paths.bound
    waiting = [os.path.join(paths.common_dir, name) for name in _STORES]
    seen: set[str] = set()
    while waiting:
        folder = os.path.realpath(waiting.pop())
        if folder in seen or not os.path.isdir(folder):
            continue
        seen.add(folder)
        others = [entry.path for entry in _entries(folder) if not entry.is_file(follow_symlinks=False)]
        others += _alternates(folder)
        for path in others:
            check_file(path, bound)
        waiting += others


def _alternates(folder: str) -> list[str]:
    """The folders of objects that the file of a folder of objects names."""
    try:
        lines = read_input(os.path.join(folder, "info", "alternates"), _MOST_ALTERNATES).splitlines()
    except (OSError, InputError):
        return []
    return [os.path.join(folder, os.fsdecode(line)) for line in lines if line and not line.startswith(b"#")]


def blocking_file(paths: RepositoryPaths) -> str:
    """A file that git reads and would wait for, with its kind; empty where there is none.

    Args:
        paths: The repository.
    """
    try:
        check_stores(paths)
    except GitUnavailable as error:
        return error.message
    waiting = [paths.top]
    while waiting:
        for entry in _entries(waiting.pop()):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.name in _READ_IN_ANY_FOLDER and os.path.exists(entry.path) and not entry.is_file():
                return f"{entry.path} is {kind_of(entry.stat().st_mode)}, not a file"
    return ""


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


LEAST_VERSION: Final = (2, 30)
"""The first release whose ``rev-parse`` knows ``--end-of-options`` (Git 2.30.0 release notes)."""

SECONDS = 120.0
"""How long a run may wait for git, in all."""

PATIENCE = 5.0
"""After how long a call is looked into: git waits for ever for a pipe that is called .gitignore."""

_waited: ContextVar[float] = ContextVar("seconds that the run has waited for git", default=0.0)
_blocked: ContextVar[Mapping[str, str]] = ContextVar("why git waits in a work tree", default=MappingProxyType({}))

_KEPT_VARIABLES = frozenset({"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
"""Git's variables of the user's environment that stay."""

_OVERRIDES = {
    "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none", "GIT_ATTR_NOSYSTEM": "1", "GIT_PAGER": "cat", "GIT_ASKPASS": "",
    "SSH_ASKPASS": "", "LC_ALL": "C",
}  # fmt: skip

SETTINGS = (
    "core.fsmonitor=", "core.hooksPath=/dev/null", "core.pager=cat", "core.askPass=",
    "core.alternateRefsCommand=", "core.gitProxy=", "core.sshCommand=false", "credential.helper=",
    "diff.external=", "gc.auto=0", "maintenance.auto=false", "protocol.allow=never", "submodule.recurse=false",
)  # fmt: skip
"""The user's own settings that could start a program, switched off; an empty ``core.fsmonitor`` is off everywhere."""


def checked_program() -> str:
    """The path of git.

    Raises:
        GitUnavailable: There is none, or it is too old.
    """
    program = next(
        (
            path
            for folder in os.get_exec_path()
            # a relative folder would be one of the checkout's
            if os.path.isabs(folder)
            for path in (os.path.join(folder, "git"), os.path.join(folder, "git.exe"))
            if os.path.isfile(path) and os.access(path, os.X_OK)
        ),
        None,
    )
    if program is None:
        raise GitUnavailable("there is no git")
    if program not in _VERSIONS:
        output = run([program, "version"], os.path.dirname(program), environment()) or b""
        numbers = output.removeprefix(b"git version ").split(b".")[:2]
        _VERSIONS[program] = tuple(int(number) for number in numbers if number.strip().isdigit())
    version = _VERSIONS[program]
    if version < LEAST_VERSION:
        found = ".".join(map(str, version)) or "of an unknown version"
        least = ".".join(map(str, LEAST_VERSION))
        raise GitUnavailable(f"git {found} is too old: git {least} or newer is needed")
    return program


_VERSIONS: dict[str, tuple[int, ...]] = {}


def environment() -> dict[str, str]:
    """The user's variables without git's, and those that keep git from starting anything."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT_VARIABLES}
    return kept | _OVERRIDES


def run(
    command: list[str],
    folder: str,
    environment: dict[str, str],
    entered: bytes | None = None,
    fine: tuple[int, ...] = (0,),
    paths: RepositoryPaths | None = None,
) -> bytes | None:
    """Run git; None where it ends with an exit code that is not fine.

    Args:
        command: The command.
        folder: Where to run it.
        environment: Its variables.
        entered: What it reads from standard input.
        fine: The exit codes that are.
        paths: The repository, which is looked into where git is slow.

    Raises:
        GitUnavailable: It takes too long, or waits for a file that never ends.
    """
    from subprocess import DEVNULL, PIPE

    if paths is not None and paths.top in _blocked.get():
        raise GitUnavailable(_blocked.get()[paths.top])
    began = time.monotonic()
    stdin = DEVNULL if entered is None else PIPE
    try:
        with started(command, stdin=stdin, stdout=PIPE, stderr=DEVNULL, cwd=folder, env=environment) as git:
            output = _output(git, entered, paths)
    except OSError:
        return None
    finally:
        _waited.set(_waited.get() + time.monotonic() - began)
    return output if git.returncode in fine else None


def _output(git: Popen[bytes], entered: bytes | None, paths: RepositoryPaths | None) -> bytes:
    """What git writes, in the time that the run has left."""
    from subprocess import TimeoutExpired

    left = SECONDS - _waited.get()
    for seconds in (min(PATIENCE, left), left - PATIENCE):
        try:
            return git.communicate(entered, timeout=max(seconds, 0))[0]
        except TimeoutExpired:
            entered = None  # it has got that
            reason = blocking_file(paths) if paths is not None else ""
            if paths is not None and reason:
                _blocked.set({**_blocked.get(), paths.top: reason})
                raise GitUnavailable(reason) from None
    raise GitUnavailable(f"git took longer than {SECONDS:.0f} s")


def objects(command: Sequence[str], folder: str, variables: dict[str, str], names: Sequence[str]) -> Iterator[bytes]:
    """The contents of objects, one after another, through one ``git cat-file --batch``.

    Args:
        command: The command.
        folder: Where to run it.
        variables: Its environment.
        names: The objects' hashes.

    Raises:
        InputError: The repository lacks one.
        GitUnavailable: It took too long.
    """
    import tempfile
    from subprocess import DEVNULL, PIPE
    from threading import Timer

    # from a file, not a pipe: git begins to answer long before it has read all names
    with tempfile.TemporaryFile() as requests:
        requests.write("".join(f"{name}\n" for name in names).encode())
        requests.seek(0)
        with started(command, stdin=requests, stdout=PIPE, stderr=DEVNULL, cwd=folder, env=variables) as git:
            timer = Timer(max(SECONDS - _waited.get(), 0), git.kill)
            timer.daemon = True
            timer.start()
            try:
                yield from _answers(git, names, timer)
            finally:
                timer.cancel()


def _answers(git: Popen[bytes], names: Sequence[str], timer: Timer) -> Iterator[bytes]:
    for name in names:
        head = git.stdout.readline().split() if git.stdout is not None else []
        if not head and not timer.is_alive():
            raise GitUnavailable(f"git took longer than {SECONDS:.0f} s")
        if git.stdout is None or len(head) != 3:
            raise InputError(f"git cannot read the object {name}", "A partial clone lacks some.")
        data = git.stdout.read(int(head[2]))
        git.stdout.read(1)
        yield data
