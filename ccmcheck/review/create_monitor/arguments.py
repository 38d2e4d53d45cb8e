"""Which arguments for and against monitors hold for a cluster, and what they come to there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog.behaviour import behaves
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.review.create_monitor.metrics import count
from ccmcheck.review.create_monitor.records import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ccmcheck.policy.create_monitor.reasons import Reason
    from ccmcheck.predict.advice.deciding import Decided, Decision
    from ccmcheck.review.create_monitor.records import Figure

Weight = tuple[bool | None, str]
"""Whether it holds, and what it comes to."""

_KEEPS = {False: "keeps-unready-nodes", True: "local-keeps-unready-nodes"}
_GATE = {False: "gate-drops-unready-nodes", True: "gate-drops-unready-local-nodes"}
"""The behaviours that decide about nodes that are not ready, by whether a Service's policy is Local."""

_MOST_NAMED = 3


def arguments(
    reasons: Iterable[Reason], decision: Decision, figures: Iterable[Figure], *, has_services: bool
) -> Iterator[Argument]:
    """Evaluate each reason, in their order; those that do not hold come last.

    Args:
        reasons: For, against, or risks.
        decision: What was decided.
        figures: The numbers of the cluster.
        has_services: Whether Services are given; stand-ins have no names.
    """
    scale = Evaluation(decision, {figure.name: figure for figure in figures}, has_services)
    weighed = []
    for reason in reasons:
        applies, here = scale.arguments(reason.name)
        weighed.append(Argument(reason.name, reason.text, here, reason.source, applies))
    yield from sorted(weighed, key=lambda one: one.applies is False)


