"""``ccmcheck render``: a new cloud.conf, or an object that carries one, from templates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ccmcheck.base.model import Severity
from ccmcheck.cli import completion, console
from ccmcheck.cli.options import STDIN, variable_options

if TYPE_CHECKING:
    from ccmcheck.render import Rendered

FINDINGS = 1


@click.command("render", short_help="Write a new cloud.conf, Secret, patch or chart values from templates.")
@click.argument("template", metavar="TEMPLATE")
@click.option("--clouds", metavar="FILE", help="The clouds.yaml. Default: where openstacksdk looks for it.")
@click.option("--cloud", metavar="NAME", help="The cloud in it. Default: OS_CLOUD, or the only one there is.")
@click.option("--region", metavar="NAME", help="The cloud's region. Default: its first.")
@click.option("--config", metavar="FILE", help="Take over the settings of the cloud.conf in FILE, whatever carries it.")
@click.option("--set", "assignments", multiple=True, metavar="[SECTION.]KEY=VALUE", help="A setting, over all others.")
@click.option(
    "--profile",
    metavar="NAME|FILE",
    shell_complete=completion.profiles,
    help="Set what this profile wants. Default: recommended; none with --config.",
)
@click.option("--release", metavar="R", help="CCM release that reads the result, 1.31 or v1.31.2. Default: the newest.")
@click.option("--name", metavar="NAME", help="The object's name. Default: the one that the CCM's manifests use.")
@click.option("--namespace", metavar="NAME", help="The object's namespace, likewise.")
@variable_options
@click.option("--template-dir", metavar="DIR", help="Your own templates; they win over those of the same file name.")
@click.option("-o", "--output", metavar="FILE", help="Write the result, with its secrets, to FILE (mode 0600).")
@click.option("--with-secrets", is_flag=True, help="Do not mask secrets on standard output.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors and findings.")
def command(
    template: str,
    clouds: str | None,
    cloud: str | None,
    region: str | None,
    config: str | None,
    assignments: tuple[str, ...],
    profile: str | None,
    release: str | None,
    name: str | None,
    namespace: str | None,
    variables: tuple[str, ...],
    env_files: tuple[str, ...],
    template_dir: str | None,
    output: str | None,
    with_secrets: bool,
    quiet: bool,
) -> int:
    """Render TEMPLATE, which is one of these, or the beginning of a file's name in --template-dir.

    \b
    cloud.conf            the file itself
    secret                the Secret that the CCM mounts, kube-system/cloud-config
    configmap             OpenShift's openshift-config/cloud-provider-config, without credentials
    kustomize             a kustomization that makes the Secret, or patches it
    cluster-resource-set  a ClusterResourceSet that brings the Secret into its clusters
    clusterclass-patch    a ClusterClass patch that puts the file onto control plane nodes, from a Secret
    helm-values           values of the chart openstack-cloud-controller-manager

    The settings come from a cloud of clouds.yaml and a profile, or from an existing cloud.conf (--config); with both
    --config and --cloud, the cloud's login takes the place of the file's [Global]. What comes out is linted: findings
    go to standard error, and the exit code is 1 where a warning is among them. On standard output secrets are masked.
    """  # noqa: D301 - click keeps the lines after a backspace as they are
    from ccmcheck.cli.options import variables as values_of
    from ccmcheck.render import Request, render
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE

    data = sys.stdin.buffer.read(DEFAULT_MAX_SIZE + 1) if config == STDIN else None
    rendered = render(
        Request(
            template,
            release or "",
            clouds,
            cloud,
            region,
            "<stdin>" if config == STDIN else config,
            data,
            assignments,
            profile,
            name,
            namespace,
            values_of(variables, env_files, {}),
            template_dir,
        )
    )
    if not quiet:
        for note in rendered.notes:
            console.warn(note)
    if output is not None and output != STDIN:
        _write(output, rendered, quiet=quiet)
    else:
        _print(rendered, with_secrets=with_secrets, quiet=quiet)
    for finding in rendered.findings:
        console.warn(f"{finding.severity.word} {finding.rule}, line {finding.place.inner_line}: {finding.label}")
    return FINDINGS if any(finding.severity >= Severity.WARNING for finding in rendered.findings) else 0


def _write(path: str, rendered: Rendered, *, quiet: bool) -> None:
    import os

    from ccmcheck.base.atomic_write import replace
    from ccmcheck.base.text import encode

    replace(path, encode(rendered.text))
    mode = os.stat(path).st_mode & 0o777  # noqa: PTH116 - pathlib is slow to import
    if rendered.text != rendered.shown and mode & 0o077:
        console.warn(f"{path} holds secrets, and others may read it (mode {mode:04o}); it had that mode before")
    elif not quiet:
        console.warn(f"wrote {path}")


def _print(rendered: Rendered, *, with_secrets: bool, quiet: bool) -> None:
    from ccmcheck.base.text import encode

    text = rendered.text if with_secrets else rendered.shown
    if console.is_terminal(sys.stdout):
        from ccmcheck.base.escape import printable_lines

        text = printable_lines(text)
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(text))
    sys.stdout.buffer.flush()
    if rendered.text != rendered.shown and not with_secrets and not quiet:
        console.warn("secrets are masked; --with-secrets shows them, --output FILE writes them to a file")
