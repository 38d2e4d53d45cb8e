"""``ccmcheck cluster``: the commands about a running cluster, each loaded when it is called."""

from __future__ import annotations

import click

from ccmcheck.base.data_files import read_table
from ccmcheck.cli.command import write_examples
from ccmcheck.cli.command_group import CommandGroup

COMMANDS: dict[str, str] = dict(read_table(__file__, "cluster_commands.tsv"))
"""Each command's line in ``--help``; its code is the module ``cluster_NAME``."""


class ClusterCommands(CommandGroup):
    """The commands about a running cluster."""

    called = "ccmcheck cluster"
    sections = {"Commands": COMMANDS}  # noqa: RUF012 - never changed
    modules = "ccmcheck.cli.cluster_"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, then the examples."""
        super().format_commands(ctx, formatter)
        write_examples("cluster", formatter)


@click.group("cluster", cls=ClusterCommands, short_help="Check the CCM of a running cluster.")
def command() -> None:
    """Check the CCM of a running cluster: its cloud.conf, its flags, and the Services it makes load balancers for.

    Needs the kubernetes client: pip install '.[cluster]'. Nothing but GET is sent to the API server, except by
    fix --write, resync --write and conformance, after a confirmation, and by report --write.
    """
