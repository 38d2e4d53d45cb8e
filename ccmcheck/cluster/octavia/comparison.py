"""Each Service of a snapshot beside its load balancer: what differs, and what the next sync leaves of it.

The next sync is predicted from the load balancer as it is; what differs afterwards is not corrected by it. What a node
change corrects is data (`ccmcheck.catalog.octavia_repairs`).

What Octavia says of a load balancer's health, as far as it is a problem; Local Services leave nodes in ERROR.

The floating IP and the security group of a Service beside those that the CCM would make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from ccmcheck.cluster import core
from ccmcheck.cluster.access.documents import mappings, moment, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.octavia import names
from ccmcheck.cluster.octavia.balancers import balancer_record, floating_ips_by_port, groups_by_uid, texts
from ccmcheck.cluster.octavia.differences import Difference, Expected, differences, raw_differences
from ccmcheck.cluster.octavia.reader import OctaviaInventory
from ccmcheck.cluster.octavia.requests import FLOATING_IPS, GROUPS

_MOST_NAMES = 3


def of_floating_ip(
    cloud: core.cloud_state.CloudState, made: core.predictions.Prediction, inventory: OctaviaInventory
) -> Iterator[Difference]:
    """Whether there is a floating IP where the CCM would make one.

    Args:
        cloud: The cloud with the load balancer.
        made: What the CCM would make.
        inventory: What the project has.
    """
    if FLOATING_IPS.key in inventory.unread or cloud.balancer is None:
        return
    live, wanted = cloud.floating_ip, made.floating
    is_known = wanted.network != core.predictions.EXTERNAL_NETWORK and core.ranges.family(cloud.balancer.address) == 4
    if live is None and wanted.wanted and is_known:
        yield Difference("floating-ip", "", "none", "one")
    elif live is not None and not wanted.wanted and wanted.why == "the Service is internal":
        yield Difference("floating-ip-extra", "", live.address, "none")


def of_group(
    live: core.cloud_state.Group | None, made: core.predictions.Prediction, inventory: OctaviaInventory
) -> Iterator[Difference]:
    """Compare the security group and its rules.

    Args:
        live: The Service's group; None without one.
        made: What the CCM would make.
        inventory: What the project has.
    """
    if GROUPS.key in inventory.unread:
        return
    if made.rules is None or live is None:
        if live is not None:
            yield Difference("security-group-extra", "", "one", "none: manage-security-groups is off")
        elif made.rules is not None:
            yield Difference("security-group", "", "none", f"one with {len(made.rules)} rules")
        return
    if any(rule.remote.startswith(core.predictions.MEMBER_CIDR) for rule in made.rules):
        return
    wanted = {(rule.protocol.lower(), rule.port, rule.remote, rule.ethertype) for rule in made.rules}
    there = {
        (rule.protocol.lower(), rule.port_min, rule.remote, rule.ethertype)
        for rule in live.rules
        if rule.direction == "ingress"
    }
    if missing := sorted(wanted - there):
        protocol, port, remote, _ = missing[0]
        yield Difference(
            "security-group-rules",
            "",
            f"{len(missing)} missing",
            f"{len(wanted)} rules, as {protocol} {port} from {remote}",
        )


def of_ports(
    cloud: core.cloud_state.CloudState,
    made: core.predictions.Prediction,
    inventory: OctaviaInventory,
    doubtful: frozenset[str],
) -> Iterator[Difference]:
    """Whether the security group is on the ports of the nodes that are members.

    Args:
        cloud: The cloud with the load balancer and the group.
        made: What the CCM would make.
        inventory: What the project has.
        doubtful: See `Expected.doubtful`.
    """
    group, balancer = cloud.group, cloud.balancer
    if made.rules is None or group is None or balancer is None:
        return
    pools = (listener.pool for listener in balancer.listeners if listener.pool is not None)
    members = {member.address for pool in pools for member in pool.members} - doubtful
    put = {name for name, *_ in group.ports}  # by a sync that is predicted
    lacking = [
        node.name
        for node in cloud.nodes or ()
        if f"{{port of {node.name}}}" not in put
        and any(
            group.id not in texts(port.get("security_groups"))
            for port in inventory.ports.get((node.provider_id or "").rpartition("/")[2], ())
            if port.get("port_security_enabled", True) and not members.isdisjoint(_addresses(port))
        )
    ]
    if lacking:
        names = ", ".join(lacking[:_MOST_NAMES]) + (" …" if len(lacking) > _MOST_NAMES else "")
        yield Difference("security-group-ports", "", f"not at {names}", "on the port of every member")


def _addresses(port: Document) -> Iterator[str]:
    return (text(one.get("ip_address")) for one in mappings(port.get("fixed_ips")))


RENAMED_NEXT, SHARED, WAS_RENAMED, SAME_NAME = "renamed next", "shared", "was renamed", "same name"
"""How a load balancer came to two clusters: the next sync takes it, both use it, one took it, both have one name."""


def other_cluster(balancer: Document, cluster: str) -> str:
    """The other cluster's name; empty where nothing names one."""
    owner = names.of_name(text(balancer.get("name")))
    if owner is not None and owner.cluster != cluster:
        return owner.cluster
    for tag in texts(balancer.get("tags")):
        tagged = names.of_name(tag)
        if tagged is not None and tagged.cluster != cluster:
            return tagged.cluster
    described = names.described(names.BALANCER_TEXT, balancer)
    return described.cluster if described is not None and described.cluster != cluster else ""


