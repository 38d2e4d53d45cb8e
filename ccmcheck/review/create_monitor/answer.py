"""Answers the question of create-monitor for one configuration and its Services: puts the page's records together.

One decision where conditions, or a provider that only rendering gives, leave several configurations.

Which arguments for and against monitors hold for a cluster, and what they come to there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog import Release, minors
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.target_release import ASSUMED
from ccmcheck.policy.create_monitor import story
from ccmcheck.policy.create_monitor.matrix import first_row
from ccmcheck.policy.create_monitor.records import Advice, Via
from ccmcheck.policy.create_monitor.story import Reason
from ccmcheck.policy.create_monitor.verdict import ConfigVerdict
from ccmcheck.predict.advice.deciding import Decided, Decision, decide, placeholder_services
from ccmcheck.predict.conformance import conformance_of_each
from ccmcheck.predict.drivers import USUAL_PROVIDERS, driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Prediction
from ccmcheck.predict.verdicts.matrix_row import Demands
from ccmcheck.predict.worlds import predict_each
from ccmcheck.review.create_monitor import records
from ccmcheck.review.create_monitor.motion import (
    count,
    figures,
    first_connections,
    motion,
    opens_ports,
    options_for,
    setting_of,
)

Weight = tuple[bool | None, str]
"""Whether an argument holds, None where that is not known, and what it comes to."""

_MOST_NAMED = 3


def arguments(reasons: Iterable[Reason], decision: Decision, *, has_services: bool) -> Iterator[records.PageArgument]:
    """Weigh each reason, in their order; those that do not hold come last.

    Args:
        reasons: For, against, or risks.
        decision: What was decided.
        has_services: Whether Services are given; stand-ins have no names.
    """
    cluster = _Cluster(decision, has_services)
    weighed = []
    for reason in reasons:
        special = _SPECIAL.get(reason.name)
        applies, here = special(cluster) if special is not None else cluster.weigh(reason)
        weighed.append(records.PageArgument(reason.name, reason.text, here, reason.source, applies))
    yield from sorted(weighed, key=lambda argument: argument.applies is False)


class _Cluster:
    """What arguments are weighed by."""

    def __init__(self, decision: Decision, has_services: bool) -> None:
        self.decision = decision
        self.config = decision.config
        self.release = decision.config.release
        self.services = decision.services
        self.has_services = has_services
        drivers = {service.question.driver for service in decision.services}
        self.driver = drivers.pop() if len(drivers) == 1 else None

    def weigh(self, reason: Reason) -> Weight:
        """One reason by its conditions; without any nothing is known of it."""
        if reason.always or reason.behaviour:
            return reason.always or behaves(reason.behaviour, self.release), ""
        if reason.row:
            return self.those(lambda service: row_of(service) == reason.row)
        if reason.driver and self.driver != reason.driver:
            return (None if self.driver is None else False), ""
        if not reason.policy or not (self.has_services or reason.driver):
            return (True if reason.driver else None), ""
        return self.of_policy(reason.policy)

    def of_policy(self, policy: str) -> Weight:
        """Whether there are Services of a policy, and their names."""
        return self.those(lambda service: service.service.policy == policy)

    def those(self, condition: Callable[[Decided], bool]) -> Weight:
        """Whether there are such Services, and their names."""
        names = [service.service.title for service in self.services if condition(service)]
        if not names or not self.has_services:
            return bool(names), ""
        return True, first_of(names, _MOST_NAMED)


def _local(cluster: _Cluster) -> Weight:
    if not cluster.has_services:
        return None, "any Local Service, once there is one"
    applies, names = cluster.of_policy("Local")
    return applies, names or "there is no Local Service"


def _dead_nodes(cluster: _Cluster) -> Weight:
    behaviours = behaviours_of(cluster.release)
    policies = {service.service.policy == "Local" for service in cluster.services} or {False}
    keeps = {False: "keeps-unready-nodes", True: "local-keeps-unready-nodes"}
    gates = {False: "gate-drops-unready-nodes", True: "gate-drops-unready-local-nodes"}
    kept = {is_local for is_local in policies if behaviours[keeps[is_local]]}
    if not kept:
        return False, f"CCM {cluster.release.name} still drops nodes that are not ready"
    if any(service.question.drops_unready for service in cluster.services):
        kept = {is_local for is_local in kept if not behaviours[gates[is_local]]}
        if not kept:
            return False, "StableLoadBalancerNodeSet is off"
    only = "Local Services only" if True in kept else "Services with policy Cluster only"
    return True, only if len(kept) < len(policies) else ""


def _quota(cluster: _Cluster) -> Weight:
    cloud = cluster.decision.cloud
    limit = cloud.facts.monitor_quota
    if limit is None:
        monitors = count([service.then for service in cluster.services])
        return None, f"{monitors} monitors; --monitor-quota is not given" if cluster.has_services else ""
    if limit < 0:
        return False, "the quota has no limit"
    needed = cloud.monitors_used + sum(len(service.service.ports) for service in cluster.services)
    return needed > limit, f"{needed} of {limit} with all ports"


def _refused(cluster: _Cluster) -> Weight:
    def is_refused(service: Decided) -> bool:
        return bool(service.question.refused) or row_of(service) in ("M05", "M06")

    applies, names = cluster.those(is_refused)
    whys = "; ".join(
        dict.fromkeys(decided.refusal for decided in cluster.services if is_refused(decided) and decided.refusal)
    )
    return applies, f"{names}: {whys}" if names and whys else names


def _udp_delay(cluster: _Cluster) -> Weight:
    applies, names = cluster.those(lambda service: any(port.protocol == "UDP" for port in service.service.ports))
    delay = cluster.config.monitor_delay
    applies = bool(applies) and 0 < delay < cluster.decision.cloud.udp_interval
    return applies, f"monitor-delay is {delay} s: {names}" if applies else ""


def _ovn_release(cluster: _Cluster) -> Weight:
    if not driver_of(cluster.config.lb_provider).is_special:
        return (None if cluster.driver is None else False), ""
    release = cluster.decision.cloud.ovn_release
    if not release:
        return None, "neither --ovn-octavia-release nor --octavia-release is given"
    works = {service.question.fip_fix for service in cluster.services}
    return True if False in works else None if None in works else False, f"ovn-octavia-provider {release}"


def _security_group(cluster: _Cluster) -> Weight:
    if opens_ports(cluster.decision):
        return False, "manage-security-groups is on, and the CCM opens the port"
    return True, cluster.of_policy("Local")[1]


def _annotation(cluster: _Cluster) -> Weight:
    if not behaviours_of(cluster.release)["monitor-annotation"]:
        return False, f"CCM {cluster.release.name} has no such annotation"
    return cluster.of_policy("Local") if cluster.has_services else (None, "")


def _labels(cluster: _Cluster) -> Weight:
    knows = behaviours_of(cluster.release)["node-selectors"]
    return None, "" if knows else f"CCM {cluster.release.name} knows the label alone"


def _unless_other(here: str) -> Callable[[_Cluster], Weight]:
    return lambda cluster: (None, here) if driver_of(cluster.config.lb_provider).has_amphorae is None else (True, "")


_SPECIAL: dict[str, Callable[[_Cluster], Weight]] = {
    "local": _local,
    "dead-nodes": _dead_nodes,
    "probes": _unless_other("how this provider probes is not known"),
    "silent": _unless_other(""),
    "quota": _quota,
    "refused": _refused,
    "udp-delay": _udp_delay,
    "udp": lambda cluster: cluster.those(
        lambda service: any(plan.monitor_type == "UDP-CONNECT" for plan in service.then.plans)
    ),
    "sub-second": lambda cluster: (cluster.config.monitor_delay < 1, ""),
    "retries-down": lambda cluster: (cluster.config.monitor_max_retries_down == 0, ""),
    "proxy-pools": lambda cluster: cluster.those(
        lambda service: service.service.policy == "Cluster" and bool(service.question.proxy)
    ),
    "units": lambda cluster: ("missing unit" in cluster.config.stop, ""),
    "ovn-release": _ovn_release,
    "security-group": _security_group,
    "annotation": _annotation,
    "labels": _labels,
}
"""Reasons that depend on more than the conditions of their data."""


def row_of(decided: Decided) -> str:
    """The row of the matrix that decides about a Service; empty where too little is known."""
    return decided.row.id if decided.row is not None else ""


_NO_KEYS = ("release", "classes", "stop", "unsupported", "given", "open", "where")


def worlds(each: Iterable[Options]) -> list[Options]:
    """The configurations that may be the one, those of Octavia's default provider first."""
    found = [world for options in each for world in _of_each_provider(options)]
    return sorted(found, key=lambda options: options.lb_provider != USUAL_PROVIDERS[0])


