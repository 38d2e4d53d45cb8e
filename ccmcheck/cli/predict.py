"""``ccmcheck predict``: what the CCM will request from Octavia, and whether traffic will work."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cloud import cluster_of, remarks, resolve_cloud
from ccmcheck.cli.cloud_options import CloudArguments, cloud_options
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.input_files import candidates, configuration_of, look, refuse_two_readers, releases
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CLOUD_CONFIG,
    CONFIG_FROM,
    DEPLOYMENT,
    FAIL_ON,
    RELEASE,
    VERBOSE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import base_revision, or_current_folder, resolve_inputs
from ccmcheck.workspace.config import NO_CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.deployment.build import Candidates
    from ccmcheck.deployment.record import Deployment
    from ccmcheck.predict.advice.suggestion import Suggestion
    from ccmcheck.predict.forms.json_form import Report
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Prediction
    from ccmcheck.workspace.survey import Survey, SurveyedConf

FOUND, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")


@click.command(
    "predict",
    cls=Command,
    short_help="Predict what the CCM will request from Octavia, and whether traffic will work.",
    examples=(
        ("ccmcheck predict --nodes 3 manifests/", "The Services and the cloud.conf in a folder"),
        ("ccmcheck predict --cloud-config cloud.conf web.yaml -vv", "With the body of every request"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(CLOUD_CONFIG, CONFIG_FROM, DEPLOYMENT, RELEASE)
@cloud_options
@input_options
@options(FAIL_ON, VERBOSE)
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what PredictArguments declares
    """Predict what the CCM will request from Octavia, and whether traffic will work.

    PATH is a file, a folder, a glob, or - for standard input, with manifests of Services and, if present, of the
    Nodes, the workloads behind the Services, the CCM's own workload and the cloud.conf; without one, the current
    folder. Of several cloud.confs each is predicted with what lies nearest to it; --deployment names some of them.
    Everything else stays unknown. -v adds mechanisms and assumptions.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, 2 wrong use, 3 a file could not be read.
    """
    return predict(PredictArguments(**values))


class PredictArguments(NamedTuple):
    """The arguments of ``predict``; see the options above."""

    paths: tuple[str, ...]
    cloud_config: str | None
    config_from: str | None
    deployments: tuple[str, ...]
    releases: tuple[str, ...]
    cloud: CloudArguments
    inputs: InputArguments
    outputs: OutputArguments
    fail_on: Severity | None
    verbose: int


def predict(arguments: PredictArguments) -> int:
    """Predict, print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    refuse_two_readers(arguments.cloud_config, arguments.paths)
    paths = or_current_folder(arguments.paths)
    with base_revision(paths, arguments.config_from) as base:
        return _predict(arguments, paths, resolve_inputs(arguments.inputs, paths, base))


def _predict(arguments: PredictArguments, paths: tuple[str, ...], inputs: Inputs) -> int:
    from ccmcheck.redact.report import redact_report

    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=inputs.run.color)
    resolve_cloud(arguments.cloud, NO_CONFIG)  # what is wrong with the options is said before a file is read
    survey = look(paths, inputs, arguments.releases)
    chosen = candidates(arguments.cloud_config, arguments.deployments, survey, inputs, arguments.releases)
    reports = redact_report(tuple(_reports(arguments, survey, chosen, inputs)), survey.texts(*chosen.selected))
    outputs.write_painted(lambda form: _written(reports, form, arguments.verbose))
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    worst = max(
        (
            one.severity
            for report in reports
            for report_of_service in report.services
            for one in report_of_service.prediction.findings
        ),
        default=None,
    )
    fail_on = arguments.fail_on or inputs.run.fail_on or Severity.WARNING
    return FOUND if worst is not None and worst >= fail_on else 0


