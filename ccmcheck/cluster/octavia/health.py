"""What Octavia says of a load balancer's health, as far as it is a problem; Local Services leave nodes in ERROR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from ccmcheck.cluster.access.documents import moment, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import cloud_state
from ccmcheck.cluster.octavia import names
from ccmcheck.cluster.octavia.balancers import texts
from ccmcheck.cluster.octavia.reader import OctaviaInventory

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
    described = names.of_balancer_text(text(balancer.get("description")))
    return described.cluster if described is not None and described.cluster != cluster else ""


def adoption(balancer: Document, cloud: cloud_state.CloudState, record: cloud_state.Balancer, *, renames: bool) -> str:
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


def _has_strangers_alone(record: cloud_state.Balancer, cloud: cloud_state.CloudState) -> bool:
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
    name, described = text(balancer.get("name")), names.of_balancer_text(text(balancer.get("description")))
    if described is not None and not name.startswith(_PREFIX) and not names.is_legacy(name):
        yield (
            f"it was renamed by hand to {name[:64]}: the CCM finds it by the annotation, and leaves it behind when the "
            f"Service is deleted (openstack loadbalancer set --name {wanted} {text(balancer.get('id'))})"
        )


_PREFIX = "kube_service_"


def lost_address(
    inventory: OctaviaInventory, record: cloud_state.Balancer, published: Sequence[str]
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
