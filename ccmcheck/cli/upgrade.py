"""``ccmcheck upgrade``: what changes for a file when the CCM is upgraded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.cloud import cluster_of, resolve_cloud
from ccmcheck.cli.cloud_options import CloudArguments, cloud_options
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.input_files import look, no_cloud_conf
from ccmcheck.cli.options import FROM, TO, InputArguments, OutputArguments, input_options, output_options
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import or_current_folder, resolve_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.catalog import Release
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.review.upgrade.meaning import Upgrade
    from ccmcheck.workspace.survey import Survey

CHANGES, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json")


@click.command(
    "upgrade",
    cls=Command,
    short_help="Report what changes for a file when the CCM is upgraded.",
    examples=(
        ("ccmcheck upgrade --from 1.25 --to 1.31 cloud.conf", "From one release to another"),
        ("ccmcheck upgrade clusters/", "From the CCM's image in the folder to the newest"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.files)
@options(FROM, TO)
@cloud_options
@input_options
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what UpgradeArguments declares
    """Report what changes for a file when the CCM is upgraded.

    Keys that are removed, take effect, or change their default; whether the CCM still starts; behaviour without a key;
    findings that come and go; each with the tag that brings it and what to do. PATH is a cloud.conf in any carrier, a
    folder, or - for standard input; without one, the current folder. With Services among the files, it is about them.
    --to is the newest release by default. ``ccmcheck fix --to R`` makes the changes that keep the present behaviour.

    Exit code: 1 where anything changes.
    """
    return run(UpgradeArguments(**values))


class UpgradeArguments(NamedTuple):
    """The arguments of ``upgrade``; see the options above."""

    paths: tuple[str, ...]
    old: str | None
    new: str | None
    cloud: CloudArguments
    inputs: InputArguments
    outputs: OutputArguments


def run(arguments: UpgradeArguments) -> int:
    """Compare, print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or there is no cloud.conf.
    """
    from ccmcheck import catalog
    from ccmcheck.redact.report import redact_report

    paths = or_current_folder(arguments.paths)
    inputs = resolve_inputs(arguments.inputs, paths)
    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=inputs.run.color)
    arguments = arguments._replace(cloud=resolve_cloud(arguments.cloud, inputs.shared))
    # a release that does not exist is reported before any file is read
    after = catalog.release(arguments.new) if arguments.new is not None else catalog.newest()
    before = catalog.release(arguments.old) if arguments.old is not None else None
    survey = look(paths, inputs)
    if before is None:
        before = _running(survey, inputs.shared.release)
    if not before < after:
        raise WrongUse(f"{after.name} is not newer than {before.name}.", "Give the older release with --from.")
    if not survey.ccm_confs:
        raise no_cloud_conf(paths, survey, inputs)
    upgrades = redact_report(list(_upgrades(arguments, survey, before, after)), survey.texts())
    outputs.write_painted(lambda form: _written(form, upgrades, before.name, after.name))
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    return 0 if all(found.is_quiet for found in upgrades) else CHANGES


def _running(survey: Survey, configured: Sequence[str]) -> Release:
    """The oldest release that the configuration names, else that of the CCM's image among the files."""
    from ccmcheck import catalog

    named = dict.fromkeys(configured or (pod.release for pod in survey.workloads if pod.release))
    if not named:
        raise WrongUse("The release that runs now is unknown.", "Name it with --from, such as --from 1.25.")
    return min(catalog.release(name) for name in named)


def _upgrades(arguments: UpgradeArguments, survey: Survey, before: Release, after: Release) -> Iterator[Upgrade]:
    from ccmcheck.base import path_proximity as near
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.engine import Linter, Settings
    from ccmcheck.review.upgrade.meaning import upgrade, upgrade_path

    gathered, cloud = cluster_of(arguments.cloud, [found for _, found in survey.objects], survey.workloads)
    paths = {id(found): path for path, found in survey.objects}
    services: dict[int, dict[str, Service]] = {}
    for service_object in gathered.services:
        for config in near.nearest_upwards(paths[id(service_object.object)], survey.ccm_confs):
            services.setdefault(id(config.carried), {}).setdefault(service_object.service.title, service_object.service)
    around = RunContext(facts=cloud.facts)
    linters = (
        Linter(Settings(judged=(TargetRelease("ccm", before, "--from"),)), around),
        Linter(Settings(judged=(TargetRelease("ccm", after, "--to"),)), around),
    )
    for config in survey.ccm_confs:
        if config.carried is not None:
            pods = near.nearest(config.path, survey.workloads)
            mine = services.get(id(config.carried), {})
            yield upgrade(config.path, config.carried, upgrade_path(before, after), linters, mine, cloud, pods)


def _written(form: str, found: list[Upgrade], old: str, new: str) -> Iterator[str]:
    from ccmcheck.review.upgrade import report

    if form == "json":
        import json

        document = {"version": 1, "from": old, "to": new, "configs": [report.as_data(one) for one in found]}
        yield json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        return
    form_of = report.as_markdown if form == "markdown" else report.as_text
    yield from (f"{line}\n" for line in form_of(found, old, new))
