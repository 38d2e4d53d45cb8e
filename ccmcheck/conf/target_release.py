"""Which releases a cloud.conf is judged by: those asked for, else the CCM's image in the run, else the newest."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.path_proximity import shared_folders
from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.catalog import Release


class TargetRelease(NamedTuple):
    """One release of one consumer to judge by, and why.

    Attributes:
        consumer: ``ccm``, or another reader of the same file.
        release: The release.
        source: ``--release``, ``the newest``, or ``from clusters/dev/ccm.yaml``.
    """

    consumer: str
    release: Release
    source: str


@cache
def _known(tag: str) -> Release | None:
    try:
        return catalog.release(tag)
    except WrongUse:
        return None


def target_releases(path: str, asked: Sequence[TargetRelease], pods: Sequence[CcmPod]) -> tuple[TargetRelease, ...]:
    """Choose the releases for one file.

    Of several CCMs in the tree the one nearest to the file counts: a repository often holds one folder a cluster.

    Args:
        path: The file.
        asked: What the user named; wins where there is any.
        pods: The CCM's workloads found in the same run.
    """
    if asked:
        return tuple(asked)
    known = [(pod, release) for pod in pods if pod.release and (release := _known(pod.release)) is not None]
    if not known:
        return (TargetRelease("ccm", catalog.newest(), "the newest"),)
    nearest = max(known, key=lambda pair: (shared_folders(path, pair[0].path), pair[1]))
    return (TargetRelease("ccm", nearest[1], f"from {nearest[0].path}"),)
