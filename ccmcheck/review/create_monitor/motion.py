"""The first screen: what is moved, what it changes here, and what the draft's options come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.catalog.data.octavia import MEMBER_CONNECT_SECONDS
from ccmcheck.policy.create_monitor.story import OPTIONS, SETTINGS, RecommendedSetting
from ccmcheck.predict.advice.deciding import Decided, Decision
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.review.create_monitor.metrics import count
from ccmcheck.review.create_monitor.records import Figure, MotionRow, OptionCase, ScriptCase, Shares

PROPOSED_SINCE = "1.26"
"""The first release of the CCM in which monitors work for Local Services on amphora and on OVN."""

OVN_SINCE = ("2.2.0", "3.1.2", "4.0.2", "5.0.0")
"""The releases of ovn-octavia-provider from which checks act on floating IPs, one for each series."""

EXAMPLE = (3, 1)
"""Nodes, and nodes with a pod, where the files do not say: those of k8s-cluster-api-provider#173."""

_OUTCOMES = {True: "passes", False: "fails", None: "not known"}


def motion(
    decision: Decision,
    figures: Iterable[Figure],
    scripts: Sequence[ScriptCase],
    off: Shares | None,
    *,
    has_services: bool,
) -> tuple[MotionRow, ...]:
    """The first screen's rows: gains, costs, what can break, what it does not bring, the way back.

    Args:
        decision: What was decided.
        figures: The numbers of the cluster, or of the Services that stand in.
        scripts: The outcome of the conformance scripts.
        off: First connections without monitors.
        has_services: Whether Services are given.
    """
    by_name = {figure.name: figure for figure in figures}
    if not has_services:
        by_name.pop("monitors", None)
    return (*_rows(decision, by_name, scripts, off), *_effects(decision, has_services=has_services))


def _rows(
    decision: Decision, figures: dict[str, Figure], scripts: Sequence[ScriptCase], off: Shares | None
) -> Iterator[MotionRow]:
    yield MotionRow("applies to", "", f"CCM {PROPOSED_SINCE}; OVN provider {', '.join(OVN_SINCE)}; and newer")
    wrong, dead = figures.get("wrong-node"), figures.get("dead-node")
    if wrong is not None:
        now, then = (_connections(wrong.numbers[side], off) for side in ("now", "then"))
        whose = f" ({off.label})" if off is not None else ""
        yield MotionRow("Local: first connections", now, f"{then}{whose}")
    if dead is not None:
        yield MotionRow("a dead node is out", dead.now, dead.then)
    if scripts:
        now, then = (
            ", ".join(f"{script.policy} {_OUTCOMES[passes]}" for script, passes in zip(scripts, side, strict=True))
            for side in ([one.now for one in scripts], [one.then for one in scripts])
        )
        yield MotionRow("the draft's scripts", now, then)
    monitors, probes = figures.get("monitors"), figures.get("probes")
    if monitors is not None and probes is not None:
        yield MotionRow("monitors", monitors.now, monitors.then)
        yield MotionRow("probes a second", probes.now, probes.then)
    else:
        whose = "one for each port" if decision.changed.create_monitor else "those of annotated Services"
        before, after = _monitored(decision)
        yield MotionRow("monitors", "one for each port" if before else "none", whose if after else "none")


def _effects(decision: Decision, *, has_services: bool) -> Iterator[MotionRow]:
    """What can break, what it does not bring, and when it takes effect."""
    is_ovn = driver_of(decision.config.lb_provider).is_special
    changes = decision.changed != decision.config or "create-monitor" in decision.config.open
    risk = "a closed health check port takes all nodes down: first risk below"
    if opens_ports(decision):
        risk = "manage-security-groups opens health check ports; risks below"
    yield MotionRow("can break", *(risk if is_monitored else "" for is_monitored in _monitored(decision)))
    yield MotionRow("client's address", *_address(decision, is_ovn=is_ovn, has_services=has_services))
    ingress = "neither, plain" if is_ovn else "monitor and PROXY"
    then = "unchanged; tenants' Services change" if changes else "unchanged"
    yield MotionRow("SCS k8s-cluster-api-provider's own ingress", ingress, then)
    if changes:
        back = "false" if decision.changed.create_monitor else "true"
        when = f"change when the CCM restarts; so does the way back, with {back}"
    elif any(service.annotations for service in decision.services):
        when = "those of annotated Services change at once; the way back: delete the annotations"
    else:
        when = "nothing changes"
    yield MotionRow("existing load balancers", "", when)


def _monitored(decision: Decision) -> tuple[bool, bool]:
    """Whether there are monitors, now and then."""
    now, then = (
        config.create_monitor or any(plan.monitor is not None for one in predictions for plan in one.plans)
        for config, predictions in (
            (decision.config, [service.now for service in decision.services]),
            (decision.changed, [service.then for service in decision.services]),
        )
    )
    return now, then


