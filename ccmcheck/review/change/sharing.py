"""The load balancers that Services share, before a change and through it: what one Service does, the next one meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import ServicePort
from ccmcheck.predict.project import named_balancer, own_part
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.requests.resulting_state import state_after
from ccmcheck.predict.steady import gone_through, steady_state
from ccmcheck.review.change.alike_services import SettledService
from ccmcheck.review.change.inputs import Side, SurveyedService, deployment_pairs
from ccmcheck.review.change.records import ServiceChange
from ccmcheck.review.change.services import JudgedService, compare
from ccmcheck.workspace.deployment.record import Deployment

Pair: TypeAlias = "tuple[SurveyedService | None, SurveyedService | None]"
SharedKey: TypeAlias = tuple[int, str]
"""The place of a pair of deployments, and the load balancer's ID."""


class SharedBalancers:
    """The load balancers of which Services of one deployment say that they share them.

    Args:
        sides: Everything before the change, and after it.
        pairs: The Services before, each with the same one after.
        options: Reads the cloud.conf of a deployment before, and after, the change.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        pairs: Iterable[Pair],
        options: tuple[Callable[[Deployment], Options], Callable[[Deployment], Options]],
    ) -> None:
        self._options = options
        self._numbers: dict[int, int] = {}
        for number, both in enumerate(deployment_pairs(*sides)):
            self._numbers |= {id(deployment): number for deployment in both if deployment is not None}
        named: dict[SharedKey, int] = {}
        for pair in pairs:
            keys = {key for key in map(self._named, (0, 1), pair) if key is not None}
            for key in keys:
                named[key] = named.get(key, 0) + 1
        self._shared = {key for key, count in named.items() if count > 1}
        self._now: dict[SharedKey, CloudState] = {}

    def _named(self, side: int, service: SurveyedService | None) -> SharedKey | None:
        if service is None or BALANCER_ID not in service.service_object.service.annotations:
            return None
        balancer = named_balancer(service.service_object.service, self._options[side](service.deployment))
        number = self._numbers.get(id(service.deployment))
        return (number, balancer) if balancer and number is not None else None

    def key(self, before: SurveyedService | None, after: SurveyedService | None) -> SharedKey | None:
        """The load balancer that a Service shares; None for one of its own, or where one side says another."""
        keys = {self._named(side, one) for side, one in enumerate((before, after)) if one is not None}
        key = keys.pop()
        return key if not keys and key in self._shared else None

    def in_order(self, pairs: list[Pair]) -> list[Pair]:
        """Pairs, sharers last that want a port which another one has before: the CCM tries again until it is free."""
        if not self._shared:
            return pairs
        had = {
            (self.key(*pair), *port[:2]): id(pair) for pair in pairs if pair[0] is not None for port in _ports(pair[0])
        }

        def waits(pair: Pair) -> bool:
            key = self.key(*pair)
            wanted = _ports(pair[1]) if key is not None and pair[1] is not None else ()
            return any(had.get((key, *port[:2]), id(pair)) != id(pair) for port in wanted)

        return sorted(pairs, key=waits)

    def settle(self, key: SharedKey, judged: JudgedService) -> SettledService:
        """What is there of a Service before the change; the first one that names a load balancer owns it.

        Args:
            key: The load balancer.
            judged: The Service.
        """
        there, service, options = self._now.get(key), judged.service, judged.options
        cloud = judged.cloud if there is None else _around(judged.cloud, there)
        state = steady_state(options, service, cloud)
        if state.made.outcome is Outcome.ACCEPTED and state.exists:
            self._now[key] = _called(state.cloud, key[1])
        written = {name: key[1] if name == BALANCER_ID else text for name, text in state.written.items()}
        state = state._replace(cloud=own_part(_called(state.cloud, key[1]), service), written=written)
        return SettledService(judged, None, state, service)

    def compare(self, key: SharedKey, before: SettledService | None, after: JudgedService | None) -> ServiceChange:
        """Work out what becomes of a Service, and note what it does to the load balancer.

        Args:
            key: The load balancer.
            before: The Service before the change; None where it is new.
            after: The Service after the change; None where it is gone.
        """
        there = self._now.get(key)
        change = (
            compare(None, None, after, there) if before is None else compare(before.judged, before.state, after, there)
        )
        if after is None or change.after is None:
            if there is not None:
                self._now[key] = state_after(change.requests, there, "")
        else:
            around = after.cloud if there is None else _around(after.cloud, there)
            now = gone_through(change.after, around, after.options.lb_provider)
            self._now[key] = _called(now, key[1])
        return change


def _ports(service: SurveyedService) -> tuple[ServicePort, ...]:
    return service.service_object.service.ports


def _around(cloud: CloudState, there: CloudState) -> CloudState:
    """A Service's cloud with the load balancer that others have."""
    return cloud._replace(balancer=there.balancer, balancers_known=True, floating_ip=there.floating_ip)


def _called(cloud: CloudState, known: str) -> CloudState:
    return cloud if cloud.balancer is None else cloud._replace(balancer=cloud.balancer._replace(id=known))
