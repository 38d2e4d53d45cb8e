"""Each Service of a snapshot beside its load balancer: what differs, and what the next sync leaves of it.

The next sync is predicted from the load balancer as it is; what differs afterwards is not corrected by it. What a node
change corrects is data (`ccmcheck.catalog.octavia_repairs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ccmcheck.cluster.access.documents import text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import (
    NamedTuple,
    balancer_spec,
    behaviour,
    cloud_state,
    live_records,
    octavia_api,
    octavia_repairs,
    predict,
    predict_options,
    predictions,
    service_annotations,
    service_input,
    steady_state,
)
from ccmcheck.cluster.octavia import neutron_differences
from ccmcheck.cluster.octavia.balancers import balancer_record, floating_ips_by_port, groups_by_uid
from ccmcheck.cluster.octavia.differences import Difference, Expected, differences, raw_differences
from ccmcheck.cluster.octavia.health import adoption, health, lost_address, other_cluster, pending, renamed_by_hand
from ccmcheck.cluster.octavia.reader import OctaviaInventory

ID = f"{service_annotations.PREFIX}load-balancer-id"


class BalancedService(NamedTuple):
    """A Service, and the load balancer that it has.

    Attributes:
        subject: ``Service shop/web``.
        service: The Service.
        balancer: Its load balancer as Octavia lists it; None where there is none.
        identifier: The ID that its annotation names; empty without one.
    """

    subject: str
    service: service_input.Service
    balancer: Document | None
    identifier: str


class Comparison:
    """Compares the Services of one cluster.

    Args:
        options: The cloud.conf as the release reads it.
        cloud: What is known of the cluster and the cloud; without a load balancer.
        inventory: What the project has.
        doubtful: Addresses of nodes that may or may not be members.
        published: The addresses in the Services' statuses, by their subjects.
    """

    def __init__(
        self,
        options: predict_options.Options,
        cloud: cloud_state.CloudState,
        inventory: OctaviaInventory,
        doubtful: frozenset[str],
        published: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._published = published
        self._options = options
        self._cloud = cloud
        self._inventory = inventory
        self._doubtful = doubtful
        self._floating_ips = floating_ips_by_port(inventory)
        self._groups = groups_by_uid(inventory)

    def compare(self, live: BalancedService) -> live_records.LiveBalancer | None:
        """One Service; None where the CCM makes no load balancer, or it is not predicted."""
        service = live.service._replace(annotations=_without_id(live.service.annotations))
        spec = balancer_spec.spec_or_none(self._options, service, self._cloud)
        if spec is None:
            return None
        settled = steady_state.steady_state(self._options, service, self._cloud)
        if not settled.exists or settled.cloud.balancer is None:
            return None
        wants_monitors = any(plan.monitor is not None for plan in settled.made.plans)
        balancer = live_records.LiveBalancer(
            live.subject, wants_monitors=wants_monitors, monitor_source=settled.made.monitor_source
        )
        if live.balancer is None:
            return balancer._replace(differences=(self._missing(live),))
        record = balancer_record(self._inventory, live.balancer)
        address = lost_address(self._inventory, record, self._published.get(live.subject, ()))
        balancer = balancer._replace(id=record.id, name=record.name, lost=address[0], attach=address[1])
        if record.status.startswith("PENDING"):  # what changes now says nothing
            return balancer._replace(health=tuple(pending(live.balancer)))
        owner = record.name == spec.name or not live.identifier
        expected = Expected(
            settled.cloud.balancer,
            owner,
            spec.name,
            self._options.serial,
            sends_timeouts=spec.timeouts is not None,
            sends_cidrs=self._sends_cidrs(),
            sends_tags=spec.tags,
            doubtful=self._doubtful,
        )
        there = self._cloud._replace(
            balancer=record,
            floating_ip=self._floating_ips.get(record.port),
            group=self._groups.get(service.uid) if service.uid else None,
        )
        synced = predict(self._options, live.service, there)
        compared = self._compared(there, expected, settled.made)
        left = self._left(synced, there, expected, settled.made)
        raw = raw_differences(self._inventory, live.balancer, spec, settled.made.plans, owner=owner)
        blocked = _why_blocked(synced)
        return balancer._replace(
            differences=(
                *(self._judged(difference, left, blocked) for difference in compared),
                *(live_records.LiveDifference(*one, repaired_by=octavia_repairs.NOTHING) for one in raw),
            ),
            other_cluster=other_cluster(live.balancer, self._cloud.cluster_name),
            adoption=adoption(
                live.balancer, self._cloud, record, renames=behaviour.behaves("renames", self._options.release)
            ),
            health=(
                *health(self._inventory, live.balancer, live.service.policy),
                *renamed_by_hand(live.balancer, spec.name),
            ),
        )

    def _sends_cidrs(self) -> bool:
        return not self._options.is_special and octavia_api.api_has("allowed-cidrs", self._inventory.api) is not False

    def _missing(self, live: BalancedService) -> live_records.LiveDifference:
        repaired = octavia_repairs.NOTHING if live.identifier else octavia_repairs.SYNC
        kept = f"none with ID {live.identifier}" if live.identifier else "none"
        return live_records.LiveDifference("load-balancer", "", kept, "one", repaired_by=repaired)

    def _compared(
        self, cloud: cloud_state.CloudState, expected: Expected, made: predictions.Prediction
    ) -> list[Difference]:
        if cloud.balancer is None:
            return []
        found_differences = list(
            differences(cloud.balancer, expected, self._inventory.pools.keys() - self._inventory.members.keys())
        )
        found_differences += neutron_differences.of_group(cloud.group, made, self._inventory)
        found_differences += neutron_differences.of_ports(cloud, made, self._inventory, self._doubtful)
        if expected.owner:
            found_differences += neutron_differences.of_floating_ip(cloud, made, self._inventory)
        return found_differences

    def _left(
        self,
        synced: predictions.Prediction,
        cloud: cloud_state.CloudState,
        expected: Expected,
        made: predictions.Prediction,
    ) -> set[tuple[str, str]] | None:
        """What still differs after the next sync; None where that is not predicted."""
        if synced.outcome is predictions.Outcome.UNKNOWN:
            return None
        if _why_blocked(synced):
            return {(one.kind, one.part) for one in self._compared(cloud, expected, made)}
        left = steady_state.gone_through(synced, cloud, self._options.lb_provider)
        return {(difference.kind, difference.part) for difference in self._compared(left, expected, made)}

    def _judged(
        self, difference: Difference, left: set[tuple[str, str]] | None, blocked: str
    ) -> live_records.LiveDifference:
        by_release = octavia_repairs.repaired_by(difference.kind, self._options.release)
        repaired = by_release
        if left is not None:
            if (difference.kind, difference.part) in left:
                repaired = octavia_repairs.NOTHING
            elif by_release == octavia_repairs.NOTHING:
                repaired = octavia_repairs.SYNC
        return live_records.LiveDifference(
            *difference, repaired_by=repaired, blocked=blocked if repaired == octavia_repairs.NOTHING else ""
        )


def _why_blocked(synced: predictions.Prediction) -> str:
    """Why the next sync ends early; empty where it does not."""
    return (
        ""
        if synced.outcome in (predictions.Outcome.ACCEPTED, predictions.Outcome.UNKNOWN)
        else synced.why or synced.error
    )


def _without_id(annotations: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in annotations.items() if name != ID}


def live_services(
    services: Iterable[tuple[str, service_input.Service]],
    inventory: OctaviaInventory,
    cluster: str,
    legacy: dict[str, str],
) -> Iterator[BalancedService]:
    """Find the load balancer of each Service: by its annotation, else by its name.

    Args:
        services: The Services with their subjects.
        inventory: What the project has.
        cluster: The CCM's ``--cluster-name``.
        legacy: The older form of the name of each Service, by its UID.
    """
    by_name: dict[str, Document] = {}
    for balancer in inventory.balancers.values():
        by_name.setdefault(text(balancer.get("name")), balancer)
    for subject, service in services:
        identifier = service.annotations.get(ID, "")
        if identifier:
            yield BalancedService(subject, service, inventory.balancers.get(identifier), identifier)
        else:
            found = by_name.get(balancer_spec.balancer_name(cluster, service)) or by_name.get(
                legacy.get(service.uid, "")
            )
            yield BalancedService(subject, service, found, "")
