"""From a configuration and its Services through the create-monitor matrix to what both should say.

The timers that cloud.conf should carry for all Services, and those that single Services should carry themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data import octavia
from ccmcheck.policy.create_monitor import timers as sets
from ccmcheck.policy.create_monitor.matrix import first_row, walk
from ccmcheck.policy.create_monitor.records import Advice, Caution, MatrixQuestion, MatrixRow, Trial
from ccmcheck.policy.create_monitor.timers import BALANCED, BY_SPEED, SLOW_SECONDS, UPSTREAM, Pick, Timers
from ccmcheck.policy.create_monitor.verdict import ConfigVerdict, for_service, for_services
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import FIRST_NODE_PORT, Service, ServicePort
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.verdicts.findings import MONITOR
from ccmcheck.predict.verdicts.matrix_row import Demands, question_of

_KEYS = ("monitor-delay", "monitor-timeout", "monitor-max-retries", "monitor-max-retries-down")


class Choice(NamedTuple):
    """The timers for cloud.conf.

    Attributes:
        timers: The set; None where too little is known, or there is nothing to check.
        why: Why that set, or what is not known.
        keys: The keys that do not hold it yet, with their values.
        keeps: Whether the file's own timers may stay.
        needs: What is not known, as options of the command line.
    """

    timers: Timers | None
    why: str
    keys: tuple[tuple[str, str], ...] = ()
    keeps: bool = False
    needs: tuple[str, ...] = ()


def now(config: Options) -> Timers:
    """The timers of cloud.conf as it is."""
    down = config.monitor_max_retries_down or octavia.DEFAULT_RETRIES_DOWN
    return Timers("now", config.monitor_delay, config.monitor_timeout, config.monitor_max_retries, down, "")


def choose(config: Options, picks: Sequence[tuple[Service, Pick]], budget: float, udp_interval: int) -> Choice:
    """Choose the set for cloud.conf: the one that most Services should have, of several the slowest.

    Where Services cannot carry timers of their own (before 1.24) it is the slowest of all.

    Args:
        config: The configuration.
        picks: The Services that get monitors, each with its own set.
        budget: Probes a second that one load balancer may send.
        udp_interval: The shortest delay of a UDP-CONNECT monitor in this cloud, in seconds.
    """
    if not picks:
        return Choice(None, "there is nothing to check")
    needs = tuple(dict.fromkeys(need for _, pick in picks for need in pick.needs))
    known = [(service, pick) for service, pick in picks if pick.timers is not None]
    if not known or needs:
        why = picks[0][1].why if not known else "too little is known"
        if _is_sound(config, [service for service, _ in picks], udp_interval):
            return Choice(None, why, needs=needs)
        chosen = BALANCED if driver_of(config.lb_provider).is_special else UPSTREAM
        return Choice(chosen, f"cloud.conf's own do not work; {why}", tuple(_differing(config, chosen)), needs=needs)
    counts = {timers: sum(pick.timers is timers for _, pick in known) for timers in BY_SPEED}
    most = max(counts.values())
    alone = not behaviours_of(config.release)["monitor-timer-annotations"]
    chosen = [timers for timers in BY_SPEED if (counts[timers] if alone else counts[timers] == most)][-1]
    service, pick = next((service, pick) for service, pick in known if pick.timers is chosen)
    why = f"{service.title}: {pick.why}" if len(known) > 1 else pick.why
    services = [service for service, _ in known]
    if _may_stay(config, [pick for _, pick in known], budget) and _is_sound(config, services, udp_interval):
        return Choice(chosen, f"cloud.conf's own {now(config)} keep the limits; else {chosen.name}: {why}", keeps=True)
    return Choice(chosen, why, tuple(_differing(config, chosen)))


def with_timers(config: Options, chosen: Choice | Timers) -> Options:
    """The configuration with a set of timers.

    Args:
        config: The configuration.
        chosen: The set; nothing is changed where none is chosen, or the file's own may stay.
    """
    timers = chosen if isinstance(chosen, Timers) else None if chosen.keeps else chosen.timers
    if timers is None:
        return config
    down = None if config.monitor_max_retries_down is None else timers.down
    return config._replace(
        monitor_delay=timers.delay,
        monitor_timeout=timers.timeout,
        monitor_max_retries=timers.retries,
        monitor_max_retries_down=down,
    )


def has_own(service: Service) -> bool:
    """Whether a Service carries timers of its own."""
    return any(name in service.annotations for name in BY_SPEED[0].annotations)


def annotations_for(config: Options, timers: Timers, choice: Choice) -> dict[str, str]:
    """The annotations of a Service whose set is another than cloud.conf's; empty where it is the same."""
    if choice.timers is None or timers is choice.timers or choice.keeps:
        return {}
    keys = dict(_differing(config, timers))
    return {name: value for name, value in timers.annotations.items() if name.rpartition("health-")[2] in keys}


