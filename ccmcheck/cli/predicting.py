"""From the arguments of ``predict`` to what is predicted: files, cloud.confs, releases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.options import STDIN
from ccmcheck.workspace.gathering import Config, Looked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.conf.target_release import TargetRelease


def look(paths: Sequence[str], options: FindOptions, stdin_filename: str | None, max_size: int) -> Looked:
    """Read all files.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: How they are searched.
        stdin_filename: What to call standard input.
        max_size: Bytes above which a file is not read.
    """
    from ccmcheck.base.result import Failure
    from ccmcheck.workspace import discover, gathering

    found = Looked([], [], [], [])
    if STDIN in paths:
        name = stdin_filename or "<stdin>"
        data = discover.within(name, sys.stdin.buffer.read(max_size + 1), max_size)
        if isinstance(data, Failure):
            found.failures.append(data)
        else:
            found.take(name, data, options._replace(explicit=True))
    gathering.look([path for path in paths if path != STDIN], options, max_size, found)
    return found


def configs(path: str | None, looked: Looked, options: FindOptions, max_size: int) -> list[Config]:
    """The cloud.confs to predict by: the one that is named, else those among the files, else the defaults.

    Args:
        path: ``--config``.
        looked: What the files hold.
        options: How the named file is searched.
        max_size: Bytes above which it is not read.

    Raises:
        InputError: The named file cannot be read, or holds no cloud.conf.
        WrongUse: There are several, and none is named.
    """
    if path is not None:
        return [_named(path, options, max_size)]
    found = looked.for_ccm
    if len(found) > 1:
        raise WrongUse(
            f"there are {len(found)} cloud.confs among the files, the first in {found[0].title} and {found[1].title}",
            "Name one with --config FILE.",
        )
    return found or [Config("", "", None)]


def _named(path: str, options: FindOptions, max_size: int) -> Config:
    from ccmcheck.base.result import Failure
    from ccmcheck.conf.read_report import cloud_confs
    from ccmcheck.workspace import discover

    data: bytes | Failure | None
    if path == STDIN:
        name = "<stdin>"
        data = discover.within(name, sys.stdin.buffer.read(max_size + 1), max_size)
    else:
        name = path
        data = discover.read(discover.Target(path, explicit=True), max_size)
    if isinstance(data, Failure):
        raise InputError(f"{name}: {data.message}", data.hint)
    carried, _ = cloud_confs(name, data or b"", options)
    mine = [one for one in carried if not one.consumers or "ccm" in one.consumers]
    if not mine:
        raise InputError(
            f"there is no cloud.conf in {name}",
            "It has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )
    return Config(name, f"{name} › {mine[0].route}" if mine[0].route else name, mine[0])


def releases(config: Config, asked: Sequence[str], pods: Sequence[CcmPod]) -> tuple[TargetRelease, ...]:
    """The releases to predict by: those asked for, else the CCM's image among the files, else the newest."""
    from ccmcheck.cli.options import judged
    from ccmcheck.conf.target_release import target_releases

    return target_releases(config.path, judged(asked, None), pods)