def _of_each_provider(options: Options) -> Iterator[Options]:
    if "lb-provider" not in options.open:
        yield options
        return
    for provider in USUAL_PROVIDERS:
        known = ["lb-provider"]
        world = options._replace(lb_provider=provider, where=options.where or f"where lb-provider = {provider}")
        only = driver_of(provider).only_method
        if only and "lb-method" in options.open:
            known.append("lb-method")
            world = world._replace(lb_method=only)
        yield world._replace(open=tuple(key for key in options.open if key not in known))


def joined(decisions: Sequence[Decision]) -> Decision:
    """What holds in all of them; predictions are unknown where they differ."""
    first, *others = decisions
    if not others:
        return first
    keys = [key for key in first.keys if all(key in other.keys for other in others)]
    values = [decision.verdict.value for decision in decisions]
    rows = tuple(dict.fromkeys(row for decision in decisions for row in decision.verdict.rows))
    verdict = first.verdict._replace(rows=rows)
    if len(set(values)) > 1:
        words = {True: "true", False: "false", None: "not known"}
        told = each_of(decisions, [words[value] for value in values])
        verdict, keys = ConfigVerdict(None, rows, f"it depends on what is known after rendering only: {told}"), []
    open_keys = (*(key for decision in decisions for key in decision.config.open), *_varying(decisions))
    return first._replace(
        config=first.config._replace(open=tuple(dict.fromkeys(open_keys))),
        verdict=verdict,
        keys=tuple(keys),
        services=tuple(_service(decisions, number) for number in range(len(first.services))),
    )


