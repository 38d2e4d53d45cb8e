"""The options by which live clusters are judged, for `cluster lint`, `fix`, `report` and `fleet`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ccmcheck.cli import options
from ccmcheck.cli.command import as_record

JUDGE_BY = "Judge by this profile; repeatable."


def judging_options(cluster: str = "the", profile: str = JUDGE_BY) -> tuple[Callable[..., Any], ...]:
    """The release, the program, the facts of the cluster and the profiles.

    Args:
        cluster: Of which cluster the defaults are, for ``--help``: ``the`` one, or ``each``.
        profile: What profiles are used for.
    """
    return (
        options.release_option(f"the release of {cluster} CCM's image, else release in ccmcheck.toml"),
        options.CONSUMER,
        options.KUBERNETES_VERSION,
        options.OCTAVIA_RELEASE,
        options.nodes_option(f"the Nodes of {cluster} cluster"),
        options.profile_option(profile),
    )


def _inputs(config_file: str | None, *, no_config: bool) -> options.InputArguments:
    # nothing renders what an API server holds
    return options.InputArguments(config_file=config_file, no_config=no_config, is_template=False)


live_input_options = as_record(
    "inputs", _inputs, options.CONFIG, options.NO_CONFIG, fields=("config_file", "no_config")
)
"""Gives the command ``inputs``, an `InputArguments`: ccmcheck's own configuration, as there are no files."""
