"""Which arguments for and against monitors hold for a cluster, and what they come to there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.policy.create_monitor.story import Reason
from ccmcheck.predict.advice.deciding import Decided, Decision
from ccmcheck.predict.drivers import driver_of
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.review.create_monitor import records
from ccmcheck.review.create_monitor.metrics import count
from ccmcheck.review.create_monitor.motion import opens_ports

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
