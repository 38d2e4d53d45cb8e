"""``ccmcheck upgrade --from in-tree@R`` and ``--to ovn``: the move from one provider to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import console
from ccmcheck.cli.cloud import cluster_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.conf.target_release import TargetRelease
    from ccmcheck.review.migration.plan import MigrationPlan
    from ccmcheck.workspace.survey import Survey, SurveyedConf

IN_TREE, OVN, AMPHORA = "in-tree", "ovn", "amphora"


class Move:
    """What ``--from`` and ``--to`` name where they are not two releases.

    Args:
        old: ``--from``: ``in-tree@1.20``; ``amphora`` or ``amphora@1.31``.
        new: ``--to``: a release; ``ovn`` or ``ovn@1.31``.

    Raises:
        WrongUse: They do not go together, or there is no such release.
    """

    def __init__(self, old: str | None, new: str | None) -> None:
        from ccmcheck import catalog
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
        from ccmcheck.workspace.deployment.build import Candidates, deployments, no_deployment
        from ccmcheck.workspace.deployment.record import is_named

        def judged(_: SurveyedConf, _version: str) -> tuple[TargetRelease, ...]:
            return (TargetRelease(self.consumer, self.before, "--from"),)

        configs = tuple(self.configs(survey))
        selected = configs
        if names:
            named = {
                name: [config for config in configs if is_named(config.path, config.subject, name)] for name in names
            }
            missing = next((name for name, matching in named.items() if not matching), None)
            if missing is not None:
                raise no_deployment(missing, [one.name for one in configs])
            selected = tuple(conf for conf in configs if any(conf in matching for matching in named.values()))
        found_deployments = deployments(
            survey, Candidates(configs, selected), judged, lambda _, objects, pods: cluster_of(cloud, objects, pods)
        )
        for deployment in found_deployments:
            kind = IN_TREE if self.is_in_tree else OVN
            yield plan(kind, deployment, self.after, survey, inputs.find_of(deployment.config.path))

    def configs(self, survey: Survey) -> Iterator[SurveyedConf]:
        """The cloud.confs that the provider may read now."""
        from ccmcheck.workspace.survey import SurveyedConf

        for path, conf in survey.confs:
            if not conf.consumers or self.consumer in conf.consumers:
                yield SurveyedConf(path, f"{path} › {conf.route}" if conf.route else path, conf)


def written(plans: Sequence[MigrationPlan], form: str) -> Iterator[str]:
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