def _varying(decisions: Sequence[Decision]) -> Iterator[str]:
    for name in Options._fields:
        values = [getattr(decision.config, name) for decision in decisions]
        if name not in _NO_KEYS and any(value != values[0] for value in values):
            yield "provider-requires-serial-api-calls" if name == "serial" else name.replace("_", "-")


def _service(decisions: Sequence[Decision], number: int) -> Decided:
    cases = [decision.services[number] for decision in decisions]
    first, cloud = cases[0], decisions[0].cloud
    now = predict_each([decision.config for decision in decisions], first.service, cloud)
    then = predict_each([decision.changed for decision in decisions], first.changed, cloud)
    return first._replace(
        now=_with_numbers(now, [case.now for case in cases]), then=_with_numbers(then, [case.then for case in cases])
    )


def _with_numbers(prediction: Prediction, each: Sequence[Prediction]) -> Prediction:
    """The prediction with the numbers of each configuration where the answers differ, for programs."""
    answers = []
    for answer in prediction.answers:
        numbers = [dict(same.numbers) for one in each if (same := one.answer(answer.name)) is not None]
        is_lost = not answer.numbers and any(numbers)
        answers.append(answer._replace(numbers={"each": numbers}) if is_lost else answer)
    return prediction._replace(answers=tuple(answers))


def same_since(decisions: Sequence[Decision]) -> Release | None:
    """The oldest release from which on the same rows decide; None where that is the release itself."""
    decided = [(service.question, service.row) for decision in decisions for service in decision.services]
    current, since = decisions[0].config.release, None
    for release in sorted(minors("ccm"), reverse=True):
        if release < current:
            if any(first_row(question._replace(release=release)) is not row for question, row in decided):
                break
            since = release
    return since


def each_of(decisions: Sequence[Decision], texts: Sequence[str]) -> str:
    """A text where all have it, else each with the providers, or the conditions, that it holds for."""
    by_text: dict[str, list[Options]] = {}
    for decision, text in zip(decisions, texts, strict=True):
        by_text.setdefault(text, []).append(decision.config)
    if len(by_text) == 1:
        return texts[0]
    providers = [{config.lb_provider for config in configs} for configs in by_text.values()]
    if sum(map(len, providers)) == len(set().union(*providers)):
        return "; ".join(
            f"{' or '.join(sorted(of))}: {text or '–'}" for text, of in zip(by_text, providers, strict=True)
        )
    return f"by condition: {' or '.join(text or '–' for text in by_text)}"


def motion_of_each(
    decisions: Sequence[Decision], rows: Callable[[Decision], Sequence[records.MotionRow]]
) -> tuple[records.MotionRow, ...]:
    """The first screen's rows, in which what differs is said for each."""
    tables = [{row.label: row for row in rows(decision)} for decision in decisions]
    labels = dict.fromkeys(label for table in tables for label in table)
    empty = records.MotionRow("", "", "")
    found = []
    for label in labels:
        now, then = (each_of(decisions, [table.get(label, empty)[side] for table in tables]) for side in (1, 2))
        found.append(records.MotionRow(label, now, "as now" if now == then else then))
    return tuple(found)


def arguments_of_each(lists: Sequence[Sequence[records.PageArgument]]) -> tuple[records.PageArgument, ...]:
    """Arguments with what holds in all; where they differ whether they apply is not known."""
    if len(lists) == 1:
        return tuple(lists[0])
    tables = [{argument.name: argument for argument in arguments} for arguments in lists]
    found = []
    for name, first in tables[0].items():
        same = [table[name] for table in tables]
        applies = first.applies if len({one.applies for one in same}) == 1 else None
        here = first.here if len({one.here for one in same}) == 1 else ""
        found.append(first._replace(applies=applies, here=here))
    return tuple(sorted(found, key=lambda argument: argument.applies is False))


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