def _reports(arguments: PredictArguments, survey: Survey, chosen: Candidates, inputs: Inputs) -> Iterator[Report]:
    """A report for each deployment; equal ones are one with all their names."""
    from ccmcheck.deployment.build import deployments
    from ccmcheck.predict.forms.json_form import without_equals

    clouds: dict[SurveyedConf, CloudArguments] = {}

    def read(
        config: SurveyedConf, objects: Sequence[KubernetesObject], pods: Sequence[CcmPod]
    ) -> tuple[Manifests, CloudState]:
        # completed by ccmcheck's configuration for the cloud.conf
        clouds[config] = resolve_cloud(arguments.cloud, configuration_of(config, inputs))
        return cluster_of(clouds[config], objects, pods)

    found = deployments(survey, chosen, lambda config: releases(config, arguments.releases, survey, inputs), read)
    paths = {id(item): path for path, item in survey.objects}
    idle = [one for one in found if not one.gathered.services]
    if arguments.deployments or len(idle) == len(found):
        idle = []
    reports = without_equals(_report(one, clouds[one.config], survey, paths) for one in found if one not in idle)
    for number, report in enumerate(reports):
        notes = tuple(f"{one.name}: no Service of type LoadBalancer is near it" for one in idle) if not number else ()
        yield report._replace(notes=(*notes, *report.notes))


def _report(deployment: Deployment, arguments: CloudArguments, survey: Survey, paths: Mapping[int, str]) -> Report:
    from ccmcheck.predict.alike import AlikeServices, likeness
    from ccmcheck.predict.conformance import conformance
    from ccmcheck.predict.forms.json_form import Report, ServiceReport

    config, judged, gathered, cloud, _ = deployment
    requirements = arguments.profiles.requirements if config.carried is None else ()
    each = [deployment._replace(judged=one).options(requirements) for one in judged.each]
    options = each[0]
    alike: AlikeServices[tuple[Prediction, Suggestion | None]] = AlikeServices()
    services = []
    for service_object in gathered.services:
        service = service_object.service
        predicted = partial(_predicted, each, service, cloud)
        found, suggestion = alike.of(service.name, likeness(service, cloud.cluster_name), predicted)
        services.append(ServiceReport(found, paths[id(service_object.object)], service_object.line, suggestion))
    scripts = () if options.stop else conformance(options, cloud)
    return Report(
        config.title,
        judged.release.name,
        judged.source,
        tuple(services),
        scripts,
        _notes(arguments, gathered, config, survey),
        (deployment.name,),
    )


def _predicted(
    each: Sequence[Options], service: Service, cloud: CloudState, name: str
) -> tuple[Prediction, Suggestion | None]:
    """The prediction of a Service as if it had a name, and what one change would bring."""
    from ccmcheck.predict.advice.suggestion import suggest
    from ccmcheck.predict.pipeline import predict as predict_one

    service = service._replace(name=name)
    if len(each) > 1:
        from ccmcheck.predict.worlds import predict_each

        found = predict_each(each, service, cloud)
    else:
        found = predict_one(each[0], service, cloud)
    return found, suggest(each[0], service, cloud, found)


def _notes(arguments: CloudArguments, gathered: Manifests, config: SurveyedConf, survey: Survey) -> tuple[str, ...]:
    notes = remarks(arguments, gathered)
    if not gathered.services:
        more = f" ({gathered.others} of another type, or of none)" if gathered.others else ""
        notes.append(f"there is no Service of type LoadBalancer{more}")
    if config.carried is None:
        names = arguments.profiles.names
        implied = f"what {', '.join(names)} implies, else " if names else ""
        notes.append(survey.no_config(implied))
    return tuple(notes)


def _written(reports: tuple[Report, ...], form: str, verbose: int) -> Iterator[str]:
    if form == "json":
        from ccmcheck.predict.forms.json_form import as_data
        from ccmcheck.report.records import dumped_lines

        yield dumped_lines(as_data(reports))
        return
    for number, report in enumerate(reports):
        if form == "markdown":
            from ccmcheck.predict.forms.report import as_markdown

            yield from (line + "\n" for line in as_markdown(report))
        else:
            from ccmcheck.predict.forms.report import as_text

            yield "\n" * bool(number)
            yield from (line + "\n" for line in as_text(report, verbose=verbose, is_one_of_many=len(reports) > 1))