def opens_ports(decision: Decision) -> bool:
    """Whether the CCM itself opens the nodes' health check ports to the load balancer."""
    return decision.config.manage_security_groups and decision.config.release.at_least(PROPOSED_SINCE)


def _address(decision: Decision, *, is_ovn: bool, has_services: bool) -> tuple[str, str]:
    """What backends see of the client's address, now and then."""
    if is_ovn:
        return "kept with Local", "kept with Local"
    every = len(decision.services)
    proxied = sum(bool(service.question.proxy) for service in decision.services) if has_services else 0
    if proxied == every:
        return "brought by PROXY", "unchanged"
    but = f", but {proxied} of {every} Services have PROXY" if proxied else ""
    return f"hidden{but}", "hidden still: PROXY, headers or OVN"


def _connections(share: object, off: Shares | None) -> str:
    """What becomes of first connections, by the share of them that goes to nodes without a pod."""
    if share == 0:
        return "all at once, after the first checks"
    if off is None:
        return f"{round(100 * share)} % to nodes without a pod" if isinstance(share, float) else "not known"
    parts = ((off.at_once, "at once"), (off.closed, "closed"))
    return ", ".join(f"{part} {word}" for part, word in parts if part.most)


def first_connections(decision: Decision) -> tuple[Shares, ...]:
    """First connections of a Local Service, with monitors off and on; the Service with the most nodes without a pod."""
    is_ovn = driver_of(decision.config.lb_provider).is_special
    known = [one for one in map(_counts, decision.services) if one is not None]
    name, members, answering, method = max(
        known, key=lambda one: 1 - one[2] / one[1], default=("", *EXAMPLE, "ROUND_ROBIN")
    )
    pods = f"{members} nodes, {answering} with a pod"
    whose = f"{name}: {pods}" if name else f"example: {pods}"
    reached, lost = (redispatch.Share(part / members, part / members) for part in (answering, members - answering))
    none, everything = redispatch.Share(0, 0), redispatch.Share(1, 1)
    off = Shares(whose, reached, none, lost)
    if not is_ovn:
        connections = redispatch.first_connections(method, members, answering, MEMBER_CONNECT_SECONDS)
        if connections is None or connections.by_load:
            return ()
        off = Shares(whose, connections.at_once, connections.waiting, connections.closed)
    return (off, Shares("with monitors, after the first checks", everything, none, none))


def _counts(decided: Decided) -> tuple[str, int, int, str] | None:
    """Its name, its members, how many of them have a pod, and its algorithm; None where that is not known."""
    nodes, pods = decided.now.nodes, decided.service.replicas
    if decided.service.policy != "Local" or not nodes or not pods or pods >= nodes or not decided.now.plans:
        return None
    return decided.service.title, nodes, pods, decided.now.plans[0].method


def options_for(decision: Decision, *, has_services: bool) -> tuple[OptionCase, ...]:
    """The draft's five options, each for this configuration and its Services."""
    services = len(decision.services)
    made = count([service.then for service in decision.services]) - count(
        [decided.now for decided in decision.services]
    )
    is_ovn = driver_of(decision.config.lb_provider).is_special
    plain = (
        f"{made} monitor{'' if made == 1 else 's'}, {services} Service{'' if services == 1 else 's, one after another'}"
        f": {made} to {10 * made} s"
    )

    def rollout(number: int, *, is_new: bool) -> str:
        if number == 1 or (made <= 0 and has_services and (is_ovn or not is_new)):
            return "nothing changes"
        if is_new and not is_ovn:
            return (
                f"{f'all {services}' if has_services and services > 1 else 'every'} load balancer"
                f"{'s' if has_services and services > 1 else ''} created anew, minutes each (estimate)"
            )
        if number > 2:
            return "as for option 2"
        return f"{plain if has_services else 'one Service after another'} (estimate, 1 to 10 s a request)"

    return tuple(
        OptionCase(
            option.number,
            option.title,
            option.consequence,
            option.needs,
            rollout(option.number, is_new=option.is_new),
            "as for option 2" if option.is_new and is_ovn else option.rollback,
        )
        for option in OPTIONS
    )


def setting_of(decisions: Sequence[Decision]) -> RecommendedSetting:
    """The setting that the configurations are in, of `SETTINGS`."""
    is_ovn = {driver_of(decision.config.lb_provider).is_special for decision in decisions}
    if len(is_ovn) > 1:
        return SETTINGS[3]
    if is_ovn == {False}:
        return SETTINGS[0]
    services = [service for decision in decisions for service in decision.services]
    return SETTINGS[2 if any(service.question.fip_fix is False for service in services) else 1]
