"""The git directory that git gets instead of the checkout's own: it leads to the same objects, refs and index.

Its configuration holds the few settings that say how the objects are stored, and with ``upstreams`` which branch
follows which; nothing else of the repository's own counts.
"""

from __future__ import annotations

import os
from contextlib import suppress

from ccmcheck.base.errors import GitUnavailable, InputError
from ccmcheck.base.open_input import read_input
from ccmcheck.base.repository_paths import RepositoryPaths
from ccmcheck.workspace.git_program import SETTINGS, check_file, check_stores, environment, run

_STORAGE = frozenset({"core.ignorecase", "core.precomposeunicode", "extensions.objectformat", "extensions.refstorage"})


_UPSTREAMS = (("branch.", ".remote"), ("branch.", ".merge"), ("remote.", ".fetch"))
"""What ``main@{upstream}`` needs."""


_MINIMAL = "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n"


_PSEUDO_REFS = ("HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")


_LINKED = ("refs", "logs", "reftable", "packed-refs", "shallow")


_OF_OBJECTS = ("", "info", os.path.join("info", "alternates"))
"""What git reads in any case of the folder of objects."""


_READING_NO_OBJECT = frozenset({"ls-files", "check-ignore", "config", "--untracked"})
"""Words of commands that read the index and the work tree alone."""


_SMALL = 65_536


_MOST_CONFIGURATION = 1024 * 1024


_MOST_SHARED_INDEXES = 100


class GitDirectory:
    """A git directory of ours for one repository, in the temporary folder.

    Args:
        program: Git's path.
        paths: Where the repository is.
        upstreams: Whether ``@{upstream}`` is to be understood.

    Attributes:
        path: The directory.
        object_format: ``sha1`` or ``sha256``.

    Raises:
        GitUnavailable: It cannot be made, or git must not read the repository.
    """

    def __init__(self, program: str, paths: RepositoryPaths, *, upstreams: bool) -> None:
        self.path = ""
        self.object_format = "sha1"
        self._program = program
        self._paths = paths
        self._upstreams = upstreams
        self._made: list[str] = []
        self._is_checked = False
        if paths.refused:
            raise GitUnavailable(paths.refused)
        try:
            self._seal()
        except OSError as error:
            self.remove()
            reason = (error.strerror or "unknown reason").lower()
            raise GitUnavailable(f"a temporary folder for git cannot be made: {reason}") from None
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove it."""
        for path in reversed(self._made):
            with suppress(OSError):
                (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
        self._made.clear()

    def command(self, folder: str, *arguments: str) -> list[str]:
        """A command of git.

        Args:
            folder: Where it runs.
            arguments: Its words.

        Raises:
            GitUnavailable: It would read objects, and git must not read all there are.
        """
        if not self._is_checked and _READING_NO_OBJECT.isdisjoint(arguments):
            check_stores(self._paths)
            self._is_checked = True
        settings = [word for setting in SETTINGS for word in ("-c", setting)]
        return [
            self._program,
            "-C",
            os.path.realpath(folder),
            "--no-pager",
            *settings,
            f"--git-dir={self.path}",
            f"--work-tree={self._paths.top}",
            *arguments,
        ]

    def environment(self) -> dict[str, str]:
        """The variables that a command runs with."""
        return environment() | {
            "GIT_OBJECT_DIRECTORY": os.path.abspath(os.path.join(self._paths.common_dir, "objects")),
            "GIT_INDEX_FILE": os.path.abspath(os.path.join(self._paths.git_dir, "index")),
        }

    def _seal(self) -> None:
        """Make it."""
        bound = self._paths.bound
        for name in ("index", *_PSEUDO_REFS):
            check_file(os.path.join(self._paths.git_dir, name), bound)
        for name in _OF_OBJECTS:
            check_file(os.path.join(self._paths.common_dir, "objects", name), bound)
        sealed = _new_folder()
        self._made.append(sealed)
        self._write(os.path.join(sealed, "config"), _MINIMAL.format(version=0))
        for name in _PSEUDO_REFS:
            with suppress(OSError, InputError):
                data = _link_or_text(os.path.join(self._paths.git_dir, name))
                self._write(os.path.join(sealed, name), os.fsdecode(data))
        for name in _LINKED:
            self._link(name, sealed)
        if check_file(os.path.join(self._paths.common_dir, "info", "exclude"), bound):
            info = os.path.join(sealed, "info")
            os.mkdir(info, 0o700)
            self._made.append(info)
            self._link(os.path.join("info", "exclude"), sealed)
        shared = [name for name in os.listdir(self._paths.git_dir) if name.startswith("sharedindex.")]
        for name in shared[:_MOST_SHARED_INDEXES]:
            source = os.path.join(self._paths.git_dir, name)
            if check_file(source, bound):
                os.symlink(os.path.abspath(source), os.path.join(sealed, name))
                self._made.append(os.path.join(sealed, name))
        self.path = sealed
        self._write_settings(sealed)

    def _write_settings(self, sealed: str) -> None:
        """Take over how the objects are stored, and with ``upstreams`` which branch follows which."""
        try:
            data = read_input(os.path.join(self._paths.common_dir, "config"), _MOST_CONFIGURATION)
        except (OSError, InputError):
            return
        lowered = data.lower()
        wanted = (b"extensions", b"ignorecase", b"precomposeunicode", *((b"[branch",) if self._upstreams else ()))
        if not any(word in lowered for word in wanted):
            return
        output = run(
            self.command(sealed, "config", "--file", "-", "--no-includes", "--null", "--list"),
            sealed,
            self.environment(),
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

    def _link(self, name: str, sealed: str) -> None:
        source = os.path.abspath(os.path.join(self._paths.common_dir, name))
        if check_file(source, self._paths.bound):
            os.symlink(source, os.path.join(sealed, name), target_is_directory=os.path.isdir(source))
            self._made.append(os.path.join(sealed, name))


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
