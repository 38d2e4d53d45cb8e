"""From the arguments of ``review`` to its two sides: files, folders, revisions, releases."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Protocol

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.cloud_options import CloudArguments, cluster_of
from ccmcheck.cli.options import STDIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.review.change.inputs import Side
    from ccmcheck.workspace.survey import Survey

WORK_TREE = "the work tree"


class SidesArguments(Protocol):
    """What names the two sides; see the options of ``review``."""

    @property
    def cloud(self) -> CloudArguments: ...  # noqa: D102 - named as the options are
    @property
    def paths(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def revisions(self) -> str | None: ...  # noqa: D102
    @property
    def service_paths(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def release(self) -> str | None: ...  # noqa: D102
    @property
    def base_release(self) -> str | None: ...  # noqa: D102
    @property
    def head_release(self) -> str | None: ...  # noqa: D102


def sides(given: SidesArguments, options: FindOptions, max_size: int) -> tuple[Side, Side]:
    """Read both sides.

    Args:
        given: What was typed.
        options: How files are searched.
        max_size: Bytes above which a file is not read.

    Raises:
        InputError: A file that the user named is not there, cannot be read, or holds nothing to compare.
        WrongUse: Two sides are not named, or git knows no such revision.
    """
    asked = _asked(given)
    read = _paths if given.revisions is None else _revisions
    named = read(given, options, max_size)
    stable = _stable(given, options, max_size)
    has_config = any(survey.ccm_confs for _, survey in named)
    for _, survey in named:
        survey.objects.extend(stable.objects)
        survey.workloads.extend(stable.workloads)
        if not has_config:  # else the cloud.conf that changes counts, not one that lies beside the Services
            survey.confs.extend(stable.confs)
    (old, before), (new, after) = named
    return _side(old, before, given, asked[0], after), _side(new, after, given, asked[1], before)


def _paths(given: SidesArguments, options: FindOptions, max_size: int) -> list[tuple[str, Survey]]:
    """BASE and HEAD; one of them may be standard input."""
    from ccmcheck.base.result import Failure
    from ccmcheck.workspace import discover
    from ccmcheck.workspace.survey import survey_path, survey_text

    if len(given.paths) != 2 or given.paths == (STDIN, STDIN):
        raise WrongUse(
            "review compares two files or folders, or two revisions",
            "Write ccmcheck review BASE HEAD, or ccmcheck review --git main..HEAD [PATH].",
        )
    found = []
    for path in given.paths:
        if path != STDIN:
            found.append((path, survey_path(path, options, max_size)))
            continue
        data = discover.within("<stdin>", sys.stdin.buffer.read(max_size + 1), max_size)
        if isinstance(data, Failure):
            raise InputError(f"<stdin>: {data.message}", data.hint)
        found.append(("<stdin>", survey_text("<stdin>", data, options)))
    return found


def _revisions(given: SidesArguments, options: FindOptions, max_size: int) -> list[tuple[str, Survey]]:
    """Two revisions, or one and the work tree."""
    from ccmcheck.workspace.revisions import Repository

    with Repository(options, max_size) as repository:
        old, new = repository.ends(given.revisions or "")
        before, existing = repository.survey(old, given.paths)
        after, also = repository.survey_work_tree(given.paths) if new is None else repository.survey(new, given.paths)
    for path in given.paths:
        if os.path.normpath(path) not in existing | also:
            raise InputError(f"there is no {path} in {old} or in {new or WORK_TREE}")
    return [(old, before), (new or WORK_TREE, after)]


def _stable(given: SidesArguments, options: FindOptions, max_size: int) -> Survey:
    """What --services names: the same on both sides."""
    from ccmcheck.workspace.survey import survey_files

    found = survey_files(given.service_paths, options, max_size)
    if found.failures:
        raise InputError(f"{found.failures[0].path}: {found.failures[0].message}", found.failures[0].hint)
    if given.service_paths and not (found.objects or found.confs):
        raise InputError(f"there is no Service in {', '.join(given.service_paths)}")
    return found


def _asked(given: SidesArguments) -> tuple[tuple[TargetRelease, ...], tuple[TargetRelease, ...]]:
    """The releases that are asked for, before and after."""
    from ccmcheck.cli.options import judged

    if given.release is not None and (given.base_release is not None or given.head_release is not None):
        raise WrongUse("--release is both releases; leave out --base-release and --head-release.")
    found = []
    for option, name in (("--base-release", given.base_release), ("--head-release", given.head_release)):
        asked = judged([name or given.release or ""] if name or given.release else [], None)
        found.append(tuple(one._replace(source=option) for one in asked) if name else asked)
    return found[0], found[1]


def _side(name: str, survey: Survey, given: SidesArguments, asked: tuple[TargetRelease, ...], other: Survey) -> Side:
    from ccmcheck.review.change.inputs import side_of

    def around(objects: Sequence[KubernetesObject], pods: Sequence[CcmPod]) -> tuple[Manifests, CloudState]:
        return cluster_of(given.cloud, objects, pods)

    return side_of(name, survey, asked, around, other)
