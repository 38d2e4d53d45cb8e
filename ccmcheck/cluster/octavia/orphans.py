"""Load balancers, floating IPs and security groups that the CCM made and no Service owns any more.

They are only reported. A load balancer belongs to the cluster that its name says, not its description, which a renamed
one keeps; a security group is joined by the Service's UID. What is pending, young or shared is left out, and why.

Source: cloud-provider-openstack v1.36.0 ensureLoadBalancerDeleted, deleteFIPIfCreatedByProvider and
ensureSecurityGroupDeleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta

from ccmcheck.cluster.access.documents import moment, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, lazy_regex
from ccmcheck.cluster.octavia import names
from ccmcheck.cluster.octavia.balancers import texts
from ccmcheck.cluster.octavia.names import OwnerName
from ccmcheck.cluster.octavia.reader import OctaviaInventory
from ccmcheck.cluster.octavia.requests import BALANCERS, FLOATING_IPS, GROUPS
from ccmcheck.cluster.octavia.services import Owners

BALANCER, FLOATING_IP, GROUP = "load balancer", "floating IP", "security group"
ORPHANED, KEPT_OR_LEAKED = "orphaned", "kept or leaked"
_ID = lazy_regex(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}\Z")


class Orphan(NamedTuple):
    """Something that no Service owns.

    Attributes:
        kind: `BALANCER`, `FLOATING_IP` or `GROUP`.
        id: Its ID.
        name: Its name, or its address.
        service: The Service that it was made for, ``shop/web``.
        verdict: `ORPHANED`, or `KEPT_OR_LEAKED` for a floating IP that nothing uses.
        created: When it was made, as OpenStack says.
        notes: What else to know before it is removed.
        commands: What removes it, in order.
    """

    kind: str
    id: str
    name: str
    service: str
    verdict: str
    created: str
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


class LeftOut(NamedTuple):
    """Something that may be orphaned and is not judged.

    Attributes:
        kind: See `Orphan`.
        id: Its ID.
        name: Its name, or its address.
        why: Why it is not judged.
    """

    kind: str
    id: str
    name: str
    why: str


class Orphans(NamedTuple):
    """What was found in one project."""

    orphans: tuple[Orphan, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class Judged(NamedTuple):
    """What is judged, and by which Services.

    Attributes:
        cluster: The name of the clusters.
        owners: The Services of all clusters of that name in the project.
        youngest: What was made later than this is left out.
    """

    cluster: str
    owners: Owners
    youngest: datetime


def youngest(age: timedelta, now: datetime | None = None) -> datetime:
    """The moment after which nothing is judged."""
    return (now or datetime.now(UTC)) - age


def find_orphans(inventory: OctaviaInventory, judged: Judged, ports_of: Callable[[str], list[Document]]) -> Orphans:
    """Find what no Service owns.

    Args:
        inventory: What the project has.
        judged: Of which clusters.
        ports_of: The ports that have a security group.
    """
    search = _Search(inventory, judged, ports_of)
    if BALANCERS.key not in inventory.unread:
        search.balancers()
        # without the load balancers nobody knows which floating IPs are theirs
        if FLOATING_IPS.key not in inventory.unread:
            search.floating_ips()
    if GROUPS.key not in inventory.unread:
        search.groups()
    return Orphans(tuple(search.orphans), tuple(search.left_out))


def has_any_of(inventory: OctaviaInventory, owners: Owners) -> bool:
    """Whether a project has the load balancer or the security group of any of the Services."""
    if owners.balancers & inventory.balancers.keys():
        return True
    uids = {names.group_uid(text(group.get("name"))) for group in inventory.groups}
    if owners.uids & uids:
        return True
    addresses = {text(balancer.get("vip_address")) for balancer in inventory.balancers.values()}
    addresses |= {text(address.get("floating_ip_address")) for address in inventory.floating_ips}
    return bool(owners.addresses & addresses)


class _Search:
    def __init__(self, inventory: OctaviaInventory, judged: Judged, ports_of: Callable[[str], list[Document]]) -> None:
        self._inventory = inventory
        self._judged = judged
        self._ports_of = ports_of
        self._legacy = {names.legacy_name(uid) for uid in judged.owners.uids}
        self._ports: dict[str, str] = {}
        self._addresses = {text(one.get("port_id")): one for one in inventory.floating_ips if one.get("port_id")}
        self.orphans: list[Orphan] = []
        self.left_out: list[LeftOut] = []

    def balancers(self) -> None:
        """Load balancers by their names."""
        for identifier, balancer in self._inventory.balancers.items():
            owner = self._owner_of(balancer)
            if owner is None or self._is_owned(identifier, balancer, owner):
                continue
            why = self._why_not(balancer) or self._shared(balancer, owner)
            if why:
                self._leave_out(BALANCER, balancer, why)
                continue
            self._ports[text(balancer.get("vip_port_id"))] = identifier
            command = ("openstack loadbalancer delete --cascade", identifier)
            self._add(BALANCER, balancer, owner, self._notes(balancer, owner), command)

    def floating_ips(self) -> None:
        """Floating IPs by their descriptions, and by the load balancer that they are on."""
        for address in self._inventory.floating_ips:
            owner = names.described(names.FLOATING_TEXT, address)
            name, port = text(address.get("floating_ip_address")), text(address.get("port_id"))
            if owner is not None and not port and name in self._judged.owners.addresses:
                why = "nothing has it any more, and a Service publishes it: attach it to its load balancer again"
                self._leave_out(FLOATING_IP, address, why)
            if owner is None or not self._is_gone(owner) or name in self._judged.owners.addresses:
                continue
            if port and port not in self._ports:
                continue  # something else uses it
            why = self._why_not(address)
            if why:
                self._leave_out(FLOATING_IP, address, why)
                continue
            note, verdict = (
                "nothing uses it: kept on purpose (annotation keep-floatingip), or left behind",
                KEPT_OR_LEAKED,
            )
            if port:
                note, verdict = f"it is on load balancer {self._ports[port]}, which comes first", ORPHANED
            command = ("openstack floating ip delete", text(address.get("id")))
            self._add(FLOATING_IP, address, owner, (note,), command, verdict=verdict)

    def groups(self) -> None:
        """Security groups by the Service's UID."""
        for group in self._inventory.groups:
            uid = names.group_uid(text(group.get("name")))
            owner = names.described(names.GROUP_TEXT, group)
            if not uid or uid in self._judged.owners.uids:
                continue
            if owner is None or owner.cluster != self._judged.cluster:
                continue  # of another cluster, or of nobody knows whom
            why = self._why_not(group)
            if why:
                self._leave_out(GROUP, group, why)
                continue
            identifier = text(group.get("id"))
            ports = [text(port.get("id")) for port in self._ports_of(identifier)]
            detach = [("openstack port unset --security-group", identifier, port) for port in ports]
            notes = (f"it is still on {len(ports)} ports, which keep their other groups",) if ports else ()
            self._add(GROUP, group, owner, notes, *detach, ("openstack security group delete", identifier))

    def _add(
        self,
        kind: str,
        found: Document,
        owner: OwnerName,
        notes: Iterable[str],
        *commands: tuple[str, ...],
        verdict: str = ORPHANED,
    ) -> None:
        created = text(found.get("created_at"))
        self.orphans.append(
            Orphan(kind, *_identity(kind, found), owner.title, verdict, created, tuple(notes), _commands(*commands))
        )

    def _leave_out(self, kind: str, found: Document, why: str) -> None:
        self.left_out.append(LeftOut(kind, *_identity(kind, found), why))

    def _owner_of(self, balancer: Document) -> OwnerName | None:
        """The Service of this cluster that a load balancer was made for; None for everybody else's."""
        name = text(balancer.get("name"))
        if names.is_cut(name):
            described = names.described(names.BALANCER_TEXT, balancer)
            if described is not None and described.cluster == self._judged.cluster:
                why = "its name is cut at 255 characters, so that its Service is not sure"
                self._leave_out(BALANCER, balancer, why)
            return None
        owner = names.of_name(name)
        if owner is None and names.is_legacy(name) and name not in self._legacy:
            owner = names.described(names.BALANCER_TEXT, balancer)
        return owner if owner is not None and owner.cluster == self._judged.cluster else None

    def _is_gone(self, owner: OwnerName) -> bool:
        return owner.cluster == self._judged.cluster and owner.title not in self._judged.owners.titles

    def _is_owned(self, identifier: str, balancer: Document, owner: OwnerName) -> bool:
        owners = self._judged.owners
        address = text(self._address_of(balancer).get("floating_ip_address"))
        return (
            owner.title in owners.titles
            or identifier in owners.balancers
            or bool(owners.addresses & {text(balancer.get("vip_address")), address})
        )

    def _address_of(self, balancer: Document) -> Document:
        """The floating IP on a load balancer; empty for none."""
        return self._addresses.get(text(balancer.get("vip_port_id")), {})

    def _shared(self, balancer: Document, owner: OwnerName) -> str:
        """Which other Service has its tag on a load balancer: one that is there, or one of another cluster."""
        for tag in texts(balancer.get("tags")):
            other = names.of_name(tag)
            if names.is_cut(tag) or (other is not None and other != owner and not self._is_gone(other)):
                whose = f"{other.title} of cluster {other.cluster}" if other is not None else "another Service"
                return f"it is shared with {whose}"
        return ""

    def _why_not(self, found: Document) -> str:
        """Why something is not judged yet."""
        status = text(found.get("provisioning_status"))
        if status.startswith("PENDING"):
            return f"it is {status}: something changes it at present"
        created = moment(_utc(text(found.get("created_at"))))
        if created is None:
            return "OpenStack does not say how old it is"
        if created > self._judged.youngest:
            return "it is young: its Service may not be in the list yet"
        return ""

    def _notes(self, balancer: Document, owner: OwnerName) -> Iterator[str]:
        described = names.described(names.BALANCER_TEXT, balancer)
        if described is not None and described.cluster != owner.cluster:
            yield f"it was renamed: its description still names cluster {described.cluster}"
        address = self._address_of(balancer)
        if address and names.described(names.FLOATING_TEXT, address) is None:
            yield f"the CCM did not make its floating IP {text(address.get('floating_ip_address'))}, which stays"
        listeners = balancer.get("listeners")
        if isinstance(listeners, list) and not listeners:
            yield "it has no listener"


def _identity(kind: str, found: Document) -> tuple[str, str]:
    """The ID, and what people call it."""
    return text(found.get("id")), text(found.get("floating_ip_address" if kind == FLOATING_IP else "name"))


def _utc(time: str) -> str:
    """A time of OpenStack, which Octavia writes without a zone."""
    return time if time.endswith("Z") or "+" in time else f"{time}+00:00"


def _commands(*commands: tuple[str, ...]) -> tuple[str, ...]:
    """Commands for a shell; none where an ID is not one that is safe there."""
    if any(not _ID.match(identifier) for _, *identifiers in commands for identifier in identifiers):
        return ()
    return tuple(" ".join(command) for command in commands)
