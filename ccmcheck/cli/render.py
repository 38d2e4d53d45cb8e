"""``ccmcheck render``: a new cloud.conf, or an object that carries one, from templates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.command import Command, option, options
from ccmcheck.cli.input_files import look
from ccmcheck.cli.options import (
    CLOUD_CONFIG,
    OUTPUT_PATH,
    QUIET,
    RELEASE,
    STDIN,
    WITH_SECRETS,
    InputArguments,
    input_options,
    profile_option,
)
from ccmcheck.cli.resolve import one_release, resolve_inputs

if TYPE_CHECKING:
    from ccmcheck.conf.target_release import FoundRelease
    from ccmcheck.render import Rendered

FINDINGS = 1
ADMISSION = "admission"
FLEET_JOB = "fleet-job"


@click.command(
    "render",
    cls=Command,
    short_help="Write a new cloud.conf, Secret, patch or chart values from templates.",
    examples=(
        ("ccmcheck render secret --cloud prod -o secret.yaml", "A Secret from clouds.yaml"),
        ("ccmcheck render helm-values --cloud-config cloud.conf", "Chart values from an existing file"),
    ),
)
@click.argument("template", metavar="TEMPLATE")
@options(
    option("--clouds", metavar="FILE", help="The clouds.yaml. Default: where openstacksdk looks for it."),
    option("--cloud", metavar="NAME", help="The cloud in it. Default: OS_CLOUD, or the only one there is."),
    option("--region", metavar="NAME", help="The cloud's region. Default: its first."),
    option("--set", "assignments", multiple=True, metavar="[SECTION.]KEY=VALUE", help="A setting, over all others."),
    option("--name", metavar="NAME", help="The object's name. Default: as in the CCM's manifests."),
    option("--namespace", metavar="NAME", help="The object's namespace. Default: likewise."),
    option("--enforce", is_flag=True, help="admission: refuse Services; without it, only warn and audit."),
    option("--template-dir", metavar="DIR", help="Your own templates; they win over those of the same file name."),
    RELEASE,
    profile_option("Set what this profile requires. Default: recommended; none with --cloud-config.", load=False),
    CLOUD_CONFIG,
)
@input_options
@options(OUTPUT_PATH, WITH_SECRETS, QUIET)
def command(
    template: str,
    clouds: str | None,
    cloud: str | None,
    region: str | None,
    cloud_config: str | None,
    assignments: tuple[str, ...],
    profiles: tuple[str, ...],
    releases: tuple[str, ...],
    name: str | None,
    namespace: str | None,
    inputs: InputArguments,
    template_dir: str | None,
    enforce: bool,
    output: str | None,
    with_secrets: bool,
    quiet: bool,
) -> int:
    """Render TEMPLATE, which is one of these, or the beginning of a file's name in --template-dir.

    \b
    cloud.conf            the file itself
    secret                the Secret that the CCM mounts, kube-system/cloud-config
    configmap             OpenShift's openshift-config/cloud-provider-config
    kustomize             a kustomization that makes the Secret, or patches it
    cluster-resource-set  a ClusterResourceSet that applies the Secret
    clusterclass-patch    a ClusterClass patch for the control plane's nodes
    helm-values           values of the upstream chart
    admission             ValidatingAdmissionPolicies that judge new Services
    dashboard             a Grafana dashboard for --format prometheus
    report-cronjob        a CronJob that writes Reports and pushes metrics
    fleet-job             an Indexed Job for cluster fleet, from --var alone

    The settings come from a cloud of clouds.yaml and a profile, or from an existing cloud.conf (--cloud-config);
    with both, the cloud's login takes the place of the file's [Global]. The result is linted: findings go to standard
    error, and the exit code is 1 where a warning is among them. On standard output secrets are masked.
    """  # noqa: D301 - click keeps the lines after a backspace as they are
    if template == FLEET_JOB:
        return _fleet_job(name, namespace, inputs, template_dir, output)
    from ccmcheck.render import Request, render

    if enforce and template != ADMISSION:
        raise WrongUse("--enforce is for the template admission.", "Leave it out.")
    if len(profiles) > 1:
        raise WrongUse("This command takes one --profile.")
    paths = (cloud_config,) if cloud_config is not None else (".",)
    resolved = resolve_inputs(inputs, paths)
    source = cloud_config if cloud_config is not None and cloud_config != STDIN else resolved.stdin_name
    config = resolved.of(source)
    is_stdin = cloud_config == STDIN
    release = one_release(releases, config.release)
    found: FoundRelease | None = None
    if release is None and cloud_config is not None and not is_stdin:
        survey = look((cloud_config,), resolved)
        found = survey.release_of(survey.ccm_confs[0]) if survey.ccm_confs else None
        release = found.release.name if found is not None and found.release is not None else None
    rendered = render(
        Request(
            template,
            release or "",
            clouds,
            cloud,
            region,
            resolved.stdin_name if is_stdin else cloud_config,
            sys.stdin.buffer.read(resolved.stdin_limit + 1) if is_stdin else None,
            assignments,
            next(iter(profiles), None),
            name,
            namespace,
            dict(resolved.find_of(source).variables),
            template_dir,
            enforce,
        )
    )
    if not quiet:
        if found is not None and (found.place or found.rivals):
            target = found.target
            console.warn(f"for the CCM {target.release.name} ({target.source})")
        for note in rendered.notes:
            console.warn(note)
    if output is not None and output != STDIN:
        _write(output, rendered, with_secrets=with_secrets, quiet=quiet)
    else:
        _print(rendered, with_secrets=with_secrets)
    for finding in rendered.findings:
        console.warn(f"{finding.severity.word} {finding.rule}, line {finding.place.inner_line}: {finding.label}")
    return FINDINGS if any(finding.severity >= Severity.WARNING for finding in rendered.findings) else 0


def _fleet_job(
    name: str | None, namespace: str | None, inputs: InputArguments, template_dir: str | None, output: str | None
) -> int:
    """The one template that makes no cloud.conf: it takes its variables from ``--var`` alone."""
    from ccmcheck.render.fleet_job import job

    resolved = resolve_inputs(inputs, (".",))
    variables = dict(resolved.find_of(".").variables)
    text = job(name or "", namespace or "", variables, template_dir)
    if output is not None and output != STDIN:
        console.save(output, [text])
    else:
        console.write([text])
    return 0


def _write(path: str, rendered: Rendered, *, with_secrets: bool, quiet: bool) -> None:
    from ccmcheck.base.atomic_write import is_stream, readable_by_others
    from ccmcheck.base.text import encode

    if is_stream(path):
        console.replace_file(path, encode(rendered.text if with_secrets else rendered.shown))
        if not with_secrets:
            _warn_if_masked(rendered)
        return
    console.replace_file(path, encode(rendered.text))
    exposed = readable_by_others(path)
    if rendered.text != rendered.shown and exposed:
        console.warn(exposed)
    elif not quiet:
        console.warn(f"wrote {path}")


def _print(rendered: Rendered, *, with_secrets: bool) -> None:
    from ccmcheck.base.text import encode

    text = rendered.text if with_secrets else rendered.shown
    if console.is_terminal(sys.stdout):
        from ccmcheck.base.escape import printable_lines

        text = printable_lines(text)
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(text))
    sys.stdout.buffer.flush()
    if not with_secrets:
        _warn_if_masked(rendered)


def _warn_if_masked(rendered: Rendered) -> None:
    """Said with --quiet as well: what was written is not what was asked for."""
    if rendered.text != rendered.shown:
        console.warn(
            "secrets are masked, and the text does not apply as it is shown; --with-secrets shows them, "
            "--output FILE writes them to a file"
        )
