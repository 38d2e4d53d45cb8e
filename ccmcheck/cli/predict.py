"""``ccmcheck predict``: what the CCM will ask Octavia for, and whether traffic will work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cloud_options import CloudArguments, check_cloud, cloud_options, cluster_of, remarks
from ccmcheck.cli.options import SeverityType, variable_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.forms.json_form import Report
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.workspace.survey import Survey, SurveyedConf

FOUND, UNREADABLE = 1, 3
FORMS = ("text", "markdown", "json")


@click.command("predict", short_help="Say what the CCM will ask Octavia for, and whether traffic will work.")
@click.argument("paths", nargs=-1, metavar="[SERVICE]...")
@click.option(
    "--config", "config_file", metavar="FILE", help="The cloud.conf, in any carrier. Default: the one among the files."
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="R",
    help="CCM release. Default: from its image among the files, else the newest.",
)
@cloud_options
@variable_options
@click.option("--format", "form", type=click.Choice(FORMS), default="text", help="Default: text.")
@click.option(
    "--fail-on", type=SeverityType(), default="warning", help="Exit with 1 from this severity on. Default: warning."
)
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option("-v", "--verbose", count=True, help="Also mechanisms and assumptions; twice: the bodies of all requests.")
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what PredictArguments declares
    """Say what the CCM will ask Octavia for, and whether traffic will work.

    SERVICE is a file, a folder, a glob, or - for standard input, with manifests of Services and, if you like, of the
    Nodes, the workloads behind the Services, the CCM's own workload and the cloud.conf. What is not given is unknown.
    Exit code: 0 nothing at or above --fail-on, 1 findings, 2 wrong use, 3 a file could not be read.
    """
    return predict(PredictArguments(**options))


class PredictArguments(NamedTuple):
    """What was typed; see the options above."""

    paths: tuple[str, ...]
    config_file: str | None
    releases: tuple[str, ...]
    cloud: CloudArguments
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    template: bool | None
    form: str
    fail_on: Severity
    max_size: int | None
    stdin_filename: str | None
    verbose: int


def predict(given: PredictArguments) -> int:
    """Predict, print, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    from ccmcheck.base.redact_report import redact_report
    from ccmcheck.carriers import FindOptions
    from ccmcheck.cli.options import variables
    from ccmcheck.cli.predicting import configs, look
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE

    if given.config_file == "-" and "-" in given.paths:
        raise WrongUse("standard input is either the cloud.conf or the Services, not both")
    check_cloud(given.cloud)
    max_size = given.max_size or DEFAULT_MAX_SIZE
    options = FindOptions(variables=variables(given.variables, given.env_files, {}), template=given.template)
    survey = look(given.paths or (".",), options, given.stdin_filename, max_size)
    named = configs(given.config_file, survey, options, max_size)
    reports = redact_report(
        tuple(report for config in named for report in _reports(config, given, survey)), survey.texts(*named)
    )
    console.write(_written(reports, given))
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    worst = max(
        (one.severity for report in reports for told in report.services for one in told.prediction.findings),
        default=None,
    )
    return FOUND if worst is not None and worst >= given.fail_on else 0


def _reports(config: SurveyedConf, given: PredictArguments, survey: Survey) -> Iterator[Report]:
    from ccmcheck.carriers.base import Bundle
    from ccmcheck.cli.predicting import releases
    from ccmcheck.predict.advice.suggestion import suggest
    from ccmcheck.predict.conformance import conformance
    from ccmcheck.predict.forms.json_form import Report, ServiceReport
    from ccmcheck.predict.pipeline import predict as predict_one
    from ccmcheck.workspace.survey import options_at

    gathered, cloud = cluster_of(given.cloud, [found for _, found in survey.objects], survey.workloads)
    paths = {id(found): path for path, found in survey.objects}
    for judged in releases(config, given.releases, survey.workloads):
        options = options_at(config, judged, Bundle(facts=cloud.facts))
        services = []
        for met in gathered.services:
            service = met.service
            found = predict_one(options, service, cloud)
            services.append(
                ServiceReport(found, paths[id(met.found)], met.line, suggest(options, service, cloud, found))
            )
        scripts = () if options.stop else conformance(options, cloud)
        yield Report(
            config.title,
            judged.release.name,
            judged.source,
            tuple(services),
            scripts,
            _notes(given, gathered, config),
        )


def _notes(given: PredictArguments, gathered: Manifests, config: SurveyedConf) -> tuple[str, ...]:
    notes = remarks(given.cloud, gathered)
    if not gathered.services:
        more = f" ({gathered.others} of another type, or of none)" if gathered.others else ""
        notes.append(f"there is no Service of type LoadBalancer{more}")
    if config.carried is None:
        notes.append("there is no cloud.conf: the release's defaults stand in")
    return tuple(notes)


def _written(reports: tuple[Report, ...], given: PredictArguments) -> Iterator[str]:
    if given.form == "json":
        import json

        from ccmcheck.predict.forms.json_form import as_data

        yield json.dumps(as_data(reports), indent=2, ensure_ascii=False) + "\n"
        return
    for report in reports:
        if given.form == "markdown":
            from ccmcheck.predict.forms.report import as_markdown

            yield from (line + "\n" for line in as_markdown(report))
        else:
            from ccmcheck.predict.forms.report import as_text

            yield from (line + "\n" for line in as_text(report, verbose=given.verbose))
