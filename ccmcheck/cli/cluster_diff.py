"""``ccmcheck cluster diff``: what a checkout holds beside what runs."""

from __future__ import annotations

from typing import Any

import click

from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.cluster_access import NAMESPACE, access_options, read_snapshot
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import GROUPS, Given, output_options
from ccmcheck.cli.output import resolve_outputs, written_as
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cluster.access.kubeconfig import Access

FOUND, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")


@click.command(
    "diff",
    cls=Command,
    short_help="Compare a checkout with a running cluster.",
    examples=(
        ("ccmcheck cluster diff clusters/prod", "The cluster of the current context"),
        ("ccmcheck cluster diff --context prod --format markdown clusters/prod", "As a comment"),
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=complete_files)
@access_options
@options(NAMESPACE)
@Given.taking("octavia_release ovn_octavia_release kubernetes_version cluster_name")
@options(Given.nodes.saying("the Nodes of the cluster"))
@Given.taking(f"topology monitor_quota monitors_used profiles {GROUPS['INPUTS']} quiet verbose")
@output_options(FORMATS)
def command(access: Access, namespaces: tuple[str, ...], **values: Any) -> int:  # noqa: ANN401 - click's
    """Compare what a checkout holds with what runs: the cloud.conf, the CCM's release and flags, the Services.

    Compared is what the CCM uses, not the text: order, spelling and defaults that are written out make no difference.
    Reports what differs, who changed it last, which text the CCM uses, and what applying the checkout changes at
    Octavia. Secrets are never shown. Nothing is changed; nothing but GET is sent.

    Exit code: 0 no drift, 1 drift, 2 wrong use, 3 something could not be read, so that the result is partial,
    or nothing could be compared.
    """
    from ccmcheck.cluster.drift import report
    from ccmcheck.cluster.drift.compare import compare, refuse_empty
    from ccmcheck.workspace.gathering import survey_files

    given = Given(**values)
    resolved = resolve_inputs(given, given.paths)
    written_to = resolve_outputs(given, FORMATS, configured_color=resolved.run.color)
    cloud = resolve_cloud(given.cloud, resolved.shared)
    git = survey_files(given.paths, resolved.find_of, resolved.discover)
    refuse_empty(given.paths, git)
    drift = compare(given.paths, git, read_snapshot(access, namespaces, keep=True), cloud.merged)
    options = {"verbose": given.verbose, "quiet": given.quiet}
    written_to.write_painted(lambda form: written_as(form, report, drift, **options))
    for failure in drift.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if drift.failures or not (drift.compared or drift.only_git or drift.only_live):
        return UNREADABLE
    return 0 if drift.is_none else FOUND
