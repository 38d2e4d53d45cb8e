"""What ``read`` and ``show`` share: one file or standard input, its cloud.confs, and who reads them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.options import STDIN, judged, variables
from ccmcheck.conf.target_release import TargetRelease

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.carriers.base import Carried


def load(
    path: str, values: Sequence[str], env_files: Sequence[str], stdin_filename: str | None
) -> tuple[str, list[Carried], list[Failure]]:
    """Read a file and find its cloud.confs.

    Returns:
        The name to show, the cloud.confs, and what could not be read.

    Raises:
        InputError: It cannot be read, or holds none.
    """
    from ccmcheck.base.result import Failure
    from ccmcheck.carriers import FindOptions
    from ccmcheck.conf.read_report import cloud_confs
    from ccmcheck.workspace import discover

    options = FindOptions(variables=variables(values, env_files, {}))
    if path == STDIN:
        name = stdin_filename or "<stdin>"
        entered = sys.stdin.buffer.read(discover.DEFAULT_MAX_SIZE + 1)
        data: bytes | Failure | None = discover.within(name, entered)
    else:
        name = path
        data = discover.read(discover.Target(path, explicit=True))
    if isinstance(data, Failure):
        raise InputError(f"{name}: {data.message}", data.hint)
    carried, broken = cloud_confs(name, data or b"", options)
    if not carried:
        if broken:
            raise InputError(f"{broken[0].place}: {broken[0].message}", broken[0].hint)
        raise InputError(
            f"there is no cloud.conf in {name}",
            "It has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
        )
    return name, carried, broken


def readers(reader: str | None, releases: Sequence[str], consumer: str | None) -> tuple[TargetRelease, ...]:
    """Who reads: ``--reader ccm@release-1.31``, or ``--release`` and ``--consumer``, or the newest CCM."""
    from ccmcheck import catalog

    if reader is not None:
        if releases or consumer:
            raise WrongUse("--reader names consumer and release at once; leave out --release and --consumer.")
        name, release = catalog.reader(reader)
        return (TargetRelease(name, release, "--reader"),)
    return judged(releases, consumer) or (TargetRelease("ccm", catalog.newest(), "the newest"),)
