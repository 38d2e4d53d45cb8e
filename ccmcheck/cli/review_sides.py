"""From the arguments of ``review`` to its two sides: files, folders, revisions, releases."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.cli.cloud import surroundings
from ccmcheck.cli.input_files import standard_input
from ccmcheck.cli.options import STDIN
from ccmcheck.cli.resolve import one_release, target_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.predict.inputs.cloud import Cloud
    from ccmcheck.predict.inputs.manifests import Gathered
    from ccmcheck.review.change.inputs import Side
    from ccmcheck.workspace.gathering import Looked

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
    def releases(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def old(self) -> str | None: ...  # noqa: D102
    @property
    def new(self) -> str | None: ...  # noqa: D102


def sides(arguments: SidesArguments, inputs: Inputs) -> tuple[Side, Side]:
    """Read both sides.

    Args:
        arguments: The options.
        inputs: How and which files are read.

    Raises:
        InputError: A file that the user named is not there, cannot be read, or holds nothing to compare.
        WrongUse: Two sides are not named, or git knows no such revision.
    """
    asked = _asked(arguments, inputs)
    read = _paths if arguments.revisions is None else _revisions
    named = read(arguments, inputs)
    stable = _stable(arguments, inputs)
    has_config = any(looked.for_ccm for _, looked in named)
    for _, looked in named:
        looked.objects.extend(stable.objects)
        looked.pods.extend(stable.pods)
        if not has_config:  # else the cloud.conf that changes counts, not one that lies beside the Services
            looked.carried.extend(stable.carried)
    (old, before), (new, after) = named
    return _side(old, before, arguments, asked[0], after), _side(new, after, arguments, asked[1], before)


def _paths(arguments: SidesArguments, inputs: Inputs) -> list[tuple[str, Looked]]:
    """BASE and HEAD; one of them may be standard input."""
    from ccmcheck.base.result import Failure
    from ccmcheck.review.change import trees

    if len(arguments.paths) != 2 or arguments.paths == (STDIN, STDIN):
        raise WrongUse(
            "review compares two files or folders, or two revisions",
            "Write ccmcheck review BASE HEAD, or ccmcheck review --git main..HEAD [PATH].",
        )
    found = []
    for path in arguments.paths:
        if path != STDIN:
            found.append((path, trees.look_at(path, inputs.find, inputs.discover)))
            continue
        data = standard_input(inputs)
        name = inputs.stdin_name
        if isinstance(data, Failure):
            raise InputError(f"{name}: {data.message}", data.hint)
        found.append((name, trees.look_at_text(name, data, inputs.find)))
    return found


def _revisions(arguments: SidesArguments, inputs: Inputs) -> list[tuple[str, Looked]]:
    """Two revisions, or one and the work tree."""
    from ccmcheck.review.change.trees import Repository

    repository = Repository(inputs.find, inputs.discover)
    old, new = repository.ends(arguments.revisions or "")
    before, met = repository.look_at(old, arguments.paths)
    after, met_too = (
        repository.look_at_work_tree(arguments.paths) if new is None else repository.look_at(new, arguments.paths)
    )
    for path in arguments.paths:
        if os.path.normpath(path) not in met | met_too:
            raise InputError(f"there is no {path} in {old} or in {new or WORK_TREE}")
    return [(old, before), (new or WORK_TREE, after)]


def _stable(arguments: SidesArguments, inputs: Inputs) -> Looked:
    """What --services names: the same on both sides."""
    from ccmcheck.workspace import gathering

    found = gathering.Looked([], [], [], [])
    gathering.look(arguments.service_paths, inputs.find, inputs.discover, found)
    if found.failures:
        raise InputError(f"{found.failures[0].path}: {found.failures[0].message}", found.failures[0].hint)
    if arguments.service_paths and not (found.objects or found.carried):
        raise InputError(f"there is no Service in {', '.join(arguments.service_paths)}")
    return found


def _asked(arguments: SidesArguments, inputs: Inputs) -> tuple[tuple[TargetRelease, ...], tuple[TargetRelease, ...]]:
    """The releases that options or the configuration name, before and after."""
    both = one_release(arguments.releases)
    if both is not None and (arguments.old is not None or arguments.new is not None):
        raise WrongUse("--release is both releases; leave out --from and --to.")
    configured = inputs.config.release if arguments.old is None and arguments.new is None else ()
    targets = []
    for flag, name in (("--from", arguments.old), ("--to", arguments.new)):
        named = target_releases([name or both or ""] if name or both else [], None, configured)
        targets.append(tuple(target._replace(source=flag) for target in named) if name else named)
    return targets[0], targets[1]


def _side(
    name: str, looked: Looked, arguments: SidesArguments, asked: tuple[TargetRelease, ...], other: Looked
) -> Side:
    from ccmcheck.review.change.inputs import side_of

    def around(objects: Sequence[Object], pods: Sequence[CcmPod]) -> tuple[Gathered, Cloud]:
        return surroundings(arguments.cloud, objects, pods)

    return side_of(name, looked, asked, around, other)