def adoption(
    balancer: Document, cloud: core.cloud_state.CloudState, record: core.cloud_state.Balancer, *, renames: bool
) -> str:
    """How a load balancer came to two clusters; empty where it belongs to this one alone.

    Args:
        balancer: The load balancer as Octavia lists it.
        cloud: The nodes, and the cluster's name.
        record: The load balancer with its members.
        renames: Whether the release renames what belongs to another cluster.
    """
    owner = names.of_name(record.name)
    if owner is not None and owner.cluster != cloud.cluster_name:
        return RENAMED_NEXT if renames else SHARED
    tags = (names.of_name(tag) for tag in record.tags)
    if any(tag is not None and tag.cluster != cloud.cluster_name for tag in tags):
        return SHARED
    if other_cluster(balancer, cloud.cluster_name):
        return WAS_RENAMED
    return SAME_NAME if _has_strangers_alone(record, cloud) else ""


def _has_strangers_alone(record: core.cloud_state.Balancer, cloud: core.cloud_state.CloudState) -> bool:
    """Whether there are members, and none of them is a node of this cluster."""
    nodes = {address for node in cloud.nodes or () for _, address in node.addresses}
    members = {
        member.address for listener in record.listeners if listener.pool is not None for member in listener.pool.members
    }
    return bool(nodes) and bool(members) and not nodes & members


_LONG = timedelta(hours=1)
"""Octavia's workers give up after some minutes; what is pending for longer stays so until somebody resets it."""


def pending(balancer: Document, now: datetime | None = None) -> Iterator[str]:
    """Say of a load balancer that something changes whether it has been so for too long.

    Args:
        balancer: The load balancer.
        now: The time.
    """
    since, status = text(balancer.get("updated_at")), text(balancer.get("provisioning_status"))
    changed = moment(since if since.endswith("Z") else f"{since}Z")  # Octavia's times are in UTC, and do not say so
    if changed is not None and (now or datetime.now(UTC)) - changed > _LONG:
        yield (
            f"its provisioning status is {status} since {since}: its worker died. Octavia refuses every change until "
            "an administrator sets the status and fails it over (openstack loadbalancer status set, failover)"
        )


