"""``ccmcheck upgrade``: what a file means after an upgrade of the CCM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.cloud_options import CloudArguments, check_cloud, cloud_options, cluster_of
from ccmcheck.cli.options import variable_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog import Release
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.review.upgrade.meaning import Upgrade
    from ccmcheck.workspace.survey import Survey

CHANGES, UNREADABLE = 1, 3


@click.command("upgrade", short_help="Say what a file means after an upgrade of the CCM.")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.files)
@click.option("--from", "old", metavar="R", help="The CCM release that runs now. Default: its image among the files.")
@click.option("--to", "new", metavar="R", help="The release to upgrade to. Default: the newest.")
@cloud_options
@variable_options
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input (`-`).")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", help="Default: text."
)
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what UpgradeArguments declares
    """Say what FILE means after an upgrade of the CCM.

    Keys that vanish, come to life, or change their default; whether the CCM still starts; behaviour that no key shows;
    findings that come and go; each with the tag that brings it and what to do. FILE is a cloud.conf in any carrier,
    or a folder; with Services among the files, it is about them. ``ccmcheck fix --for-release R`` makes the changes
    that keep what is. Exit code: 1 where anything changes.
    """
    return run(UpgradeArguments(**options))


class UpgradeArguments(NamedTuple):
    """What was typed; see the options above."""

    paths: tuple[str, ...]
    old: str | None
    new: str | None
    cloud: CloudArguments
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    template: bool | None
    max_size: int | None
    stdin_filename: str | None
    form: str


def run(given: UpgradeArguments) -> int:
    """Compare, print, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use, or there is no cloud.conf.
    """
    from ccmcheck import catalog
    from ccmcheck.base.redact_report import redact_report
    from ccmcheck.carriers import FindOptions
    from ccmcheck.cli.options import variables
    from ccmcheck.cli.predicting import look
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE

    check_cloud(given.cloud)
    # a release that does not exist is told before any file is read
    after = catalog.release(given.new) if given.new is not None else catalog.newest()
    before = catalog.release(given.old) if given.old is not None else None
    options = FindOptions(variables=variables(given.variables, given.env_files, {}), template=given.template)
    survey = look(given.paths, options, given.stdin_filename, given.max_size or DEFAULT_MAX_SIZE)
    if before is None:
        before = _running(survey)
    if not before < after:
        raise WrongUse(f"{after.name} is not newer than {before.name}.", "Give the older release with --from.")
    if not survey.ccm_confs:
        _complain(given, survey)
    found = redact_report(list(_upgrades(given, survey, before, after)), survey.texts())
    console.write(_written(given, found, before.name, after.name))
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    return 0 if all(one.is_quiet for one in found) else CHANGES


def _running(survey: Survey) -> Release:
    """The release of the CCM's image among the files."""
    from ccmcheck import catalog

    named = dict.fromkeys(pod.release for pod in survey.workloads if pod.release)
    if not named:
        raise WrongUse("Nobody says which release runs now.", "Give it with --from, such as --from 1.25.")
    return min(catalog.release(name) for name in named)


def _complain(given: UpgradeArguments, survey: Survey) -> None:
    if survey.failures:
        first = survey.failures[0]
        raise InputError(f"{first.place}: {first.message}", first.hint)
    raise InputError(
        f"there is no cloud.conf in {' '.join(given.paths)}",
        "It has a section such as [Global] or [LoadBalancer], plain or in a manifest.",
    )


def _upgrades(given: UpgradeArguments, survey: Survey, before: Release, after: Release) -> Iterator[Upgrade]:
    from ccmcheck.base import path_proximity as near
    from ccmcheck.carriers.base import Bundle
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.lint.engine import Linter, Settings
    from ccmcheck.review.upgrade.meaning import upgrade, upgrade_path

    gathered, cloud = cluster_of(given.cloud, [found for _, found in survey.objects], survey.workloads)
    paths = {id(found): path for path, found in survey.objects}
    services: dict[int, dict[str, Service]] = {}
    for met in gathered.services:
        for config in near.nearest_upwards(paths[id(met.found)], survey.ccm_confs):
            services.setdefault(id(config.carried), {}).setdefault(met.service.title, met.service)
    around = Bundle(facts=cloud.facts)
    linters = (
        Linter(Settings(judged=(TargetRelease("ccm", before, "--from"),)), around),
        Linter(Settings(judged=(TargetRelease("ccm", after, "--to"),)), around),
    )
    for config in survey.ccm_confs:
        if config.carried is not None:
            pods = near.nearest(config.path, survey.workloads)
            mine = services.get(id(config.carried), {})
            yield upgrade(config.path, config.carried, upgrade_path(before, after), linters, mine, cloud, pods)


def _written(given: UpgradeArguments, found: list[Upgrade], old: str, new: str) -> Iterator[str]:
    from ccmcheck.review.upgrade import report

    if given.form == "json":
        import json

        document = {"version": 1, "from": old, "to": new, "configs": [report.as_data(one) for one in found]}
        yield json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        return
    form_of = report.as_markdown if given.form == "markdown" else report.as_text
    yield from (f"{line}\n" for line in form_of(found, old, new))
