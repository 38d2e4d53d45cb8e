"""From the arguments of ``review`` to its two sides: files, folders, revisions, releases."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.cloud import cluster_of
from ccmcheck.cli.input_files import standard_input
from ccmcheck.cli.options import STDIN, Given
from ccmcheck.cli.resolve import CommandInputs, one_release, target_releases

if TYPE_CHECKING:
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.review.change.inputs import Side
    from ccmcheck.workspace.survey import Survey

    _Targets: TypeAlias = tuple[tuple[TargetRelease, ...], tuple[TargetRelease, ...]]

WORK_TREE = "the work tree"


def sides(arguments: Given, inputs: CommandInputs) -> tuple[Side, Side]:
    """Read both sides.

    Args:
        arguments: The options.
        inputs: How and which files are read.

    Raises:
        InputError: A file that the user named is not there, cannot be read, or holds nothing to compare.
        WrongUse: Two sides are not named, or git knows no such revision.
    """
    from ccmcheck.review.change.inputs import settle_readers, side_of
    from ccmcheck.workspace.deployment.build import candidates_of_all

    asked = _asked(arguments, inputs)
    named = _paths(arguments, inputs) if arguments.revisions is None else _revisions(arguments, inputs, asked)
    (_, before), (_, after) = named
    stable = _stable(arguments, inputs)
    for survey in (before, after):
        survey.objects.extend(stable.objects)
        survey.workloads.extend(stable.workloads)
    if not any(asked):
        stable.settle_readers(lambda _, __: True)
        if arguments.revisions is None:  # else that is done
            settle_readers(before, after)
    if not (before.ccm_confs or after.ccm_confs):
        # else the cloud.conf that changes counts, not one that lies beside the Services
        for survey in (before, after):
            survey.confs.extend(stable.confs)
    chosen = candidates_of_all((before, after), arguments.deployments)
    around = partial(cluster_of, arguments.cloud)
    old, new = (
        side_of(name, survey, judged, around, mine)
        for (name, survey), judged, mine in zip(named, asked, chosen, strict=True)
    )
    return old, new


def _paths(arguments: Given, inputs: CommandInputs) -> list[tuple[str, Survey]]:
    """BASE and HEAD; one of them may be standard input."""
    from ccmcheck.base.result import Failure
    from ccmcheck.workspace.gathering import survey_path, survey_text, survey_texts

    if inputs.texts:
        named = zip(("before", "after"), inputs.texts, strict=True)
        return [(name, survey_texts(texts, inputs.find_of)) for name, texts in named]
    if len(arguments.paths) != 2 or arguments.paths == (STDIN, STDIN):
        raise WrongUse(
            "review compares two files or folders, or two revisions",
            "Write ccmcheck review BASE HEAD, or ccmcheck review --git main..HEAD [PATH].",
        )
    found = []
    for path in arguments.paths:
        if path != STDIN:
            if not os.path.lexists(path):
                revisions = "..".join(arguments.paths)
                hint = f"Revisions are compared with `ccmcheck review --git {revisions}`."
                raise InputError(f"{path}: there is no such file or folder", hint)
            found.append((path, survey_path(path, inputs.find, inputs.discover)))
            continue
        data = standard_input(inputs)
        name = inputs.stdin_name
        if isinstance(data, Failure):
            raise InputError(f"{name}: {data.message}", data.hint)
        found.append((name, survey_text(name, data, inputs.find)))
    return found


def _revisions(arguments: Given, inputs: CommandInputs, asked: _Targets) -> list[tuple[str, Survey]]:
    """Two revisions, or one and the work tree."""
    from ccmcheck.review.change.inputs import settle_readers
    from ccmcheck.workspace.revisions import Repository

    paths = arguments.paths
    with Repository(inputs.find, inputs.discover) as repository:
        old, new = repository.ends(arguments.revisions or "")
        before, there_before = repository.survey(old, paths)
        after, there_after = repository.survey_work_tree(paths) if new is None else repository.survey(new, paths)
        # while the repository can be read:
        if not any(asked):
            settle_readers(before, after)
        if not all(asked):
            for survey in (before, after):
                survey.find_releases()
    for path in paths:
        if os.path.normpath(path) not in there_before | there_after:
            raise InputError(f"there is no {path} in {old} or in {new or WORK_TREE}")
    return [(old, before), (new or WORK_TREE, after)]


def _stable(arguments: Given, inputs: CommandInputs) -> Survey:
    """What --services names: the same on both sides."""
    from ccmcheck.workspace.gathering import survey_files

    survey = survey_files(arguments.service_paths, inputs.find, inputs.discover)
    if survey.failures:
        raise InputError(f"{survey.failures[0].path}: {survey.failures[0].message}", survey.failures[0].hint)
    if arguments.service_paths and not (survey.objects or survey.confs):
        raise InputError(f"there is no Service in {', '.join(arguments.service_paths)}")
    return survey


def _asked(arguments: Given, inputs: CommandInputs) -> _Targets:
    """The releases that options or the configuration name, before and after."""
    both = one_release(arguments.releases)
    if both is not None and (arguments.old is not None or arguments.new is not None):
        raise WrongUse("--release is both releases; leave out --from and --to.")
    configured = inputs.shared.release if arguments.old is None and arguments.new is None else ()
    targets = []
    for flag, name in (("--from", arguments.old), ("--to", arguments.new)):
        named = target_releases([name or both or ""] if name or both else [], None, configured)
        targets.append(tuple(target._replace(source=flag) for target in named) if name else named)
    return targets[0], targets[1]
