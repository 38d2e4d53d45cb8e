"""The options by which live clusters are judged, for `cluster lint`, `fix`, `report` and `fleet`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccmcheck.cli.command import as_record
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


def _inputs(config_file: str | None, *, no_config: bool) -> Given:
    # nothing renders what an API server holds
    return Given(config_file=config_file, no_config=no_config, is_template=False)


live_input_options = as_record(
    "inputs", _inputs, Given.config_file, Given.no_config, fields=("config_file", "no_config")
)
"""Gives the command ``inputs``, a `Given`: ccmcheck's own configuration, as there are no files."""
