"""The only module that starts git, and does it so that nothing in a checkout can make git start a program.

Git runs what a repository's configuration names: fsmonitor, filters, a partial clone's uploadpack, pagers, aliases. The
names of some of those settings are free (``filter.<name>.clean``), so they cannot be switched off one by one. Git
therefore never sees the repository's own configuration. It gets a git directory of ours, in the temporary folder, whose
configuration holds the few settings that say how the objects are stored, and which leads to the repository's objects,
refs and index. The repository is found here, by a ``.git`` folder or file; git never searches, so that a folder that
merely looks like a bare repository is none. Attributes and ignore files of the checkout count, but no command used
here converts contents: files of the work tree are hashed here, as they are.

The user's own configuration (``~/.gitconfig``, the system's) is trusted; ``-c`` still switches off what it may start.

Why not dulwich: it would be read by the same rules, but its ignore files differ from git's in details, it has no
reftable and no split or sparse index, and importing it takes longer than this lists a repository.
"""

# pathlib takes longer to import than git takes to list a small repository:
# ruff: noqa: PTH100, PTH102, PTH110, PTH112, PTH113, PTH114, PTH115, PTH116, PTH117, PTH118, PTH120, PTH208, PTH211

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import open_regular, read_all, read_input
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEAST_VERSION: Final = (2, 30)
"""The first release whose ``rev-parse`` knows ``--end-of-options`` (Git 2.30.0 release notes)."""

SECONDS = 120.0
"""How long one call may take."""

