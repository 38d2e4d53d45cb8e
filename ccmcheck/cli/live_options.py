"""The options by which live clusters are judged, for `cluster lint`, `fix`, `report` and `fleet`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccmcheck.cli.options import Given

JUDGE_BY = "Judge by this profile; repeatable."


def judging_options(cluster: str = "the", profile: str = JUDGE_BY) -> tuple[Callable[..., Any], ...]:
    """The release, the program, the facts of the cluster and the profiles.

    Args:
        cluster: Of which cluster the defaults are, for ``--help``: ``the`` one, or ``each``.
        profile: What profiles are used for.
    """
    return (
        Given.releases.saying(f"the release of {cluster} CCM's image, else release in ccmcheck.toml"),
        Given.consumer,
        Given.kubernetes_version,
        Given.octavia_release,
        Given.nodes.saying(f"the Nodes of {cluster} cluster"),
        Given.profiles.saying(profile),
    )