def renamed_by_hand(balancer: Document, wanted: str) -> Iterator[str]:
    """Say of a load balancer that the CCM made whether it has a name that is none of the CCM's.

    Args:
        balancer: The load balancer.
        wanted: The name that the CCM gives.
    """
    name, described = text(balancer.get("name")), names.described(names.BALANCER_TEXT, balancer)
    if described is not None and not name.startswith(_PREFIX) and not names.is_legacy(name):
        yield (
            f"it was renamed by hand to {name[:64]}: the CCM finds it by the annotation, and leaves it behind when the "
            f"Service is deleted (openstack loadbalancer set --name {wanted} {text(balancer.get('id'))})"
        )


_PREFIX = "kube_service_"


def lost_address(
    inventory: OctaviaInventory, record: core.cloud_state.Balancer, published: Sequence[str]
) -> tuple[str, str]:
    """Which address of a Service its load balancer has no longer, in words, and the command that gives it back.

    Args:
        inventory: What the project has.
        record: The load balancer.
        published: The addresses in the Service's status.
    """
    if "floatingips" in inventory.unread:
        return "", ""
    there = {text(one.get("floating_ip_address")): one for one in inventory.floating_ips}
    own = {record.address, *(address for address, one in there.items() if text(one.get("port_id")) == record.port)}
    for address in published:
        if not address or address in own:
            continue
        floating = there.get(address)
        if floating is None:
            return f"the Service publishes {address}, which no floating IP of the project has any more", ""
        where = f"on port {text(floating.get('port_id'))}" if floating.get("port_id") else "attached to nothing"
        command = f"openstack floating ip set --port {record.port} {text(floating.get('id'))}"
        return f"the Service publishes {address}, whose floating IP is {where}", command
    return "", ""


def health(inventory: OctaviaInventory, balancer: Document, policy: str) -> Iterator[str]:
    """Describe what does not work, in words.

    Args:
        inventory: What the project has.
        balancer: The load balancer.
        policy: ``externalTrafficPolicy`` of the Service.
    """
    status = text(balancer.get("provisioning_status"))
    if status == "ERROR":
        yield "its provisioning status is ERROR: Octavia changes nothing in it, and every sync ends with an error"
    for listener in inventory.listeners_of(balancer):
        pool = inventory.pools.get(text(listener.get("default_pool_id")))
        members = inventory.members.get(text(pool.get("id")), ()) if pool is not None else ()
        down = [member for member in members if text(member.get("operating_status")) == "ERROR"]
        if not down:
            continue
        port = listener.get("protocol_port")
        if len(down) == len(members):
            yield f"all {len(members)} members of port {port} are down by its health monitor"
        elif policy != "Local":  # nodes without a pod are down on purpose
            yield f"{len(down)} of {len(members)} members of port {port} are down by its health monitor"


ID = f"{core.service_annotations.PREFIX}load-balancer-id"