_KEPT_VARIABLES = frozenset({"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
"""Git's variables of the user's environment that stay."""

_OVERRIDES = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
}

_SETTINGS = (
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.askPass=",
    "core.alternateRefsCommand=",
    "core.gitProxy=",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "submodule.recurse=false",
)
"""The user's own settings that could start a program, switched off; an empty ``core.fsmonitor`` is off everywhere."""

_STORAGE = frozenset({"core.ignorecase", "core.precomposeunicode", "extensions.objectformat", "extensions.refstorage"})
_UPSTREAMS = (("branch.", ".remote"), ("branch.", ".merge"), ("remote.", ".fetch"))
"""What ``main@{upstream}`` needs."""

_MINIMAL = "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n"
_PSEUDO_REFS = ("HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
_LINKED_FOLDERS = ("refs", "logs", "reftable")
_LINKED_FILES = ("packed-refs", "shallow")

_NO_MATCH = 1
"""The exit code of ``git grep`` where no file matches."""
_SMALL = 65_536
_MOST_CONFIGURATION = 1024 * 1024
_MOST_SHARED_INDEXES = 100


class GitUnavailable(InputError):
    """Git cannot be used: it is missing, too old, or takes too long; the message says which."""


class RepositoryPaths(NamedTuple):
    """Where a repository is.

    Attributes:
        top: The top of its work tree.
        git_dir: Its ``.git`` folder, or where a ``.git`` file leads.
        common_dir: The folder of its objects and refs, another one in a linked work tree.
    """

    top: str
    git_dir: str
    common_dir: str


def find_repository(folder: str) -> RepositoryPaths | None:
    """Find the repository of a folder: the nearest ``.git`` in it or above it. A bare repository is never one.

    Args:
        folder: The folder; links in its path are resolved, as git does.
    """
    current = os.path.realpath(folder)
    stops = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in stops if path}
    while True:
        git_dir = _git_dir(os.path.join(current, ".git"))
        if git_dir is not None:
            common = _common_dir(git_dir)
            if common is not None:
                return RepositoryPaths(current, git_dir, common)
        above = os.path.dirname(current)
        if above == current or above in ceilings:
            return None
        current = above


def _git_dir(path: str) -> str | None:
    """The git directory that a ``.git`` stands for: itself, or the one that it names."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            return path
        if not stat.S_ISREG(mode):
            return None
        text = os.fsdecode(read_input(path, _SMALL))
    except (OSError, ValueError, InputError):
        return None
    if not text.startswith("gitdir: "):
        return None
    named = os.path.join(os.path.dirname(path), text.removeprefix("gitdir: ").rstrip("\r\n"))
    return named if os.path.isdir(named) else None


def _common_dir(git_dir: str) -> str | None:
    """The folder of objects and refs; None where these or HEAD are missing, so that it is no git directory."""
    common = git_dir
    with suppress(OSError, ValueError, InputError):
        named = os.fsdecode(read_input(os.path.join(git_dir, "commondir"), _SMALL)).rstrip("\r\n")
        common = os.path.join(git_dir, named)
    complete = (
        os.path.isfile(os.path.join(git_dir, "HEAD"))
        and os.path.isdir(os.path.join(common, "objects"))
        and os.path.isdir(os.path.join(common, "refs"))
    )
    return common if complete else None


class Git:
    """Git for one repository.

    Args:
        paths: Where the repository is.
        upstreams: Whether ``@{upstream}`` is to be understood.

    Raises:
        GitUnavailable: There is no git, it is too old, or its own folder cannot be made.
    """

    def __init__(self, paths: RepositoryPaths, *, upstreams: bool = False) -> None:
        self.paths = paths
        self._program = _checked_program()
        self._upstreams = upstreams
        self._made: list[str] = []
        self.object_format = "sha1"
        try:
            self._sealed = self._seal()
        except OSError as error:
            self.close()
            reason = (error.strerror or "unknown reason").lower()
            raise GitUnavailable(f"a temporary folder for git cannot be made: {reason}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the git directory of ours."""
        for path in reversed(self._made):
            with suppress(OSError):
                (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
        self._made.clear()

    def lines(self, folder: str, *arguments: str) -> list[str] | None:
        """Run git in a folder of the work tree.

        Args:
            folder: The folder.
            arguments: A command that reads, with its arguments.

        Returns:
            Its output cut at NULs; None where it failed.

        Raises:
            GitUnavailable: It took too long.
        """
        output = _run(self._command(folder, *arguments), folder, self._environment())
        return None if output is None else [os.fsdecode(part) for part in output.split(b"\0") if part]

    def files_with(self, text: str, tree: str = "") -> list[str] | None:
        """The files that say something, by their paths from the top: the tracked ones, and the others not ignored.

        Args:
            text: What they say, taken literally.
            tree: A revision's tree to search instead of the work tree.

        Returns:
            The paths; None where git cannot tell.

        Raises:
            GitUnavailable: It took too long.
        """
        where = (tree,) if tree else ("--untracked", "--exclude-standard")
        command = ("grep", "-l", "-z", "-F", "--no-color", "--no-recurse-submodules", "--full-name", "-e", text)
        output = _run(
            self._command(self.paths.top, *command, *where, "--"),
            self.paths.top,
            self._environment(),
            fine=(0, _NO_MATCH),
        )
        if output is None:
            return None
        names = [os.fsdecode(part) for part in output.split(b"\0") if part]
        return [name.removeprefix(f"{tree}:") for name in names] if tree else names

    def blobs(self, names: Sequence[str]) -> Iterator[bytes]:
        """The contents of objects, one after another, through one process.

        Args:
            names: Their hashes.

        Raises:
            InputError: The repository lacks one.
            GitUnavailable: It took too long.
        """
        import subprocess
        import tempfile
        from threading import Timer

        if not names:
            return
        # from a file, not a pipe: git begins to answer long before it has read all names
        with tempfile.TemporaryFile() as requests:
            requests.write("".join(f"{name}\n" for name in names).encode())
            requests.seek(0)
            command = self._command(self.paths.top, "cat-file", "--batch")
            git = subprocess.Popen(
                command,
                stdin=requests,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self.paths.top,
                env=self._environment(),
            )
            timer = Timer(SECONDS, git.kill)
            timer.daemon = True
            timer.start()
            try:
                for name in names:
                    head = git.stdout.readline().split() if git.stdout is not None else []
                    if git.stdout is None or len(head) != 3:
                        if not head and not timer.is_alive():
                            raise GitUnavailable(f"git took longer than {SECONDS:.0f} s")
                        raise InputError(f"git cannot read the object {name}", "A partial clone lacks some.")
                    data = git.stdout.read(int(head[2]))
                    git.stdout.read(1)
                    yield data
            finally:
                timer.cancel()
                git.kill()
                if git.stdout is not None:
                    git.stdout.close()
                git.wait()

    def hash_of(self, path: str) -> str | None:
        """The hash that a file of the work tree has as a blob, without filters; None where it is no plain file.

        Args:
            path: The file.
        """
        import hashlib

        try:
            opened, size = open_regular(path, follow=False)
        except (OSError, InputError):
            return None
        try:
            digest = hashlib.new(self.object_format, usedforsecurity=False)
            digest.update(b"blob %d\0" % size)
            while data := os.read(opened, 1 << 20):
                digest.update(data)
        except OSError:
            return None
        finally:
            os.close(opened)
        return digest.hexdigest()

    def hash_with_lf(self, path: str, limit: int) -> str | None:
        """The same with every CR LF as LF, as ``core.autocrlf`` commits it; None above a limit, or without any.

        Args:
            path: The file.
            limit: The most bytes.
        """
        import hashlib

        try:
            opened, size = open_regular(path, follow=False)
        except (OSError, InputError):
            return None
        try:
            data = read_all(opened, size, limit)
        except (OSError, InputError):
            return None
        finally:
            os.close(opened)
        if b"\r\n" not in data:
            return None
        data = data.replace(b"\r\n", b"\n")
        return hashlib.new(self.object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def _command(self, folder: str, *arguments: str) -> list[str]:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        return [
            self._program,
            "-C",
            os.path.realpath(folder),
            "--no-pager",
            *settings,
            f"--git-dir={self._sealed}",
            f"--work-tree={self.paths.top}",
            *arguments,
        ]

    def _environment(self) -> dict[str, str]:
        return _environment() | {
            "GIT_OBJECT_DIRECTORY": os.path.abspath(os.path.join(self.paths.common_dir, "objects")),
            "GIT_INDEX_FILE": os.path.abspath(os.path.join(self.paths.git_dir, "index")),
        }

    def _seal(self) -> str:
        """Make the git directory that git gets, and give back its path."""
        index = os.path.join(self.paths.git_dir, "index")
        if os.path.exists(index) and not os.path.isfile(index):
            raise GitUnavailable(f"{index} is not a file")
        sealed = _new_folder()
        self._made.append(sealed)
        self._write(os.path.join(sealed, "config"), _MINIMAL.format(version=0))
        for name in _PSEUDO_REFS:
            with suppress(OSError, InputError):
                data = _link_or_text(os.path.join(self.paths.git_dir, name))
                self._write(os.path.join(sealed, name), os.fsdecode(data))
        for name in _LINKED_FOLDERS:
            self._link(name, sealed, is_folder=True)
        for name in _LINKED_FILES:
            self._link(name, sealed, is_folder=False)
        if os.path.isfile(os.path.join(self.paths.common_dir, "info", "exclude")):
            info = os.path.join(sealed, "info")
            os.mkdir(info, 0o700)
            self._made.append(info)
            self._link(os.path.join("info", "exclude"), sealed, is_folder=False)
        shared = [name for name in os.listdir(self.paths.git_dir) if name.startswith("sharedindex.")]
        for name in shared[:_MOST_SHARED_INDEXES]:
            source = os.path.join(self.paths.git_dir, name)
            if os.path.isfile(source):
                os.symlink(os.path.abspath(source), os.path.join(sealed, name))
                self._made.append(os.path.join(sealed, name))
        self._sealed = sealed
        self._write_settings(sealed)
        return sealed

    def _write_settings(self, sealed: str) -> None:
        """Take over how the objects are stored, and with ``upstreams`` which branch follows which."""
        try:
            data = read_input(os.path.join(self.paths.common_dir, "config"), _MOST_CONFIGURATION)
        except (OSError, InputError):
            return
        lowered = data.lower()
        wanted = (b"extensions", b"ignorecase", b"precomposeunicode", *((b"[branch",) if self._upstreams else ()))
        if not any(word in lowered for word in wanted):
            return
        output = _run(
            self._command(sealed, "config", "--file", "-", "--no-includes", "--null", "--list"),
            sealed,
            self._environment(),
            data,
        )
        if output is None:
            raise GitUnavailable("git cannot read the repository's configuration")
        lines: list[str] = []
        version = 0
        for item in output.split(b"\0"):
            name, _, value = os.fsdecode(item).partition("\n")
            if name.startswith("extensions.") and name in _STORAGE:
                version = 1
            if name == "extensions.objectformat":
                self.object_format = value.lower()
            if name in _STORAGE or (
                self._upstreams and any(name.startswith(start) and name.endswith(end) for start, end in _UPSTREAMS)
            ):
                lines.append(_setting(name, value))
        if self.object_format not in ("sha1", "sha256"):
            raise GitUnavailable("the repository's object format is unknown")
        self._write(os.path.join(sealed, "config"), _MINIMAL.format(version=version) + "".join(lines))

    def _write(self, path: str, text: str) -> None:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(os.fsencode(text))
        if path not in self._made:
            self._made.append(path)

    def _link(self, name: str, sealed: str, *, is_folder: bool) -> None:
        source = os.path.abspath(os.path.join(self.paths.common_dir, name))
        if (os.path.isdir if is_folder else os.path.isfile)(source):
            os.symlink(source, os.path.join(sealed, name), target_is_directory=is_folder)
            self._made.append(os.path.join(sealed, name))


class Repositories:
    """Git for the repositories of one run, each set up once.

    Attributes:
        notes: Why git could not be used where there is a repository.
    """

    def __init__(self, *, upstreams: bool = False) -> None:
        self.notes: list[str] = []
        self._upstreams = upstreams
        self._by_top: dict[str, Git | GitUnavailable] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for git in self._by_top.values():
            if isinstance(git, Git):
                git.close()

    def of(self, folder: str) -> Git | None:
        """Git for the repository of a folder; None where it is in none.

        Args:
            folder: The folder.

        Raises:
            GitUnavailable: It is in one, but git cannot be used.
        """
        paths = find_repository(folder)
        if paths is None:
            return None
        if paths.top not in self._by_top:
            try:
                self._by_top[paths.top] = Git(paths, upstreams=self._upstreams)
            except GitUnavailable as error:
                self._by_top[paths.top] = error
        git = self._by_top[paths.top]
        if isinstance(git, GitUnavailable):
            raise git
        return git

    def required(self, folder: str) -> Git:
        """The same where there must be one.

        Raises:
            GitUnavailable: There is none, or git cannot be used.
        """
        git = self.of(folder)
        if git is None:
            raise GitUnavailable(f"`{folder}` is in no git repository")
        return git


def _checked_program() -> str:
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
        output = _run([program, "version"], os.path.dirname(program), _environment()) or b""
        numbers = output.removeprefix(b"git version ").split(b".")[:2]
        _VERSIONS[program] = tuple(int(number) for number in numbers if number.strip().isdigit())
    version = _VERSIONS[program]
    if version < LEAST_VERSION:
        found = ".".join(map(str, version)) or "of an unknown version"
        least = ".".join(map(str, LEAST_VERSION))
        raise GitUnavailable(f"git {found} is too old: git {least} or newer is needed")
    return program


_VERSIONS: dict[str, tuple[int, ...]] = {}


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT_VARIABLES}
    return kept | _OVERRIDES


def _run(
    command: list[str],
    folder: str,
    environment: dict[str, str],
    entered: bytes | None = None,
    fine: tuple[int, ...] = (0,),
) -> bytes | None:
    """Run git; None where it fails."""
    import subprocess

    try:
        done = subprocess.run(
            command,
            input=entered,
            stdin=None if entered is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitUnavailable(f"git took longer than {SECONDS:.0f} s") from None
    except OSError:
        return None
    return done.stdout if done.returncode in fine else None


def _new_folder() -> str:
    """A new private folder in the temporary one; `tempfile` takes longer to import than git takes to answer."""
    parent = next((path for name in ("TMPDIR", "TEMP", "TMP") if (path := os.environ.get(name))), "/tmp")  # noqa: S108
    path = os.path.join(os.path.abspath(parent), f"ccmcheck-git-{os.getpid()}-{os.urandom(8).hex()}")
    os.mkdir(path, 0o700)
    return path


def _link_or_text(path: str) -> bytes:
    """What a ref says; an old repository's HEAD is a link."""
    if os.path.islink(path):
        return b"ref: " + os.fsencode(os.readlink(path)) + b"\n"
    return read_input(path, _SMALL)


def _setting(name: str, value: str) -> str:
    """One setting as a configuration file writes it."""
    section, _, rest = name.partition(".")
    subsection, _, key = rest.rpartition(".")
    quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    header = section
    if subsection:
        escaped = subsection.replace("\\", "\\\\").replace('"', '\\"')
        header = f'{section} "{escaped}"'
    return f'[{header}]\n\t{key} = "{quoted}"\n'
