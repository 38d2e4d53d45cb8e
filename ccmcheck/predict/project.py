"""All Services of a deployment live in one cloud: they share load balancers, and the project's quota.

Services with the same ``load-balancer-id`` share that load balancer. Files do not say whose it is: the first of them is
taken for its owner, the others are its guests. Two Services of a cluster never have load balancers of one name: where
names are cut at 255 characters, Octavia refuses the description, which is longer.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog.service_annotations import BALANCER_ID
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.load_balancer_spec import balancer_name
from ccmcheck.predict.steady import gone_through, steady_state


def named_balancer(service: Service, config: Options) -> str:
    """The load balancer that a Service names, and that others can share; empty without one."""
    wanted = service.annotations.get(BALANCER_ID, "").strip()
    return wanted if behaviours_of(config.release)["tags-and-shares"] and UUID_LIKE.fullmatch(wanted) else ""


def own_part(cloud: CloudState, service: Service) -> CloudState:
    """What a Service has of a load balancer: its own listeners; no load balancer where it has none of it.

    Args:
        cloud: The cloud with a load balancer that may be shared.
        service: The Service.
    """
    there, name = cloud.balancer, balancer_name(cloud.cluster_name, service)
    if there is None or name not in there.tags:
        return cloud._replace(balancer=None, floating_ip=None)
    listeners = tuple(listener for listener in there.listeners if name in listener.tags)
    return cloud._replace(balancer=there._replace(listeners=listeners))


def without(cloud: CloudState, service: Service) -> CloudState:
    """A shared load balancer as if a Service had never had a part of it.

    Args:
        cloud: The cloud with the load balancer.
        service: The Service.
    """
    there, name = cloud.balancer, balancer_name(cloud.cluster_name, service)
    tags = tuple(tag for tag in there.tags if tag != name) if there is not None else ()
    if there is None or not tags:
        return cloud._replace(balancer=None, floating_ip=None, group=None)
    listeners = tuple(listener for listener in there.listeners if name not in listener.tags)
    return cloud._replace(balancer=there._replace(listeners=listeners, tags=tags), group=None)


class Project:
    """The cloud of a deployment, as one Service after the other changes it.

    Args:
        config: The configuration.
        services: All Services, in the order in which the CCM is taken to make them.
        cloud: The cloud before.
    """

    def __init__(self, config: Options, services: Iterable[Service], cloud: CloudState) -> None:
        self._config = config
        self._cloud = cloud
        self._used = 0
        self._states: dict[str, tuple[CloudState, Service]] = {}
        counts: dict[str, int] = {}
        for service in services:
            key = self._key(service)
            counts[key] = counts.get(key, 0) + 1
        self._shared = {key for key, count in counts.items() if key and count > 1}

    def _key(self, service: Service) -> str:
        return named_balancer(service, self._config)

    def is_shared(self, service: Service) -> bool:
        """Whether another Service has the same load balancer."""
        return self._key(service) in self._shared and self._cloud.balancer is None

    @property
    def used(self) -> int:
        """How many monitors the Services so far have, where a quota limits them; 0 where none does."""
        quota = self._cloud.facts.monitor_quota
        return self._used if quota is not None and quota >= 0 else 0

    def before(self, service: Service) -> CloudState:
        """The cloud that the CCM meets when it comes to a Service.

        Args:
            service: The Service.
        """
        known = self._states.get(self._key(service)) if self.is_shared(service) else None
        cloud = known[0] if known is not None else self._cloud
        return cloud.with_facts(monitors_used=self._cloud.monitors_used + self.used) if self.used else cloud

    def take(self, service: Service, prediction: Prediction) -> Prediction:
        """Note what the CCM did for a Service.

        Args:
            service: The Service.
            prediction: What is predicted for it in the cloud that it meets.

        Returns:
            The prediction with what it owes to the other Services.
        """
        if prediction.outcome is Outcome.ACCEPTED:
            self._used += sum(plan.monitor is not None for plan in prediction.plans)
        key = self._key(service)
        there = self._states.get(key)
        if there is None:
            if self.is_shared(service):
                self._states |= self._made(key, service, prediction)
            is_there = key and self._cloud.balancer is None and not self._cloud.balancers_known
            return _of_existing(prediction, key) if is_there else prediction
        cloud, owner = there
        after = gone_through(prediction, cloud, self._config.lb_provider)
        self._states[key] = after._replace(group=None), owner
        assumed = f"the load balancer {key} is assumed to be that of {owner.title}, the first Service that names it"
        return prediction._replace(assumed=(*prediction.assumed, assumed))

    def _made(self, key: str, owner: Service, prediction: Prediction) -> dict[str, tuple[CloudState, Service]]:
        """The load balancer of the first Service; nothing where it makes none."""
        cloud = steady_state(self._config, owner, self._cloud, prediction).cloud
        if cloud.balancer is None:
            return {}
        balancer = cloud.balancer._replace(id=key)
        return {key: (cloud._replace(balancer=balancer, balancers_known=True, group=None), owner)}


def _of_existing(prediction: Prediction, balancer: str) -> Prediction:
    """The same for a load balancer that is there: the CCM makes none, and what it sends is what that one lacks."""
    if prediction.outcome is not Outcome.ACCEPTED:
        return prediction
    answers = tuple(one for one in prediction.answers if one.name != "accepted")
    return prediction._replace(requests=(), answers=answers, written={**prediction.written, BALANCER_ID: balancer})
