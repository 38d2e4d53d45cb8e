"""``ccmcheck predict``: what the CCM will request from Octavia, and whether traffic will work."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from ccmcheck.base.budget import worked_off
from ccmcheck.base.model import Severity
from ccmcheck.base.suggest import first_of
from ccmcheck.carriers.base import SERVICE_ANNOTATIONS
from ccmcheck.cli.cloud import remarks, resolve_cloud
from ccmcheck.cli.input_files import (
    candidates,
    configuration_of,
    deployments_of,
    look,
    no_cloud_conf,
    refuse_two_readers,
)
from ccmcheck.cli.running import CommandRun, declared
from ccmcheck.workspace.config import NO_CONFIG

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.catalog.open_choice import OpenChoice
    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.cluster.preflight.cloud import PreflightCheck
    from ccmcheck.predict.advice.suggestion import Suggestion
    from ccmcheck.predict.forms.json_form import PredictionReport
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Prediction
    from ccmcheck.workspace.deployment.build import Candidates
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import Survey, SurveyedConf

FORMATS = ("text", "markdown", "json")


@declared(
    "predict",
    "paths cloud_config config_from deployments releases CLOUD INPUTS fail_on quiet verbose OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """Predict what the CCM will request from Octavia, and whether traffic will work.

    PATH is a file, a folder, a glob, or - for standard input, with manifests of Services and, if present, of the
    Nodes, the workloads behind the Services, the CCM's own workload and the cloud.conf; without one, the current
    folder. Of several cloud.confs each is predicted with what lies nearest to it; --deployment names some of them.
    What the in-tree provider makes is not predicted. Everything else stays unknown. -v adds mechanisms and assumptions.

    Exit code: 0 nothing at or above --fail-on (default: warning), 1 findings, or a CCM that does not start, 2 wrong
    use, 3 a file could not be read.
    """
    from ccmcheck.redact.report import redact_report

    given = run.given
    refuse_two_readers(given.cloud_config, given.paths)
    paths, inputs, _ = run.paths, run.inputs, run.outputs
    resolve_cloud(given.cloud, NO_CONFIG)  # what is wrong with the options is said before a file is read
    survey = look(paths, inputs, given.releases)
    chosen = candidates(given.cloud_config, given.deployments, survey, inputs, given.releases)
    if not (chosen.all or given.releases) and survey.is_in_tree:
        raise no_cloud_conf(paths, survey, inputs)
    reports = redact_report(tuple(_reports(run, survey, chosen)), survey.texts(*chosen.selected))
    run.write(lambda form: _written(reports, form, given.verbose))
    fail_on = given.fail_on or inputs.run.fail_on or Severity.WARNING
    severities = [
        finding.severity for report in reports for service in report.services for finding in service.prediction.findings
    ]
    severities += [Severity.ERROR for report in reports if report.stop or report.fails]
    return run.ended(survey.failures, found=any(severity >= fail_on for severity in severities))


def _reports(run: CommandRun, survey: Survey, chosen: Candidates) -> Iterator[PredictionReport]:
    """A report for each deployment; equal ones are one with all their names."""
    from ccmcheck.cli.name_collisions import name_collisions
    from ccmcheck.predict.forms.json_form import without_equals

    given, inputs = run.given, run.inputs
    # completed by ccmcheck's configuration for the cloud.conf
    cloud_of = cache(lambda config: resolve_cloud(given.cloud, configuration_of(config, inputs)))
    found = deployments_of(survey, chosen, inputs, given.releases, cloud_of)
    paths = {id(item): path for path, item in survey.objects}
    idle = [one for one in found if not (one.gathered.services or one.options().stop)]
    if given.deployments or not any(one.gathered.services for one in found):
        idle = []
    told = name_collisions(found)
    each = (_report(one, cloud_of(one.config), survey, paths, told[one.name]) for one in found if one not in idle)
    for number, report in enumerate(without_equals(worked_off(each, "not all deployments were predicted"))):
        alone = [f"{one.name}: no Service of type LoadBalancer is near it" for one in idle]
        yield report if number else report._replace(notes=(*alone, *_logged(survey), *report.notes))


def _logged(survey: Survey) -> list[str]:
    """What the logs beside the files say."""
    from ccmcheck.explain.log_lines import saved_causes

    return [f"{place}: {means} → {do}" for place, means, do in saved_causes(survey.logs)]


def _report(
    deployment: Deployment,
    arguments: CloudArguments,
    survey: Survey,
    paths: Mapping[int, str],
    collisions: tuple[str, ...],
) -> PredictionReport:
    from ccmcheck.predict.alike import AlikeServices, likeness
    from ccmcheck.predict.conformance import conformance_of_each
    from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport
    from ccmcheck.predict.inputs.choices import open_choices
    from ccmcheck.predict.inputs.options import KEYS
    from ccmcheck.predict.project import Project
    from ccmcheck.predict.requests.reconcile import is_of_another_ccm

    config, judged, gathered, cloud = deployment[:4]
    requirements = arguments.profiles.requirements if config.carried is None else ()
    each = deployment.options_of_each(requirements)
    options = each[0]
    # what a cloud.conf that is not there may set is not known
    known = each if config.carried is not None else [one._replace(open=KEYS) for one in each]
    alike: AlikeServices[tuple[Prediction, Suggestion | None, tuple[OpenChoice, ...]]] = AlikeServices()
    rows = open_choices(known)
    project = Project(options, (one.service for one in gathered.services), cloud)

    def reports() -> Iterator[tuple[int, ServiceReport]]:
        """Of Services that share a load balancer the first by its place is taken for the owner, as lint does."""
        for one in sorted(gathered.services, key=lambda each: (each.object.path, each.object.subject)):
            service, around = one.service, project.before(one.service)
            kind = None if project.is_shared(service) else likeness(cloud.cluster_name, service)
            predicted = alike.of((service,), kind, project.used, partial(_predicted, each, known, around, rows))
            prediction, at = project.take(service, predicted[0]), one.object
            choices = () if at.source.may_gain_lines(at.node) else predicted[2]
            yield id(one), ServiceReport(prediction, paths[id(at)], one.line, predicted[1], choices)

    predicted = dict(worked_off(reports(), "not all Services were predicted"))
    services = [predicted[id(one)] for one in gathered.services if id(one) in predicted]
    of_others = [is_of_another_ccm(one.service, cloud) for one in gathered.services]
    scripts = () if options.stop or (of_others and all(of_others)) else conformance_of_each(each, cloud)
    stop = (f"{deployment.name}: {options.stop}",) if options.stop and not services else ()
    saved = _saved(deployment)
    return PredictionReport(
        config.title,
        judged.release.name,
        judged.source,
        tuple(services),
        scripts,
        (*collisions, *_notes(arguments, gathered, config, survey), *map(_note, saved), *stop),
        (deployment.name,),
        options.stop,
        () if options.stop else tuple(_node_choices(deployment)),
        any(check.passed is False for check in saved),
    )


def _saved(deployment: Deployment) -> tuple[PreflightCheck, ...]:
    """What the saved answers of OpenStack say against a deployment."""
    if not deployment.answers:
        return ()
    from ccmcheck.cli.preflight_run import checks_of_saved

    return tuple(checks_of_saved(deployment))


def _note(check: PreflightCheck) -> str:
    """The same, as lint says it."""
    return f"{'✗' if check.passed is False else '·'} {check.about}: {check.text} → {check.hint}"


def _node_choices(deployment: Deployment) -> Iterator[OpenChoice]:
    from ccmcheck.conf.node_choices import node_choices
    from ccmcheck.conf.view import CloudConf

    carried, gathered = deployment.config.carried, deployment.gathered
    if carried is not None:
        confs = [CloudConf.read(carried, one.release) for one in deployment.judged.each]
        has_cluster = bool(deployment.workloads or gathered.nodes or not gathered.services)
        yield from node_choices(confs, deployment.workloads, has_cluster=has_cluster)


def _predicted(
    each: Sequence[Options],
    known: Sequence[Options],
    cloud: CloudState,
    rows: Sequence[OpenChoice],
    services: tuple[Service, ...],
) -> tuple[Prediction, Suggestion | None, tuple[OpenChoice, ...]]:
    """The prediction of a Service, what one change would bring, and what decides where nothing is set."""
    from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
    from ccmcheck.predict.advice.suggestion import suggest
    from ccmcheck.predict.inputs.choices import choices_of
    from ccmcheck.predict.records import Outcome
    from ccmcheck.predict.steady import predict_onward

    (service,) = services
    if len(each) > 1:
        from ccmcheck.predict.worlds import predict_each

        found = predict_each(each, service, cloud)
    else:
        found = predict_onward(each[0], service, cloud)
    is_made = found.outcome is Outcome.ACCEPTED or not (service.open or each[0].release.at_least(FIRST_PREDICTED))
    choices = tuple(choices_of(rows, known, service, cloud.node_count)) if is_made and each[0].use_octavia else ()
    # one change would not bring the same where a template's conditions differ
    return found, None if each[0].where else suggest(each[0], service, cloud, found), choices


def _notes(arguments: CloudArguments, gathered: Manifests, config: SurveyedConf, survey: Survey) -> tuple[str, ...]:
    notes = remarks(arguments, gathered)
    if not gathered.services:
        more = f" ({gathered.others} of another type, or of none)" if gathered.others else ""
        notes.append(f"there is no Service of type LoadBalancer{more}")
        alone = dict.fromkeys(found.name for _, found in survey.objects if found.kind == SERVICE_ANNOTATIONS)
        if alone:
            named = first_of((f"Service {name}".rstrip() for name in alone), 3)
            notes.append(f"only annotations of {named} are in the files, not what they are added to")
    if config.carried is None:
        names = arguments.profiles.names
        implied = f"what {', '.join(names)} implies, else " if names else ""
        notes.append(survey.no_config(implied, config))
    return tuple(notes)


def _written(reports: tuple[PredictionReport, ...], form: str, verbose: int) -> Iterator[str]:
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
