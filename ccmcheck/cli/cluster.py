"""``ccmcheck cluster``: the commands about a running cluster, each loaded when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from ccmcheck.cli.command import write_examples

COMMANDS = {
    "lint": "Report what is wrong with the CCM of a running cluster, and where.",
    "rbac": "Print the roles that cluster lint needs.",
}
"""Each command's line in ``--help``; its code is the module ``cluster_NAME``."""


EXAMPLES = (
    ("ccmcheck cluster lint --context prod", "Lint a cluster of the kubeconfig"),
    ("ccmcheck cluster rbac | kubectl apply -f -", "Create a service account that may"),
)


class ClusterCommands(click.Group):
    """A group that imports a command's module only when that command is called."""

    examples = EXAMPLES

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of ``COMMANDS``."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load one; None where there is no command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ccmcheck.cli.cluster_{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """From the one-liners, so that ``--help`` loads no command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        write_examples(self.examples, formatter)


@click.group("cluster", cls=ClusterCommands, short_help="Check the CCM of a running cluster.")
def command() -> None:
    """Check the CCM of a running cluster: its cloud.conf, its flags, and the Services it makes load balancers for.

    Needs the kubernetes client: pip install 'ccmcheck[cluster]'. Nothing but GET is sent to the API server.
    """
