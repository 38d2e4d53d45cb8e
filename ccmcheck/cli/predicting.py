"""From the arguments of ``predict`` to what is predicted: files, cloud.confs, releases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.options import STDIN
from ccmcheck.workspace.survey import Survey, SurveyedConf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.conf.target_release import TargetRelease


def look(paths: Sequence[str], options: FindOptions, stdin_filename: str | None, max_size: int) -> Survey:
    """Read all files.

    Args:
        paths: Files, folders, patterns, ``-``.
        options: How they are searched.
        stdin_filename: What to call standard input.
        max_size: Bytes above which a file is not read.
    """
    from ccmcheck.workspace.survey import StandardInput, survey_files

    data = sys.stdin.buffer.read(max_size + 1) if STDIN in paths else b""
    return survey_files(paths, options, max_size, StandardInput(stdin_filename or "<stdin>", data))


def configs(path: str | None, survey: Survey, options: FindOptions, max_size: int) -> list[SurveyedConf]:
    """The cloud.confs to predict by: the one that is named, else those among the files, else the defaults.

    Args:
        path: ``--config``.
        survey: What the files hold.
        options: How the named file is searched.
        max_size: Bytes above which it is not read.

    Raises:
        InputError: The named file cannot be read, or holds no cloud.conf.
        WrongUse: There are several, and none is named.
    """
    if path is not None:
        return [_named(path, options, max_size)]
    found = survey.ccm_confs
    if len(found) > 1:
        raise WrongUse(
            f"there are {len(found)} cloud.confs among the files, the first in {found[0].title} and {found[1].title}",
            "Name one with --config FILE.",
        )
    return found or [SurveyedConf("", "", None)]


def _named(path: str, options: FindOptions, max_size: int) -> SurveyedConf:
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
    return SurveyedConf(name, f"{name} › {mine[0].route}" if mine[0].route else name, mine[0])


def releases(config: SurveyedConf, asked: Sequence[str], pods: Sequence[CcmPod]) -> tuple[TargetRelease, ...]:
    """The releases to predict by: those asked for, else the CCM's image among the files, else the newest."""
    from ccmcheck.cli.options import judged
    from ccmcheck.conf.target_release import target_releases

    return target_releases(config.path, judged(asked, None), pods)
