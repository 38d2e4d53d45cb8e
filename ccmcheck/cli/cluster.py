"""``ccmcheck cluster``: the commands about a running cluster, each loaded when it is called."""

from __future__ import annotations

import click

from ccmcheck.cli.command import write_examples
from ccmcheck.cli.command_group import CommandGroup

COMMANDS = {
    "preflight": "Ask OpenStack, before anything is deployed, for all that the CCM will need.",
    "lint": "Report what is wrong with the CCM of a running cluster, and where.",
    "diff": "Compare a checkout with a running cluster.",
    "fix": "Show or write the change of live objects that corrects what lint reports.",
    "resync": "Show or trigger the sync of Services whose load balancers differ.",
    "orphans": "List load balancers, floating IPs and security groups without a Service.",
    "conformance": "Try load balancers: creates some, and removes them.",
    "report": "Print or write the findings as Report objects of openreports.io.",
    "fleet": "Check the CCMs of many clusters, in one table.",
    "merge": "Join the results of the shards of a fleet.",
    "rbac": "Print the roles that a command needs.",
}
"""Each command's line in ``--help``; its code is the module ``cluster_NAME``."""


EXAMPLES = (
    ("ccmcheck cluster lint --context prod", "Lint a cluster of the kubeconfig"),
    ("ccmcheck cluster diff --context prod clusters/prod", "Compare a folder of git with it"),
    ("ccmcheck cluster fix", "See what would change in its objects"),
    ("ccmcheck cluster rbac | kubectl apply -f -", "Create a service account that may"),
)


class ClusterCommands(CommandGroup):
    """The commands about a running cluster."""

    called = "ccmcheck cluster"
    sections = {"Commands": COMMANDS}  # noqa: RUF012 - never changed
    modules = "ccmcheck.cli.cluster_"
    examples = EXAMPLES

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, then the examples."""
        super().format_commands(ctx, formatter)
        write_examples(self.examples, formatter)


@click.group("cluster", cls=ClusterCommands, short_help="Check the CCM of a running cluster.")
def command() -> None:
    """Check the CCM of a running cluster: its cloud.conf, its flags, and the Services it makes load balancers for.

    Needs the kubernetes client: pip install '.[cluster]'. Nothing but GET is sent to the API server, except by
    fix --write, resync --write and conformance, after a confirmation, and by report --write.
    """