def _differing(config: Options, timers: Timers) -> list[tuple[str, str]]:
    """The keys of a set that the release knows and the configuration does not hold."""
    held = now(config).keys
    return [
        (key, value)
        for key, value in timers.keys.items()
        if held[key] != value and not (key == _KEYS[-1] and config.monitor_max_retries_down is None)
    ]


def _is_sound(config: Options, services: Sequence[Service], udp_interval: int) -> bool:
    """Whether Octavia takes the timers of cloud.conf, and its drivers can work with them."""
    own = now(config)
    least, most = octavia.RETRIES
    if config.monitor_max_retries_down == 0:  # left out of the request, and changed at every reconcile
        return False
    shortest = udp_interval if any(port.protocol == "UDP" for service in services for port in service.ports) else 1
    longest = max(own.delay, own.timeout)
    return (
        own.delay >= shortest
        and own.timeout > 0
        and longest <= (driver_of(config.lb_provider).longest_seconds or longest)
        and least <= own.retries <= most
        and least <= own.down <= most
    )


def _may_stay(config: Options, picks: Sequence[Pick], budget: float) -> bool:
    """Whether the file has timers of its own, and they are fast enough, and not too fast."""
    if not any(key in config.given for key in _KEYS) or any(key in config.open for key in _KEYS):
        return False
    own = now(config)
    if own.delay <= 0 or own.timeout >= own.delay:
        return False
    gone = driver_of(config.lb_provider).gone_seconds(own.delay, own.timeout, own.down)
    if gone is None or gone > SLOW_SECONDS:
        return False
    # the rate of each pick, at this delay
    rates = [
        pick.rate * pick.timers.delay / own.delay for pick in picks if pick.rate is not None and pick.timers is not None
    ]
    return all(rate <= budget for rate in rates)


class Decided(NamedTuple):
    """One Service.

    Attributes:
        service: The Service.
        question: What is known of it.
        trials: The rows tried; the last one decides where it matches.
        row: The row that decides; None where too little is known.
        pick: The timers for it alone.
        annotations: Annotations to set, in addition to its own; None for one to delete.
        changed: The Service with these.
        now: Its prediction.
        then: Its prediction with everything that is recommended.
        refusal: Why Octavia refuses its monitors, where it does.
        fits: Whether its monitors find room in a quota that does not suffice for all, and nothing else forbids them.
    """

    service: Service
    question: MatrixQuestion
    trials: tuple[Trial, ...]
    row: MatrixRow | None
    pick: Pick
    annotations: tuple[tuple[str, str | None], ...]
    changed: Service
    now: Prediction
    then: Prediction
    refusal: str = ""
    fits: bool = True

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What the row's value does not do, or breaks."""
        return self.row.warns(self.question) if self.row is not None else ()

    @property
    def wants(self) -> bool | None:
        """Whether it should have monitors; None where either will do, or nothing is known."""
        wanted = for_service(self.row, self.service.policy)
        return wanted and self.fits


