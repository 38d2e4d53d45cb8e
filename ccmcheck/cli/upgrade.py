"""``ccmcheck upgrade``: what changes for a file when the CCM is upgraded, or moved from one provider to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cloud import cluster_of, resolve_cloud
from ccmcheck.cli.input_files import candidates, look, no_cloud_conf
from ccmcheck.cli.review import written
from ccmcheck.cli.running import CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ccmcheck.catalog import Release
    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.review.migration.plan import MigrationPlan
    from ccmcheck.workspace.deployment.build import Candidates
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import Survey, SurveyedConf

_MOST_NAMED = 3
IN_TREE, OVN, AMPHORA = "in-tree", "ovn", "amphora"
FORMATS = ("text", "markdown", "json", "html")


@declared(
    "upgrade",
    "paths config_from deployments old new CLOUD INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """Report what changes for a file when the CCM is upgraded.

    Keys that are removed, take effect, or change their default; whether the CCM still starts; behaviour without a key;
    findings that come and go; each with the tag that brings it and what to do; and what the new release sends for each
    Service whose load balancer is there. PATH is a cloud.conf in any carrier, a folder, or - for standard input;
    without one, the current folder.
    Without --from, each cloud.conf is upgraded from the release of the CCM's image or chart that is nearest to it.
    --to is the newest release by default. --from in-tree@R and --to ovn are moves from one provider to another: what
    each key becomes, the new cloud.conf, the steps in their order, what Services keep or lose, what cannot be kept.
    ``ccmcheck fix --to R`` makes the changes that keep the present behaviour.

    Exit code: 1 where anything changes.
    """
    from ccmcheck.base.suggest import first_of
    from ccmcheck.redact.report import redact_report
    from ccmcheck.review.change.compare import review
    from ccmcheck.review.change.inputs import Side

    given, paths, inputs, _ = run.given, run.paths, run.inputs, run.outputs
    if Move.is_meant(given.old, given.new):
        return _migrate(run)
    # a release that does not exist is reported before any file is read
    after = catalog.release(given.new) if given.new is not None else catalog.newest()
    before = catalog.release(given.old) if given.old is not None else None
    if before is not None and not before < after:
        raise _no_upgrade(before, after)
    survey = look(paths, inputs, () if given.old is None else (given.old,))
    if not survey.ccm_confs:
        raise no_cloud_conf(paths, survey, inputs)
    chosen = candidates(None, given.deployments, survey, inputs)
    running = {config: _running(config, before, survey, inputs) for config in chosen.selected}
    older = {config: known for config, known in running.items() if known.release is not None and known.release < after}
    if not older:
        raise _nothing_to_upgrade(running, after)
    cloud = resolve_cloud(given.cloud, inputs.shared)
    names = list(dict.fromkeys(known.release.name for known in older.values() if known.release is not None))
    found = review(
        *(
            Side(
                f"CCM {name}",
                survey,
                tuple(_deployments(survey, chosen._replace(selected=tuple(older)), older, release, cloud)),
            )
            for name, release in ((first_of(names, _MOST_NAMED), None), (after.name, after))
        )
    )
    run.write(lambda form: written(found, form, "upgrade", verbose=given.verbose, quiet=given.quiet))
    left_out = [line for known in running.values() for line in _left_out(known, after)]
    for said in redact_report(left_out, survey.texts()):
        console.warn(said)
    return run.ended(survey.failures, found=bool(found.changes))


def _migrate(run: CommandRun) -> int:
    arguments, inputs = run.given, run.inputs
    move = Move(arguments.old, arguments.new)
    survey = look(run.paths, inputs, (arguments.old or "",))
    if not any(True for _ in move.configs(survey)):
        raise no_cloud_conf(run.paths, survey, inputs)
    plans = list(move.plans(survey, arguments.deployments, resolve_cloud(arguments.cloud, inputs.shared), inputs))
    if "html" in run.outputs.formats and len(plans) > 1:
        raise WrongUse(f"A page shows one cloud.conf, and there are {len(plans)}.", "Name one with --deployment.")
    run.write(lambda form: _written(plans, form))
    return run.ended(survey.failures, found=True)


class Move:
    """What ``--from`` and ``--to`` name where they are not two releases.

    Args:
        old: ``--from``: ``in-tree@1.20``; ``amphora`` or ``amphora@1.31``.
        new: ``--to``: a release; ``ovn`` or ``ovn@1.31``.

    Raises:
        WrongUse: They do not go together, or there is no such release.
    """

    def __init__(self, old: str | None, new: str | None) -> None:
        from ccmcheck.carriers.base import IN_TREE as READER
        from ccmcheck.conf.target_release import CCM

        left, _, release = (old or "").partition("@")
        to, _, target = (new or "").partition("@")
        self.is_in_tree = left in (IN_TREE, READER)
        if self.is_in_tree is (to == OVN) or (to == OVN and left not in (AMPHORA, "")):
            raise WrongUse(
                "A move is from in-tree to a release of the CCM, or from amphora to ovn.",
                "Write --from in-tree@1.20 --to 1.31, or --from amphora@1.31 --to ovn.",
            )
        self.consumer = READER if self.is_in_tree else CCM
        self.before = catalog.release(release, self.consumer) if release else catalog.newest(self.consumer)
        self.after = catalog.release(new) if self.is_in_tree and new else catalog.newest()
        if not self.is_in_tree:
            self.after = catalog.release(target) if target else self.before

    @staticmethod
    def is_meant(old: str | None, new: str | None) -> bool:
        """Whether they name providers."""
        named = {(old or "").partition("@")[0], (new or "").partition("@")[0]}
        return not named.isdisjoint((IN_TREE, "legacy-in-tree", AMPHORA, OVN))

    def plans(
        self, survey: Survey, names: Sequence[str], cloud: CloudArguments, inputs: CommandInputs
    ) -> Iterator[MigrationPlan]:
        """A plan for each cloud.conf.

        Args:
            survey: What all files hold.
            names: ``--deployment``, each.
            cloud: What the options say of the cloud.
            inputs: How files are read.
        """
        from ccmcheck.conf.target_release import TargetRelease
        from ccmcheck.review.migration.plan import plan
        from ccmcheck.workspace.deployment.build import deployments, selected

        def judged(_: SurveyedConf, _version: str) -> tuple[TargetRelease, ...]:
            return (TargetRelease(self.consumer, self.before, "--from"),)

        (chosen,) = selected([list(self.configs(survey))], names)
        for deployment in deployments(
            survey, chosen, judged, lambda _, objects, pods: cluster_of(cloud, objects, pods)
        ):
            kind = IN_TREE if self.is_in_tree else OVN
            yield plan(kind, deployment, self.after, survey, inputs.find_of(deployment.config.path))

    def configs(self, survey: Survey) -> Iterator[SurveyedConf]:
        """The cloud.confs that the provider may read now."""
        from ccmcheck.workspace.survey import SurveyedConf

        for path, conf in survey.confs:
            if not conf.consumers or self.consumer in conf.consumers:
                yield SurveyedConf(path, f"{path} › {conf.route}" if conf.route else path, conf)


def _written(plans: Sequence[MigrationPlan], form: str) -> Iterator[str]:
    """The plans in one form, in pieces.

    Args:
        plans: The plans.
        form: ``text``, ``markdown``, ``json`` or ``html``.
    """
    if form == "json":
        from ccmcheck.report.records import dumped_lines
        from ccmcheck.review.change.json_form import plain_review

        yield dumped_lines({"version": 1, "migrations": [plain_review(one) for one in plans]})
        return
    from ccmcheck.review.migration import report

    if form == "html":
        from ccmcheck.report.document import blocks as b
        from ccmcheck.report.document.html import page

        facts = b.Facts((b.LabelledValue("cloud.conf", b.Code(plans[0].source)),))
        yield page(report.title(plans[0]), "ccmcheck upgrade", facts, tuple(report.sections(plans[0])))
        return
    from ccmcheck.report.document import markdown, text

    for number, plan in enumerate(plans):
        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        lines = markdown.write(report.blocks(plan)) if form == "markdown" else text.write(report.blocks(plan), width)
        yield from (f"{line}\n" for line in (lines if not number else ("", *lines)))


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


def _running(config: SurveyedConf, named: Release | None, survey: Survey, inputs: CommandInputs) -> Running:
    """The release that ``--from`` names, the oldest that the configuration names, or what the files say."""
    if named is not None:
        return Running(config, named, "--from")
    configured = inputs.of(config.path).release or inputs.shared.release
    if configured:
        return Running(config, min(catalog.release(name) for name in configured), "the configuration")
    release = survey.release_of(config)
    if release.release is not None:
        return Running(
            config, release.release, release.target.source if release.target.is_assumed else f"from {release.place}"
        )
    return Running(config, None, release.unknown or "no image and no chart near it says one")


def _deployments(
    survey: Survey,
    chosen: Candidates,
    older: Mapping[SurveyedConf, Running],
    release: Release | None,
    cloud: CloudArguments,
) -> list[Deployment]:
    """The deployments at one release, or each at the one that runs."""
    from ccmcheck.conf.target_release import CCM, TargetRelease
    from ccmcheck.workspace.deployment.build import deployments

    def judged(config: SurveyedConf, _version: str) -> tuple[TargetRelease, ...]:
        known = older[config]
        by = release or known.release
        return (TargetRelease(CCM, by, known.source),) if by is not None else ()

    return deployments(survey, chosen, judged, lambda _, objects, pods: cluster_of(cloud, objects, pods))


def _nothing_to_upgrade(running: Mapping[SurveyedConf, Running], after: Release) -> WrongUse:
    known = [one.release for one in running.values() if one.release is not None]
    if known:
        return _no_upgrade(min(known), after)
    reasons = "; ".join(dict.fromkeys(one.source for one in running.values() if one.source))
    return WrongUse(f"The release that runs now is unknown: {reasons}.", "Name it with --from, such as --from 1.25.")


def _no_upgrade(before: Release, after: Release) -> WrongUse:
    return WrongUse(f"{after.name} is not newer than {before.name}.", "Give the older release with --from.")


def _left_out(known: Running, after: Release) -> Iterator[str]:
    """Why a cloud.conf is not in the report."""
    if known.release is None:
        yield f"{known.config.title}: the release that runs now is unknown: {known.source}; name it with --from"
    elif not known.release < after:
        yield f"{known.config.title}: the CCM {known.release.name} is not older than {after.name}"