class Evaluation:
    """Weighs reasons by their names.

    Args:
        found: What was decided.
        figures: The numbers of the cluster, by name.
        given: Whether Services are given.
    """

    def __init__(self, decision: Decision, figures: dict[str, Figure], has_services: bool) -> None:
        self.found = decision
        self.config = decision.config
        self.behaviours = behaviours_of(decision.config.release)
        self.figures = figures
        self.given = has_services
        drivers = {service.question.driver for service in decision.services}
        self.driver = drivers.pop() if len(drivers) == 1 else None

    def arguments(self, name: str) -> Weight:
        """One reason; nothing is known of those without a way to weigh them.

        Args:
            name: The reason's.
        """
        weigher: Callable[[], Weight] | None = getattr(self, f"_{name.replace('-', '_')}", None)
        return weigher() if weigher is not None else (None, "")

    def _named(self, picked: Iterable[Decided]) -> tuple[bool, str]:
        """Whether there are any, and their names."""
        names = [one.service.title for one in picked]
        if not names or not self.given:
            return bool(names), ""
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        return True, ", ".join(names[:_MOST_NAMED]) + more

    def _those(self, *, policy: str = "", protocols: tuple[str, ...] = ()) -> list[Decided]:
        return [
            service
            for service in self.found.services
            if policy in ("", service.service.policy)
            and (not protocols or any(port.protocol in protocols for port in service.service.ports))
        ]

    # for

    def _local(self) -> Weight:
        any_, names = self._named(self._those(policy="Local"))
        if not self.given:
            return None, "any Local Service, once there is one"
        if not any_:
            return False, "there is no Local Service"
        return True, names

    def _dead_nodes(self) -> Weight:
        services = self.found.services
        policies = {service.service.policy == "Local" for service in services} or {False}
        kept = {local for local in policies if self.behaviours[_KEEPS[local]]}
        if not kept:
            return False, f"CCM {self.config.release.name} still drops nodes that are not ready"
        if any(service.question.drops_unready for service in services):
            kept = {local for local in kept if not self.behaviours[_GATE[local]]}
            if not kept:
                return False, "StableLoadBalancerNodeSet is off"
        if len(kept) < len(policies):
            which = "Local Services" if True in kept else "Services with policy Cluster"
            return True, f"{which} only"
        return True, ""

    def _status(self) -> Weight:
        return True, ""

    def _guide(self) -> Weight:
        return True, ""

    # against

    def _probes(self) -> Weight:
        if self.driver == "other":
            return None, "how this provider probes is not known"
        return True, ""

    def _quota(self) -> Weight:
        limit = self.found.cloud.facts.monitor_quota
        monitors = count([service.then for service in self.found.services])
        if limit is None:
            return None, f"{monitors} monitors; --monitor-quota is not given" if self.given else ""
        if limit < 0:
            return False, "the quota has no limit"
        needed = self.found.cloud.monitors_used + sum(len(service.service.ports) for service in self.found.services)
        return needed > limit, f"{needed} of {limit} with all ports"

    def _refused(self) -> Weight:
        picked = [
            service for service in self.found.services if service.question.refused or _row(service) in ("M05", "M06")
        ]
        any_, names = self._named(picked)
        whys = "; ".join(dict.fromkeys(one.refusal for one in picked if one.refusal))
        return any_, f"{names}: {whys}" if names and whys else names

    def _udp_delay(self) -> Weight:
        any_, names = self._named(self._those(protocols=("UDP",)))
        short = 0 < self.config.monitor_delay < self.found.cloud.udp_interval
        return any_ and short, f"monitor-delay is {self.config.monitor_delay} s: {names}" if any_ and short else ""

    def _sub_second(self) -> Weight:
        return self.config.monitor_delay < 1, ""

    def _retries_down(self) -> Weight:
        return self.config.monitor_max_retries_down == 0, ""

    def _serial(self) -> Weight:
        any_, names = self._named(service for service in self.found.services if _row(service) == "M04")
        return any_, names

    def _monitor_port(self) -> Weight:
        return behaves("monitor-port-lost", self.config.release), ""

    def _ovn_updates(self) -> Weight:
        return self._of_driver("ovn", policy="Local")

    def _ovn_ports(self) -> Weight:
        return self._of_driver("ovn")

    def _of_driver(self, driver: str, *, policy: str = "", protocols: tuple[str, ...] = ()) -> Weight:
        if self.driver is None:
            return None, ""
        any_, names = self._named(self._those(policy=policy, protocols=protocols))
        return self.driver == driver and any_, names if self.driver == driver and (policy or protocols) else ""

    def _degraded(self) -> Weight:
        any_, names = self._named(self._those(policy="Local"))
        return (any_, names) if self.given else (None, "")

    def _proxy_pools(self) -> Weight:
        return self._named(one for one in self._those(policy="Cluster") if one.question.proxy)

    def _body(self) -> Weight:
        return None, ""

    def _units(self) -> Weight:
        return "missing unit" in self.config.stop, ""

    # caveats

    def _answer(self, name: str, services: Iterable[Decided]) -> Weight:
        """The worst verdict by that name, in its own words."""
        texts: dict[bool | None, str] = {}
        for service in services:
            answer = service.then.answer(name)
            if answer is not None:
                texts.setdefault(answer.good, f"{service.service.title}: {answer.text}" if self.given else answer.text)
        for good in (False, None, True):
            if good in texts:
                return None if good is None else not good, texts[good]
        return None, ""

    def _ovn_release(self) -> Weight:
        if self.driver != "ovn":
            return (False, "") if self.driver is not None else (None, "")
        works = {service.question.fip_fix for service in self.found.services}
        given = self.found.cloud.ovn_release
        if not given:
            return None, "neither --ovn-octavia-release nor --octavia-release is given"
        return True if False in works else None if None in works else False, f"ovn-octavia-provider {given}"

    def _security_group(self) -> Weight:
        if self.config.manage_security_groups:
            return None, "manage-security-groups is on, and the CCM opens the port"
        return True, self._named(self._those(policy="Local"))[1]

    def _silent(self) -> Weight:
        return None if self.driver == "other" else True, ""

    def _rollout(self) -> Weight:
        any_, names = self._named(self._those(policy="Local"))
        if not self.given:
            return None, ""
        return any_, names

    def _redispatch(self) -> Weight:
        if self.driver is None:
            return None, ""
        return self.driver == "amphora", self._named(self._those(policy="Local"))[1] if self.driver == "amphora" else ""

    def _kube_proxy(self) -> Weight:
        any_, names = self._named(self._those(policy="Cluster"))
        return (any_, names) if self.given else (None, "")

    def _udp(self) -> Weight:
        kinds = [
            service
            for service in self.found.services
            if any(plan.monitor_type == "UDP-CONNECT" for plan in service.then.plans)
        ]
        return self._named(kinds)

    def _lag(self) -> Weight:
        return None if self.driver is None else self.driver == "amphora", ""

    # what else would do

    def _cluster(self) -> Weight:
        any_, names = self._named(self._those(policy="Local"))
        return (any_, names) if self.given else (None, "")

    def _annotation(self) -> Weight:
        if not self.behaviours["monitor-annotation"]:
            return False, f"CCM {self.config.release.name} has no such annotation"
        any_, names = self._named(self._those(policy="Local"))
        return (any_, names) if self.given else (None, "")

    def _labels(self) -> Weight:
        if self.behaviours["node-selectors"]:
            return None, ""
        return None, f"CCM {self.config.release.name} knows the label alone"


def _row(decided: Decided) -> str:
    return decided.row.id if decided.row is not None else ""