class Decision(NamedTuple):
    """What a configuration and its Services should say.

    Attributes:
        config: The configuration as it is.
        changed: The same with what is recommended.
        cloud: What is known around it.
        verdict: ``create-monitor``.
        choice: The timers for cloud.conf.
        keys: The keys of [LoadBalancer] to write, ``create-monitor`` first.
        services: The Services.
    """

    config: Options
    changed: Options
    cloud: CloudState
    verdict: ConfigVerdict
    choice: Choice
    keys: tuple[tuple[str, str], ...]
    services: tuple[Decided, ...]


def decide(
    config: Options,
    services: Sequence[Service],
    cloud: CloudState,
    demands: Demands = Demands(),  # noqa: B008 - an immutable record
    *,
    tune: bool = True,
) -> Decision:
    """Walk the matrix for every Service, and draw the conclusion for all of them.

    Args:
        config: The configuration, as one release reads it.
        services: The Services; see `placeholder_services` where there are none.
        cloud: What is known of the cloud and the cluster.
        demands: What no file says.
        tune: Whether single Services get timers of their own.
    """
    over = _over_quota(services, cloud)
    decided = _fitted([_one(config, service, cloud, demands, over) for service in services], cloud)
    timed = config.monitor_delay > 0 and config.monitor_timeout > 0 and config.monitor_max_retries > 0
    now = None if "create-monitor" in config.open else config.create_monitor
    verdict = for_services([entry.row for entry in decided if entry.row is not None], now=now, timed=timed)
    value = config.create_monitor if verdict.value is None else verdict.value
    monitored = [entry for entry in decided if (value if entry.wants is None else entry.wants)]
    choice = choose(config, [(entry.service, entry.pick) for entry in monitored], demands.budget, cloud.udp_interval)
    changed = with_timers(config._replace(create_monitor=value), choice)
    keys: list[tuple[str, str]] = []
    if verdict.value is not None:
        keys.append(("create-monitor", "true" if value else "false"))
        if monitored:
            keys += choice.keys
    return Decision(
        config,
        changed,
        cloud,
        verdict,
        choice,
        tuple(keys),
        tuple(_then(entry, changed, choice, cloud, tune=tune) for entry in decided),
    )


def placeholder_services() -> tuple[Service, ...]:
    """A TCP Service of either policy, for a cluster whose Services are not given."""
    return tuple(
        Service(
            f"any-{policy.lower()}",
            ports=(ServicePort(80, "TCP", FIRST_NODE_PORT),),
            policy=policy,
            check_port=FIRST_NODE_PORT + 1 if policy == "Local" else 0,
        )
        for policy in ("Cluster", "Local")
    )


def _over_quota(services: Sequence[Service], cloud: CloudState) -> bool | None:
    if cloud.facts.monitor_quota is None:
        return None
    needed = sum(len(service.ports) for service in services if not service.owner)
    return 0 <= cloud.facts.monitor_quota < cloud.monitors_used + needed


def _fitted(decided: list[Decided], cloud: CloudState) -> list[Decided]:
    """Where the quota does not suffice for all ports: the Local Services get what there is, in their order."""
    left = (cloud.facts.monitor_quota or 0) - cloud.monitors_used
    fitted = []
    for entry in decided:
        if entry.row is None or entry.row.advice is not Advice.ON_FOR_LOCAL or not entry.wants:
            fitted.append(entry)
            continue
        ports = len(entry.service.ports)
        why = "" if ports <= left else f"its {ports} monitor{'' if ports == 1 else 's'} would be over the quota, too"
        below = first_row(entry.question._replace(over_quota=False))
        if below is not None and for_service(below, entry.service.policy) is False:
            why = f"{below.id}, which comes next, says false: {entry.refusal or below.why}"
        left -= 0 if why else ports
        fitted.append(entry._replace(fits=not why, refusal=why))
    return fitted


