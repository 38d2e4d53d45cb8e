"""The timers that cloud.conf should carry for all Services, and those that single Services should carry themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data import octavia
from ccmcheck.policy.create_monitor.timers import BALANCED, BY_SPEED, SLOW_SECONDS, UPSTREAM, Pick, Timers
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service

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
