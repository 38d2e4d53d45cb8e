"""Finds the configuration of a file: ``ccmcheck.toml``, or ``[tool.ccmcheck]`` in pyproject.toml.

The nearest one counts, looked for in the file's folder and upward to the top of its git repository. In one folder
ccmcheck.toml wins; a pyproject.toml without the table is ignored. Nothing is merged unless a configuration extends
another one, and nothing is guessed: an option, a rule or a severity that does not exist ends the run, with its line and
what was probably meant. See `ccmcheck.workspace.configurations` for the configurations of a run.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadConfiguration, InputError
from ccmcheck.base.escape import printable
from ccmcheck.base.open_input import read_input
from ccmcheck.workspace.config import ANY_NAME, NO_CONFIG, OWN_FILE, SHARED_FILE, Config, KnownNames

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccmcheck.workspace.base_revision import BaseRevision


def load(start: str | os.PathLike[str], known: KnownNames = ANY_NAME, *, base: BaseRevision | None = None) -> Config:
    """Find the nearest configuration, upward to the top of the git repository or of the file system, and read it.

    Args:
        start: A file or folder; what does not exist counts as a file.
        known: The names to check rules and formats against.
        base: A revision to look in instead of the work tree.

    Returns:
        The options; all defaults where no file is found.

    Raises:
        BadConfiguration: The file cannot be read, or says something that cannot be.
    """
    folder = os.path.abspath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        config = load_in(folder, lambda: known, base=base)
        if config is not None:
            return config
        above = os.path.dirname(folder)
        if is_top(folder):
            return NO_CONFIG
        folder = above


def load_in(folder: str, known: Callable[[], KnownNames], *, base: BaseRevision | None = None) -> Config | None:
    """Read the configuration of one folder; None where there is none.

    Args:
        folder: The folder, absolute.
        known: Gives the names, see `load`; asked where there is a configuration.
        base: See `load`.

    Raises:
        BadConfiguration: See `load`.
    """
    for name in (OWN_FILE, SHARED_FILE):
        path = os.path.join(folder, name)
        # a plain search spares most runs the TOML parser
        data = _bytes_of(path, base, must_be_ours=name == OWN_FILE)
        if data is not None and (name == OWN_FILE or b"ccmcheck" in data):
            from ccmcheck.workspace.config_file import ConfigSource, read

            config = read(path, data, ConfigSource(known(), partial(_bytes_of, base=base, must_be_ours=True)))
            if config is not None:
                return config
    return None


def is_top(folder: str) -> bool:
    """Whether no configuration above a folder holds for it."""
    return os.path.dirname(folder) == folder or os.path.exists(os.path.join(folder, ".git"))


def load_file(
    path: str | os.PathLike[str], known: KnownNames = ANY_NAME, *, base: BaseRevision | None = None
) -> Config:
    """Read one configuration that the user names.

    Args:
        path: A pyproject.toml, or a ccmcheck.toml under any name.
        known: See `load`.
        base: A revision to read the files in that it extends.

    Returns:
        The options.

    Raises:
        BadConfiguration: See `load`; or it is a pyproject.toml without the table.
    """
    from ccmcheck.workspace.config_file import ConfigSource, read

    try:
        data = read_input(os.path.abspath(path), pipe=True)
    except (OSError, InputError) as error:
        raise _unreadable(os.fspath(path), error) from None
    source = ConfigSource(known, partial(_bytes_of, base=base, must_be_ours=True))
    config = read(os.path.abspath(path), data, source)
    if config is None:
        raise BadConfiguration(f"{printable(os.fspath(path))} has no table [tool.ccmcheck].")
    return config


def _bytes_of(path: str, base: BaseRevision | None, *, must_be_ours: bool) -> bytes | None:
    """A file's bytes; None where there is none, and where another tool's file cannot be read."""
    if base is not None and base.covers(path):
        return base.read_configuration(path)
    if not os.path.isfile(path):
        return None
    try:
        return read_input(path)
    except (OSError, InputError) as error:
        if must_be_ours:
            raise _unreadable(path, error) from None
        return None


def _unreadable(path: str, error: OSError | InputError) -> BadConfiguration:
    reason = error.message if isinstance(error, InputError) else error.strerror
    return BadConfiguration(f"{printable(path)} cannot be read: {reason}.")
