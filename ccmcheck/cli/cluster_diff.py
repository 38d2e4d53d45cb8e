"""``ccmcheck cluster diff``: what a checkout holds beside what runs."""

from __future__ import annotations

from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.cluster_access import AccessOptions, read_snapshot
from ccmcheck.cli.output import resolve_outputs, written_as
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cli.running import declared_with

FOUND, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")


@declared_with(
    AccessOptions,
    "cluster diff",
    "required_paths ACCESS NAMESPACES octavia_release ovn_octavia_release kubernetes_version cluster_name nodes "
    "topology monitor_quota monitors_used profiles INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
    says={"nodes": "the Nodes of the cluster"},
)
def command(given: AccessOptions) -> int:
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

    paths = given.required_paths
    resolved = resolve_inputs(given, paths)
    written_to = resolve_outputs(given, FORMATS, configured_color=resolved.run.color)
    cloud = resolve_cloud(given.cloud, resolved.shared)
    git = survey_files(paths, resolved.find_of, resolved.discover)
    refuse_empty(paths, git)
    drift = compare(paths, git, read_snapshot(given.access, given.namespaces, keep=True), cloud.merged)
    options = {"verbose": given.verbose, "quiet": given.quiet}
    written_to.write_painted(lambda form: written_as(form, report, drift, **options))
    for failure in drift.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if drift.failures or not (drift.compared or drift.only_git or drift.only_live):
        return UNREADABLE
    return 0 if drift.is_none else FOUND
