"""``ccmcheck upgrade``: what changes for a file when the CCM is upgraded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cloud import cluster_of, resolve_cloud
from ccmcheck.cli.cloud_arguments import CloudArguments
from ccmcheck.cli.cloud_options import cloud_options
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.input_files import candidates, look, no_cloud_conf
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CONFIG_FROM,
    DEPLOYMENT,
    FROM,
    TO,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import base_revision, or_current_folder, resolve_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.base.cluster_facts import ClusterFacts
    from ccmcheck.catalog import Release
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.deployment.build import Candidates
    from ccmcheck.deployment.record import Deployment
    from ccmcheck.review.upgrade.meaning import Upgrade
    from ccmcheck.workspace.survey import Survey, SurveyedConf

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
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(CONFIG_FROM, DEPLOYMENT, FROM, TO)
@cloud_options
@input_options
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what UpgradeArguments declares
    """Report what changes for a file when the CCM is upgraded.

    Keys that are removed, take effect, or change their default; whether the CCM still starts; behaviour without a key;
    findings that come and go; each with the tag that brings it and what to do. PATH is a cloud.conf in any carrier, a
    folder, or - for standard input; without one, the current folder. With Services among the files, it is about them.
    Without --from, each cloud.conf is upgraded from the release of the CCM's image or chart that is nearest to it.
    --to is the newest release by default. ``ccmcheck fix --to R`` makes the changes that keep the present behaviour.

    Exit code: 1 where anything changes.
    """
    return run(UpgradeArguments(**values))


class UpgradeArguments(NamedTuple):
    """The arguments of ``upgrade``; see the options above."""

    paths: tuple[str, ...]
    config_from: str | None
    deployments: tuple[str, ...]
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
    paths = or_current_folder(arguments.paths)
    with base_revision(paths, arguments.config_from) as base:
        return _run(arguments, paths, resolve_inputs(arguments.inputs, paths, base))


def _run(arguments: UpgradeArguments, paths: tuple[str, ...], inputs: Inputs) -> int:
    from ccmcheck import catalog
    from ccmcheck.redact.report import redact_report

    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=inputs.run.color)
    arguments = arguments._replace(cloud=resolve_cloud(arguments.cloud, inputs.shared))
    # a release that does not exist is reported before any file is read
    after = catalog.release(arguments.new) if arguments.new is not None else catalog.newest()
    before = catalog.release(arguments.old) if arguments.old is not None else None
    if before is not None:
        _refuse_downgrade(before, after)
    survey = look(paths, inputs, () if arguments.old is None else (arguments.old,))
    if not survey.ccm_confs:
        raise no_cloud_conf(paths, survey, inputs)
    chosen = candidates(None, arguments.deployments, survey, inputs)
    running = [_running(config, before, survey, inputs) for config in chosen.selected]
    groups = _groups(_deployments(arguments, survey, chosen, running), running, after)
    upgrades = [(group, redact_report(list(_upgrades(group, after)), survey.texts())) for group in groups]
    outputs.write_painted(lambda form: _written(form, upgrades, after.name))
    for said in redact_report([line for known in running for line in _left_out(known, after)], survey.texts()):
        console.warn(said)
    for failure in survey.failures:
        console.warn(f"{failure.place}: {failure.message}")
    if survey.failures:
        return UNREADABLE
    return 0 if all(found.is_quiet for _, found_by_group in upgrades for found in found_by_group) else CHANGES


class Running(NamedTuple):
    """The release that reads a cloud.conf before the upgrade.

    Attributes:
        config: The cloud.conf.
        release: The release; None where it is unknown.
        source: Where that comes from, or why it is unknown.
    """

    config: SurveyedConf
    release: Release | None
    source: str


class ReleaseGroup(NamedTuple):
    """The deployments whose cloud.confs one release reads.

    Attributes:
        release: The release.
        members: The deployments.
    """

    release: Release
    members: list[Deployment]


def _running(config: SurveyedConf, named: Release | None, survey: Survey, inputs: Inputs) -> Running:
    """The release that ``--from`` names, the oldest that the configuration names, or what the files say."""
    from ccmcheck import catalog

    if named is not None:
        return Running(config, named, "--from")
    configured = inputs.of(config.path).release or inputs.shared.release
    if configured:
        return Running(config, min(catalog.release(name) for name in configured), "the configuration")
    found = survey.release_of(config)
    if found.release is not None:
        return Running(config, found.release, found.target.source if found.target.is_assumed else f"from {found.place}")
    return Running(config, None, found.unknown or "no image and no chart near it says one")


def _deployments(
    arguments: UpgradeArguments, survey: Survey, chosen: Candidates, running: Sequence[Running]
) -> list[Deployment]:
    """The deployments whose release is known."""
    from ccmcheck.conf.target_release import CCM, TargetRelease
    from ccmcheck.deployment.build import deployments

    known = {one.config: one for one in running}

    def judged(config: SurveyedConf) -> tuple[TargetRelease, ...]:
        release, source = known[config].release, known[config].source
        return () if release is None else (TargetRelease(CCM, release, source),)

    return deployments(survey, chosen, judged, lambda _, objects, pods: cluster_of(arguments.cloud, objects, pods))


def _groups(found: Sequence[Deployment], running: Sequence[Running], after: Release) -> list[ReleaseGroup]:
    """The deployments by their release, the oldest first, without those that need no upgrade.

    Raises:
        WrongUse: None is left.
    """
    groups: dict[Release, ReleaseGroup] = {}
    for one in found:
        groups.setdefault(one.judged.release, ReleaseGroup(one.judged.release, [])).members.append(one)
    if not groups:
        reasons = dict.fromkeys(one.source for one in running if one.source)
        raise WrongUse(
            f"The release that runs now is unknown: {'; '.join(reasons)}.", "Name it with --from, such as --from 1.25."
        )
    older = [groups[release] for release in sorted(groups) if release < after]
    if not older:
        _refuse_downgrade(min(groups), after)
    return older


def _left_out(known: Running, after: Release) -> Iterator[str]:
    """Why a cloud.conf is not in the report."""
    if known.release is None:
        yield f"{known.config.title}: the release that runs now is unknown: {known.source}; name it with --from"
    elif not known.release < after:
        yield f"{known.config.title}: the CCM {known.release.name} is not older than {after.name}"


def _refuse_downgrade(before: Release, after: Release) -> None:
    if not before < after:
        raise WrongUse(f"{after.name} is not newer than {before.name}.", "Give the older release with --from.")


def _upgrades(group: ReleaseGroup, after: Release) -> Iterator[Upgrade]:
    from ccmcheck.carriers.base import RunContext
    from ccmcheck.conf.target_release import CCM, TargetRelease
    from ccmcheck.lint.engine import Linter
    from ccmcheck.lint.settings import Settings
    from ccmcheck.review.upgrade.meaning import ReleaseFindings, upgrade, upgrade_path

    ends = TargetRelease(CCM, group.release, "--from"), TargetRelease(CCM, after, "--to")
    judges: dict[ClusterFacts, ReleaseFindings] = {}
    for one in group.members:
        if one.config.carried is None:
            continue
        facts = one.cloud.facts
        if facts not in judges:
            judges[facts] = ReleaseFindings(*(Linter(Settings(judged=(end,)), RunContext(facts=facts)) for end in ends))
        services = {found.service.title: found.service for found in one.gathered.services}
        yield upgrade(
            one.config.path,
            one.config.carried,
            upgrade_path(group.release, after),
            judges[facts],
            services,
            one.cloud,
            one.workloads,
        )


def _written(form: str, groups: Sequence[tuple[ReleaseGroup, list[Upgrade]]], new: str) -> Iterator[str]:
    from ccmcheck.review.upgrade import report

    if form == "json":
        from ccmcheck.report.records import dumped_lines

        document = {
            "version": 1,
            "from": groups[0][0].release.name,
            "to": new,
            "configs": [
                {**report.as_data(one), "from": group.release.name, "release_source": member.judged.source}
                for group, found in groups
                for member, one in zip(group.members, found, strict=True)
            ],
        }
        yield dumped_lines(document)
        return
    form_of = report.as_markdown if form == "markdown" else report.as_text
    for number, (group, found) in enumerate(groups):
        if number:
            yield "\n"
        yield from (f"{line}\n" for line in form_of(found, group.release.name, new))
