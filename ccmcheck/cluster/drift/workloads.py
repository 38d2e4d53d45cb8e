"""The CCM's workload of a checkout beside the live one: its release and its flags."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import Opaque, carriers, ccm_flags, masking
from ccmcheck.cluster.drift.records import DriftedValue, FieldChange, last_change
from ccmcheck.cluster.live.arguments import CommandLine, command_line

IMAGE = "image"
_ARGUMENTS = ("args", "command")


def compare(git: object, live: Document) -> tuple[tuple[DriftedValue, ...], tuple[str, ...]]:
    """Compare two workloads of the CCM.

    Args:
        git: The checkout's as plain data; texts with a template mark as `Opaque`.
        live: The cluster's.

    Returns:
        What differs, and what is known only after rendering.
    """
    ours, theirs = command_line(git), command_line(live)
    if ours is None or theirs is None:
        return (), ()
    differences = (*_images(ours, theirs, live), *_flags(ours, theirs, live))
    unknown = [IMAGE] if isinstance(ours.image, Opaque) else []
    unknown += [f"--{name}" for name in sorted(ours.unknown)]
    return differences, (*unknown, *(() if ours.is_whole else ("further flags",)))


def compare_chart(git: carriers.CcmPod, live: Document) -> tuple[DriftedValue, ...]:
    """Compare a chart, whose values say little of the flags, with a live workload.

    Args:
        git: The checkout's chart.
        live: The cluster's workload.
    """
    theirs = command_line(live)
    if theirs is None:
        return ()
    found = []
    if git.release and theirs.release and git.release != theirs.release:
        found.append(DriftedValue(IMAGE, git.release, theirs.release, changed=_last(live, theirs, IMAGE)))
    name = "cluster-name"
    if (
        git.cluster_name
        and name not in theirs.unknown
        and git.cluster_name != ccm_flags.shown(name, theirs.flags.get(name))
    ):
        found.append(_flag(name, git.cluster_name, theirs, live))
    return tuple(found)


def _images(ours: CommandLine, theirs: CommandLine, live: Document) -> Iterator[DriftedValue]:
    if isinstance(ours.image, Opaque):
        return
    if ours.release and theirs.release:
        if ours.release == theirs.release:
            return  # from another registry it is the same program
        values = ours.release, theirs.release
    elif ours.image != theirs.image:
        values = masking.mask_value(ours.image), masking.mask_value(theirs.image)
    else:
        return
    yield DriftedValue(IMAGE, *values, changed=_last(live, theirs, IMAGE))


def _flags(ours: CommandLine, theirs: CommandLine, live: Document) -> Iterator[DriftedValue]:
    for name in {**ours.flags, **theirs.flags}:
        if name in ours.unknown or name in theirs.unknown or (name not in ours.flags and not ours.is_whole):
            continue
        if ccm_flags.effective(name, ours.flags.get(name)) != ccm_flags.effective(name, theirs.flags.get(name)):
            yield _flag(name, ours.flags.get(name), theirs, live)


def _flag(name: str, ours: str | None, theirs: CommandLine, live: Document) -> DriftedValue:
    given = theirs.flags.get(name)
    hidden = masking.is_secret_name(name)
    values = (
        ("", "")
        if hidden
        else (masking.mask_value(ccm_flags.shown(name, ours)), masking.mask_value(ccm_flags.shown(name, given)))
    )
    return DriftedValue(
        f"--{name}",
        *values,
        in_git=ours is not None,
        in_cluster=given is not None,
        is_secret=hidden,
        changed=_last(live, theirs, _field_of(live, theirs)),
    )


def _field_of(live: Document, theirs: CommandLine) -> str:
    """The field of the container that has the flags."""
    return next((field for field in _ARGUMENTS if last_change(live, *_path(live, theirs, field))), _ARGUMENTS[0])


def _last(live: Document, theirs: CommandLine, field: str) -> FieldChange | None:
    return last_change(live, *_path(live, theirs, field))


def _path(live: Document, theirs: CommandLine, field: str) -> tuple[str, ...]:
    """A field of the CCM's container as `managedFields` names it."""
    import json

    pod = ("spec",) if live.get("kind") == "Pod" else ("spec", "template", "spec")
    return (*pod, "containers", "k:" + json.dumps({"name": theirs.container}, separators=(",", ":")), field)
