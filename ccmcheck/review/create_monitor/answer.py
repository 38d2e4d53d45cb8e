"""Answers the question of create-monitor for one configuration and its Services: puts the page's records together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor import story
from ccmcheck.policy.create_monitor.records import Advice, Via
from ccmcheck.predict.advice.deciding import Decided, Decision, decide, placeholder_services
from ccmcheck.predict.conformance import conformance
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.verdicts.matrix_row import Demands
from ccmcheck.review.create_monitor.arguments import arguments
from ccmcheck.review.create_monitor.metrics import figures
from ccmcheck.review.create_monitor.motion import first_connections, motion, options_for, setting_of
from ccmcheck.review.create_monitor.records import (
    PageArgument,
    QuestionPage,
    Recommendation,
    RowTrial,
    ScriptCase,
    ServiceCase,
)


class Asked(NamedTuple):
    """A Service, and where it is.

    Attributes:
        service: The Service.
        path: Its file.
        line: Its line in it, from 1; 0 where that is not known.
    """

    service: Service
    path: str = ""
    line: int = 0


class JudgedConfig(NamedTuple):
    """A configuration, and where it is from.

    Attributes:
        options: As one release reads it.
        title: The file and the route in it; empty where the defaults stand in.
        source: Why that release.
    """

    options: Options
    title: str = ""
    source: str = ""


def answer(
    config: JudgedConfig,
    asked: Sequence[Asked],
    cloud: CloudState,
    demands: Demands = Demands(),  # noqa: B008 - an immutable record
    notes: Sequence[str] = (),
) -> QuestionPage:
    """Answer the question.

    Args:
        config: The configuration.
        asked: The Services; without any, a TCP Service of each policy is assumed.
        cloud: What is known of the cloud and the cluster.
        demands: What no file says.
        notes: What else there is to say.
    """
    options = config.options
    has_services = bool(asked)
    stand_ins = [Asked(service) for service in placeholder_services()]
    listed = list(asked) or stand_ins

    def decided(of: Options, these: Sequence[Asked]) -> Decision:
        return decide(of, [one.service for one in these], cloud, demands, tune=False)

    decision = decided(options, listed)
    counted = tuple(figures(decision))
    scripts = tuple(_scripts(decision))
    shares = first_connections(decision)

    def weighed(reasons: tuple[story.Reason, ...]) -> tuple[PageArgument, ...]:
        return tuple(arguments(reasons, decision, has_services=has_services))

    return QuestionPage(
        config=config.title,
        release=options.release.name,
        source=config.source,
        stop=options.stop,
        provider=options.lb_provider,
        nodes=cloud.node_count,
        recommendation=_recommendation(decision, cloud),
        services=tuple(
            _case(found, one, stand_in=not has_services) for found, one in zip(decision.services, listed, strict=True)
        ),
        notes=(*notes, *_assumed(decision)),
        figures=counted if has_services else (),
        scripts=scripts,
        arguments=weighed(story.FOR),
        risks=weighed(story.RISKS),
        instead=weighed(story.INSTEAD),
        motion=motion(decision, counted, scripts, next(iter(shares), None), has_services=has_services),
        first_connections=shares,
        options=options_for(decision, has_services=has_services),
        setting=setting_of(decision),
        tenants=tuple(
            _case(now._replace(then=later.now), one, stand_in=True)
            for now, later, one in zip(
                decided(options, stand_ins).services,
                decided(decision.changed, stand_ins).services,
                stand_ins,
                strict=True,
            )
        )
        if has_services
        else (),
        assumed=tuple(dict.fromkeys(text for service in decision.services for text in service.now.assumed))
        if has_services
        else (),
    )


def _recommendation(decision: Decision, cloud: CloudState) -> Recommendation:
    config, choice = decision.config, decision.choice
    needs = list(choice.needs)
    if cloud.node_count is None and "--nodes" not in needs and decision.verdict.value:
        needs.append("--nodes")
    if decision.verdict.value is None:
        needs += [need for service in decision.services for trial in service.trials for need in trial.judgement.needs]
    why = decision.verdict.why
    unfit = sum(not service.fits for service in decision.services)
    if unfit:
        why += f", but for {unfit} of them"
    if not behaviours_of(config.release)["monitor-annotation"] and any(
        service.wants is not None and service.wants is not decision.verdict.value for service in decision.services
    ):
        why += f"; CCM {config.release.name} has no annotation for exceptions"
    timers = (
        ""
        if choice.timers is None or not decision.verdict.value
        else "as they are"
        if choice.keeps
        else choice.timers.name
    )
    return Recommendation(
        decision.verdict.value,
        None if "create-monitor" in config.open else config.create_monitor,
        "create-monitor" in config.given,
        why,
        tuple(row.id for row in decision.verdict.rows),
        dict(decision.keys),
        timers,
        choice.why if decision.verdict.value else "",
        tuple(dict.fromkeys(needs)),
    )


def _case(decided: Decided, asked: Asked, *, stand_in: bool) -> ServiceCase:
    row, service = decided.row, decided.service
    cautions = tuple(f"{caution.text} [{caution.source}]" for caution in decided.cautions)
    why = "" if row is None else row.why
    if row is not None and decided.refusal and (row.id == "M19" or not decided.fits):
        why = f"{why}: {decided.refusal}"
    timed = row is not None and row.advice is not Advice.NONE and decided.wants is not False
    return ServiceCase(
        service=service.title if not stand_in else f"any Service with policy {service.policy}",
        path=asked.path,
        line=asked.line,
        stand_in=stand_in,
        policy=service.policy,
        ports=tuple(f"{port.protocol}/{port.port}" for port in service.ports),
        row=None if row is None else row.id,
        advice=None if row is None else row.advice.value,
        via="" if row is None or row.via is Via.NOWHERE else row.via.value,
        why=why,
        actions=() if row is None else row.actions,
        cautions=cautions,
        source="" if row is None else row.source,
        tried=tuple(
            RowTrial(trial.row.id, trial.judgement.matches, trial.judgement.why or trial.row.why)
            for trial in decided.trials
        ),
        needs=tuple(
            f"{trial.row.id}: {trial.judgement.why}" for trial in decided.trials if trial.judgement.matches is None
        ),
        timers=None if decided.pick.timers is None or not timed else decided.pick.timers.name,
        timers_why=decided.pick.why if timed else "",
        annotations=dict(decided.annotations),
        now=decided.now,
        then=decided.then,
    )


def _scripts(decision: Decision) -> Iterator[ScriptCase]:
    if decision.config.stop:
        return
    before, after = conformance(decision.config, decision.cloud), conformance(decision.changed, decision.cloud)
    for now, then in zip(before, after, strict=True):
        texts = [f"{script.text}: {script.why}" if script.why else script.text for script in (now, then)]
        yield ScriptCase(now.name, now.policy, now.passes, then.passes, *texts)


def _assumed(decision: Decision) -> Iterator[str]:
    if decision.config.open and not decision.config.stop:
        yield f"known after rendering only: {', '.join(decision.config.open)}; defaults are assumed"
