"""Where results are kept between runs: ``--cache-dir``, ``--no-cache``, ``--clear-cache``."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.base.boundary import is_within, work_tree
from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.cli.options import Given
    from ccmcheck.lint.kept_results import KeptResults

_OFF = ("", "0", "false")


def kept_results(given: Given, paths: Sequence[str]) -> Callable[[], KeptResults | None] | None:
    """Opens what earlier runs kept; None where nothing is.

    In a CI system nothing is, unless an option names the folder: a branch could fill it there. Nor is it where only
    what changed is linted, which is little.

    Args:
        given: What the command line says.
        paths: What is linted.

    Raises:
        WrongUse: The folder of an option cannot be used.
    """
    named = given.cache_dir
    if given.clear_cache and (kept := _opened(given, paths)) is not None:
        kept.clear()
    if given.no_cache or given.diff_base or (named is None and os.environ.get("CI", "").lower() not in _OFF):
        return None
    if named is not None:
        _opened(given, paths)  # what is wrong with it is said before a file is read
    return cache(lambda: _opened(given, paths))


def _opened(given: Given, paths: Sequence[str]) -> KeptResults | None:
    """What is kept; None where the user's own cache folder cannot be used."""
    named = given.cache_dir
    folder = os.path.abspath(named or _default())
    try:
        from ccmcheck.base.cache_folder import CacheFolder
        from ccmcheck.lint.kept_results import KeptResults

        if any(is_within(os.path.realpath(folder), top) for top in _checkouts(paths)):
            raise PermissionError("it lies in the checkout")
        return KeptResults(CacheFolder(folder, is_named=named is not None), paths)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        if named is None:
            if given.verbose:
                console.warn(f"{folder} cannot be used, so no result is kept between runs: {why}")
            return None
        raise WrongUse(f"--cache-dir {named} cannot be used: {why}", "Leave it out, or write --no-cache.") from None


def _default() -> str:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(named if os.path.isabs(named) else os.path.expanduser("~/.cache"), "ccmcheck")


def _checkouts(paths: Sequence[str]) -> Iterator[str]:
    """The repositories, or else folders, that are linted."""
    folders = {path if os.path.isdir(path) else os.path.dirname(path) for path in (os.curdir, *paths)}
    for folder in {os.path.realpath(one) for one in folders}:
        yield work_tree(folder) or folder
