"""``ccmcheck render``: a new cloud.conf, or an object that carries one, from templates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ccmcheck.base.budget import whole
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.input_files import look
from ccmcheck.cli.options import STDIN
from ccmcheck.cli.resolve import one_release
from ccmcheck.cli.running import FOUND, CommandRun, declared

if TYPE_CHECKING:
    from ccmcheck.render import Rendered

ADMISSION = "admission"
FLEET_JOB = "fleet-job"


@declared(
    "render",
    "template clouds cloud_name region assignments name namespace enforce template_dir releases kubernetes_version "
    "profiles cloud_config INPUTS output with_secrets quiet",
    says={"profiles": "Set what this profile requires. Default: recommended; none with --cloud-config."},
)
def command(run: CommandRun) -> int:
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
    given = run.given
    if given.template == FLEET_JOB:
        return _fleet_job(run)
    if given.enforce and given.template != ADMISSION:
        raise WrongUse("--enforce is for the template admission.", "Leave it out.")
    if len(given.profiles) > 1:
        raise WrongUse("This command takes one --profile.")
    with whole("nothing was written"):
        rendered = _rendered(run)
    for note in rendered.notes:
        run.note(note)
    if given.output is not None and given.output != STDIN:
        _write(given.output, rendered, with_secrets=given.with_secrets, quiet=given.quiet)
    else:
        _print(rendered, with_secrets=given.with_secrets)
    for finding in rendered.findings:
        console.warn(f"{finding.severity.word} {finding.rule}, line {finding.place.inner_line}: {finding.headline}")
    return FOUND if any(finding.severity >= Severity.WARNING for finding in rendered.findings) else 0


def _rendered(run: CommandRun) -> Rendered:
    """The template filled in; where a file names the release, that is said."""
    from ccmcheck.render import RenderRequest, render

    given, path = run.given, run.given.cloud_config
    is_stdin = path == STDIN
    run.paths = (path,) if path is not None else (".",)
    inputs = run.inputs
    source = path if path is not None and not is_stdin else inputs.stdin_name
    release = one_release(given.releases, inputs.of(source).release)
    if release is None and path is not None and not is_stdin:
        survey = look((path,), inputs)
        for config in survey.ccm_confs[:1]:
            target = survey.release_of(config).in_cluster(inputs.kubernetes_of(source)).target
            release = target.release.name
            run.note(f"for the CCM {release} ({target.source})")
    return render(
        RenderRequest(
            given.template,
            release or "",
            given.clouds,
            given.cloud_name,
            given.region,
            inputs.stdin_name if is_stdin else path,
            inputs.filled_stdin if is_stdin else None,
            given.assignments,
            next(iter(given.profiles), None),
            given.name,
            given.namespace,
            dict(inputs.find_of(source).variables),
            given.template_dir,
            given.enforce,
        )
    )


def _fleet_job(run: CommandRun) -> int:
    """The one template that makes no cloud.conf: it takes its variables from ``--var`` alone."""
    from ccmcheck.render.fleet_job import job

    given = run.given
    run.paths = (".",)
    variables = dict(run.inputs.find_of(".").variables)
    text = job(given.name or "", given.namespace or "", variables, given.template_dir)
    if given.output is not None and given.output != STDIN:
        console.save(given.output, [text])
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
