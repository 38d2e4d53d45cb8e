"""Services before and after a change, worked out once for those that differ in nothing but names and NodePorts."""

from __future__ import annotations

from collections.abc import Hashable

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.alike import AlikeServices, likeness
from ccmcheck.predict.inputs.manifests import ServiceObject
from ccmcheck.predict.inputs.service import Service
from ccmcheck.review.change.facts import monitors_of
from ccmcheck.review.change.inputs import carried_over
from ccmcheck.review.change.records import ServiceChange
from ccmcheck.review.change.services import JudgedService, compare
from ccmcheck.review.change.steady_state import SteadyState, steady_state
from ccmcheck.workspace.deployment.record import Deployment


class SettledService(NamedTuple):
    """A Service before a change.

    Attributes:
        judged: The Service.
        kind: What it has in common with those that are like it; None for nothing.
        state: What is there; of those that are alike, that of the first one.
        first: That one.
    """

    judged: JudgedService
    kind: Hashable | None
    state: SteadyState
    first: Service

    @property
    def monitors(self) -> int:
        """How many monitors it has."""
        return len(monitors_of(self.state.cloud.balancer))

    def state_of(self, service: Service) -> SteadyState:
        """What would be there of a Service that is alike."""
        if service == self.first:
            return self.state
        judged = self.judged
        return steady_state(judged.options, service, judged.cloud, in_tree=judged.in_tree)


class ServiceComparison:
    """Compares the two sides of Services."""

    def __init__(self) -> None:
        self._settled: dict[Hashable, SettledService] = {}
        self._carried: dict[Hashable, Service] = {}
        self._changes = AlikeServices[ServiceChange]()

    def settle(self, judged: JudgedService, deployment: Deployment) -> SettledService:
        """Work out what is there before the change.

        Args:
            judged: The Service before the change.
            deployment: What it is judged by.
        """
        kind = _kind(judged, deployment)
        known = self._settled.get(kind) if kind is not None else None
        if known is not None:
            return known._replace(judged=judged)
        state = steady_state(judged.options, judged.service, judged.cloud, in_tree=judged.in_tree)
        service = SettledService(judged, kind, state, judged.service)
        if kind is not None:
            self._settled[kind] = service
        return service

    def carried_over(self, after: ServiceObject, before: Service) -> Service:
        """A Service after the change, see `ccmcheck.review.change.inputs.carried_over`."""
        alike = likeness("", after.service, before)
        kind = None if alike is None else (alike.kind, alike.values[1:])
        known = self._carried.get(kind)
        if known is None:
            known = carried_over(after, before)
            if kind is None or known.faults != after.service.faults:
                return known
            self._carried[kind] = known
        return known._replace(name=after.service.name)

    def compare(
        self, before: SettledService | None, after: JudgedService | None, deployment: Deployment | None
    ) -> ServiceChange:
        """Work out what becomes of a Service.

        Args:
            before: The Service before the change; None where it is new.
            after: The Service after the change; None where it is gone.
            deployment: What it is judged by after the change.
        """
        sides = [service for service in (before.judged if before is not None else None, after) if service is not None]
        kinds = [before.kind] if before is not None else []
        kinds += [_kind(after, deployment)] if after is not None and deployment is not None else []
        services = tuple(side.service for side in sides)
        alike = None if None in kinds else likeness("", *services)
        context = (*kinds, before is None, len({side.path for side in sides}))

        def compared(services: tuple[Service, ...]) -> ServiceChange:
            old, new = services[0], services[-1]
            return compare(
                before.judged._replace(service=old) if before is not None else None,
                before.state_of(old) if before is not None else None,
                after._replace(service=new) if after is not None else None,
            )

        place = sides[-1]
        return self._changes.of(services, alike, context, compared)._replace(
            path=place.path, line=place.line, old_path=sides[0].path if before is not None else ""
        )


def _kind(judged: JudgedService, deployment: Deployment) -> Hashable | None:
    """What all that is known of a Service has in common with others, on one side; None for what is like no other."""
    alike = likeness(judged.cloud.cluster_name, judged.service)
    return None if alike is None else (alike.kind, id(deployment), judged.cloud.monitors_used)
