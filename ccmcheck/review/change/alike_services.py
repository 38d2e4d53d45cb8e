"""Services before and after a change, worked out once for those that differ in nothing but their names."""

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
        state: What is there; of those that are alike, that of the first one, by whose name it is.
        name: The name of that one.
    """

    judged: JudgedService
    kind: Hashable | None
    state: SteadyState
    name: str

    @property
    def monitors(self) -> int:
        """How many monitors it has."""
        return len(monitors_of(self.state.cloud.balancer))

    def state_of(self, name: str) -> SteadyState:
        """What would be there if it had a name."""
        if name == self.name:
            return self.state
        judged = _named(self.judged, name)
        return steady_state(judged.options, judged.service, judged.cloud, in_tree=judged.in_tree)


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
        service = SettledService(judged, kind, state, judged.service.name)
        if kind is not None:
            self._settled[kind] = service
        return service

    def carried_over(self, after: ServiceObject, before: Service) -> Service:
        """A Service after the change, see `ccmcheck.review.change.inputs.carried_over`."""
        kinds = (likeness(after.service, ""), likeness(before, ""))
        known = self._carried.get(kinds)
        if known is None:
            known = carried_over(after, before)
            if None in kinds or known.faults:
                return known
            self._carried[kinds] = known
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
        old = before.kind if before is not None else ""
        new = _kind(after, deployment) if after is not None and deployment is not None else ""
        sides = [service for service in (before.judged if before is not None else None, after) if service is not None]
        kind = (old, new, len({side.path for side in sides})) if old is not None and new is not None else None
        place = sides[-1]

        def compared(name: str) -> ServiceChange:
            return compare(
                _named(before.judged, name) if before is not None else None,
                before.state_of(name) if before is not None else None,
                _named(after, name) if after is not None else None,
            )

        return self._changes.of(place.service.name, kind, compared)._replace(
            path=place.path, line=place.line, old_path=sides[0].path if before is not None else ""
        )


def _named(judged: JudgedService, name: str) -> JudgedService:
    return judged._replace(service=judged.service._replace(name=name))


def _kind(judged: JudgedService, deployment: Deployment) -> Hashable | None:
    """All that is worked out about a Service by, but its name and place; None for one that is not like any other."""
    alike = likeness(judged.service, judged.cloud.cluster_name)
    return None if alike is None else (alike, id(deployment), judged.cloud.monitors_used)