class BalancedService(core.NamedTuple):
    """A Service, and the load balancer that it has.

    Attributes:
        subject: ``Service shop/web``.
        service: The Service.
        balancer: Its load balancer as Octavia lists it; None where there is none.
        identifier: The ID that its annotation names; empty without one.
    """

    subject: str
    service: core.service_input.Service
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
        options: core.predict_options.Options,
        cloud: core.cloud_state.CloudState,
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

    def compare(self, live: BalancedService) -> core.live_records.LiveBalancer | None:
        """One Service; None where the CCM makes no load balancer, or it is not predicted."""
        service = live.service._replace(annotations=_without_id(live.service.annotations))
        spec = core.balancer_spec.spec_or_none(self._options, service, self._cloud)
        if spec is None:
            return None
        settled = core.steady_state.steady_state(self._options, service, self._cloud)
        if not settled.exists or settled.cloud.balancer is None:
            return None
        wants_monitors = any(plan.monitor is not None for plan in settled.made.plans)
        balancer = core.live_records.LiveBalancer(
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
        synced = core.predict(self._options, live.service, there)
        compared = self._compared(there, expected, settled.made)
        left = self._left(synced, there, expected, settled.made)
        raw = raw_differences(self._inventory, live.balancer, spec, settled.made.plans, owner=owner)
        blocked = _why_blocked(synced)
        return balancer._replace(
            differences=(
                *(self._judged(difference, left, blocked) for difference in compared),
                *(core.live_records.LiveDifference(*one, repaired_by=core.octavia_repairs.NOTHING) for one in raw),
            ),
            other_cluster=other_cluster(live.balancer, self._cloud.cluster_name),
            adoption=adoption(
                live.balancer, self._cloud, record, renames=core.behaviour.behaves("renames", self._options.release)
            ),
            health=(
                *health(self._inventory, live.balancer, live.service.policy),
                *renamed_by_hand(live.balancer, spec.name),
            ),
        )

    def _sends_cidrs(self) -> bool:
        return (
            not self._options.is_special and core.octavia_api.api_has("allowed-cidrs", self._inventory.api) is not False
        )

    def _missing(self, live: BalancedService) -> core.live_records.LiveDifference:
        repaired = core.octavia_repairs.NOTHING if live.identifier else core.octavia_repairs.SYNC
        kept = f"none with ID {live.identifier}" if live.identifier else "none"
        return core.live_records.LiveDifference("load-balancer", "", kept, "one", repaired_by=repaired)

    def _compared(
        self, cloud: core.cloud_state.CloudState, expected: Expected, made: core.predictions.Prediction
    ) -> list[Difference]:
        if cloud.balancer is None:
            return []
        found_differences = list(
            differences(cloud.balancer, expected, self._inventory.pools.keys() - self._inventory.members.keys())
        )
        found_differences += of_group(cloud.group, made, self._inventory)
        found_differences += of_ports(cloud, made, self._inventory, self._doubtful)
        if expected.owner:
            found_differences += of_floating_ip(cloud, made, self._inventory)
        return found_differences

    def _left(
        self,
        synced: core.predictions.Prediction,
        cloud: core.cloud_state.CloudState,
        expected: Expected,
        made: core.predictions.Prediction,
    ) -> set[tuple[str, str]] | None:
        """What still differs after the next sync; None where that is not predicted."""
        if synced.outcome is core.predictions.Outcome.UNKNOWN:
            return None
        if _why_blocked(synced):
            return {(one.kind, one.part) for one in self._compared(cloud, expected, made)}
        left = core.steady_state.gone_through(synced, cloud, self._options.lb_provider)
        return {(difference.kind, difference.part) for difference in self._compared(left, expected, made)}

    def _judged(
        self, difference: Difference, left: set[tuple[str, str]] | None, blocked: str
    ) -> core.live_records.LiveDifference:
        by_release = core.octavia_repairs.repaired_by(difference.kind, self._options.release)
        repaired = by_release
        if left is not None:
            if (difference.kind, difference.part) in left:
                repaired = core.octavia_repairs.NOTHING
            elif by_release == core.octavia_repairs.NOTHING:
                repaired = core.octavia_repairs.SYNC
        return core.live_records.LiveDifference(
            *difference, repaired_by=repaired, blocked=blocked if repaired == core.octavia_repairs.NOTHING else ""
        )


def _why_blocked(synced: core.predictions.Prediction) -> str:
    """Why the next sync ends early; empty where it does not."""
    return (
        ""
        if synced.outcome in (core.predictions.Outcome.ACCEPTED, core.predictions.Outcome.UNKNOWN)
        else synced.why or synced.error
    )


def _without_id(annotations: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in annotations.items() if name != ID}


def live_services(
    services: Iterable[tuple[str, core.service_input.Service]],
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
            found = by_name.get(core.balancer_spec.balancer_name(cluster, service)) or by_name.get(
                legacy.get(service.uid, "")
            )
            yield BalancedService(subject, service, found, "")
