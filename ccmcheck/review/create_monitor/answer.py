"""Answers the question of create-monitor for one configuration and its Services: puts the page's records together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.conf.target_release import ASSUMED
from ccmcheck.policy.create_monitor import story
from ccmcheck.policy.create_monitor.records import Advice, Via
from ccmcheck.predict.advice.deciding import Decided, Decision, decide, placeholder_services
from ccmcheck.predict.conformance import conformance_of_each
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.verdicts.matrix_row import Demands
from ccmcheck.review.create_monitor import records
from ccmcheck.review.create_monitor.arguments import arguments
from ccmcheck.review.create_monitor.metrics import figures
from ccmcheck.review.create_monitor.motion import first_connections, motion, options_for, setting_of
from ccmcheck.review.create_monitor.worlds import arguments_of_each, joined, motion_of_each, same_since, worlds

_MOST_OPEN = 3
"""Keys that are known after rendering only, which a note names."""


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
        each: As each text says it that a template's conditions make; empty for the only one.
    """

    options: Options
    title: str = ""
    source: str = ""
    each: tuple[Options, ...] = ()


def answer(
    config: JudgedConfig,
    asked: Sequence[Asked],
    cloud: CloudState,
    demands: Demands = Demands(),  # noqa: B008 - an immutable record
    notes: Sequence[str] = (),
) -> records.QuestionPage:
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

    def decided(of: Sequence[Options], these: Sequence[Asked]) -> list[Decision]:
        services = [one.service for one in these]
        return [decide(one, services, cloud, demands, tune=False) for one in of]

    possible = worlds(config.each or (options,))
    each = decided(possible, listed)
    decision = joined(each)

    def rows(one: Decision) -> tuple[records.MotionRow, ...]:
        shares = next(iter(first_connections(one)), None)
        return motion(one, figures(one), tuple(_scripts([one])), shares, has_services=has_services)

    def weighed(reasons: tuple[story.Reason, ...]) -> tuple[records.PageArgument, ...]:
        return arguments_of_each([list(arguments(reasons, one, has_services=has_services)) for one in each])

    return records.QuestionPage(
        config=config.title,
        release=options.release.name,
        source=_source(config, each),
        stop=options.stop,
        provider=" or ".join(dict.fromkeys(one.lb_provider for one in possible)),
        nodes=cloud.node_count,
        recommendation=_recommendation(decision, cloud),
        services=tuple(
            _of_each(each, number, _case(found, one, stand_in=not has_services))
            for number, (found, one) in enumerate(zip(decision.services, listed, strict=True))
        ),
        notes=(*notes, *_assumed(decision, possible)),
        figures=tuple(figures(decision)) if has_services else (),
        scripts=tuple(_scripts(each)),
        arguments=weighed(story.FOR),
        risks=weighed(story.RISKS),
        instead=weighed(story.INSTEAD),
        motion=motion_of_each(each, rows),
        first_connections=first_connections(decision),
        options=options_for(decision, has_services=has_services),
        setting=setting_of(each),
        tenants=_tenants(decided(possible, stand_ins), decided([one.changed for one in each], stand_ins), stand_ins)
        if has_services
        else (),
        assumed=tuple(dict.fromkeys(text for service in decision.services for text in service.now.assumed))
        if has_services
        else (),
    )


def _tenants(
    before: Sequence[Decision], after: Sequence[Decision], stand_ins: Sequence[Asked]
) -> tuple[records.ServiceCase, ...]:
    """The Services that a tenant may create, with the files as they are and with the motion."""
    pairs = zip(joined(before).services, joined(after).services, stand_ins, strict=True)
    return tuple(
        _of_each(before, number, _case(now._replace(then=later.now), one, stand_in=True))
        for number, (now, later, one) in enumerate(pairs)
    )


def _source(config: JudgedConfig, each: Sequence[Decision]) -> str:
    """Why that release; of one that is assumed from which on the answer is the same."""
    since = same_since(each) if config.source.startswith(ASSUMED) and not config.options.stop else None
    if since is None:
        return config.source
    why, comma, rest = config.source.partition(",")
    return f"{why}; the same answer from {since.name} on{comma}{rest}"


def _recommendation(decision: Decision, cloud: CloudState) -> records.Recommendation:
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
    return records.Recommendation(
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


def _case(decided: Decided, asked: Asked, *, stand_in: bool) -> records.ServiceCase:
    row, service = decided.row, decided.service
    cautions = tuple(f"{caution.text} [{caution.source}]" for caution in decided.cautions)
    why = "" if row is None else row.why
    if row is not None and decided.refusal and (row.id == "M19" or not decided.fits):
        why = f"{why}: {decided.refusal}"
    timed = row is not None and row.advice is not Advice.NONE and decided.wants is not False
    return records.ServiceCase(
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
            records.RowTrial(trial.row.id, trial.judgement.matches, trial.judgement.why or trial.row.why)
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


def _of_each(decisions: Sequence[Decision], number: int, case: records.ServiceCase) -> records.ServiceCase:
    """The case with the row of each configuration."""
    rows = [decision.services[number].row for decision in decisions]
    advice = {None if row is None else row.advice for row in rows}
    return case._replace(
        row=None if None in rows else " or ".join(dict.fromkeys(row.id for row in rows if row is not None)),
        advice=case.advice if len(advice) == 1 else None,
    )


def _scripts(decisions: Sequence[Decision]) -> Iterator[records.ScriptCase]:
    if any(decision.config.stop for decision in decisions):
        return
    cloud = decisions[0].cloud
    before, after = (
        conformance_of_each(side, cloud)
        for side in ([one.config for one in decisions], [one.changed for one in decisions])
    )
    for now, then in zip(before, after, strict=True):
        texts = [f"{script.text}: {script.why}" if script.why else script.text for script in (now, then)]
        yield records.ScriptCase(now.name, now.policy, now.passes, then.passes, *texts)


def _assumed(decision: Decision, possible: Sequence[Options]) -> Iterator[str]:
    if not decision.config.open or decision.config.stop:
        return
    # the keys that were told apart come last
    keys = decision.config.open[::-1]
    providers = list(dict.fromkeys(one.lb_provider for one in possible))
    how = f"judged for each of {' and '.join(providers)}" if len(providers) > 1 else "defaults are assumed"
    yield f"known after rendering only: {first_of(keys, _MOST_OPEN)}; {how}"