def _one(config: Options, service: Service, cloud: CloudState, demands: Demands, over: bool | None) -> Decided:
    now = predict(config, service, cloud)
    proxied = bool(now.proxy) if now.plans else None
    floating = now.floating.wanted or not now.plans
    question = question_of(config, service, cloud, demands, proxied=proxied, floating=floating)
    question = question._replace(over_quota=over if question.enabled else False)
    nodes = now.nodes if now.nodes is not None else None if cloud.nodes is None else len(cloud.nodes)
    pick = sets.pick(question.driver, service.policy, nodes, len(service.ports), cloud.facts.topology, demands.budget)
    refused, refusal = _refused(config, service, cloud, pick)
    question = question._replace(refused=refused)
    trials = walk(question)
    row = trials[-1].row if trials[-1].judgement.matches else None
    return Decided(service, question, trials, row, pick, (), service, now, now, refusal)


def _refused(config: Options, service: Service, cloud: CloudState, pick: Pick) -> tuple[bool | None, str]:
    """Whether Octavia takes the Service without monitors and refuses it with them, and why."""
    around = cloud.with_facts(monitor_quota=None)._replace(balancer=None, group=None, floating_ip=None)
    plain = service._replace(
        annotations={
            name: text for name, text in service.annotations.items() if name != MONITOR and "/health-" not in name
        }
    )
    without = predict(config._replace(create_monitor=False, stop=""), plain, around)
    if without.outcome is not Outcome.ACCEPTED:
        return None if without.outcome in (Outcome.UNKNOWN, Outcome.ERROR) else False, ""
    timers = pick.timers or sets.UPSTREAM
    on = with_timers(config._replace(create_monitor=True, stop=""), timers)
    prediction = predict(on, plain, around)
    if prediction.outcome in (Outcome.REFUSED, Outcome.FAILS):
        return True, prediction.why
    return False if prediction.outcome is Outcome.ACCEPTED else None, ""


def _then(entry: Decided, config: Options, choice: Choice, cloud: CloudState, *, tune: bool) -> Decided:
    """What the Service should set itself, in addition to cloud.conf."""
    service, behaviours = entry.service, behaviours_of(config.release)
    given = service.annotations.get(MONITOR)
    changes: dict[str, str | None] = {}
    wanted = entry.wants
    if wanted is not None and behaviours["monitor-annotation"]:
        said = "true" if wanted else "false"
        if wanted != config.create_monitor and given != said:
            changes[MONITOR] = said
        elif wanted == config.create_monitor and given not in (None, said):
            changes[MONITOR] = None
    monitored = config.create_monitor if wanted is None else wanted
    timed = entry.pick.timers is not None and not has_own(service) and behaviours["monitor-timer-annotations"]
    if tune and monitored and timed and entry.pick.timers is not None:
        changes.update(annotations_for(config, entry.pick.timers, choice))
    if entry.row is not None and entry.row.advice is Advice.NONE:
        return entry
    result = _changed(entry, config, cloud, changes)
    if monitored and result.then.outcome is not Outcome.ACCEPTED and has_own(service):
        # its own timers may be what Octavia refuses
        own = {name: None for name in service.annotations if name in sets.UPSTREAM.annotations}
        without = _changed(entry, config, cloud, {**own, **changes})
        return without if without.then.outcome is Outcome.ACCEPTED else result
    return result


def _changed(entry: Decided, config: Options, cloud: CloudState, changes: dict[str, str | None]) -> Decided:
    service = entry.service
    annotations = {name: text for name, text in service.annotations.items() if changes.get(name, "") is not None}
    annotations |= {name: text for name, text in changes.items() if text is not None}
    changed = service._replace(annotations=annotations)
    then = predict(config._replace(stop=""), changed, cloud)
    return entry._replace(annotations=tuple(changes.items()), changed=changed, then=then)
