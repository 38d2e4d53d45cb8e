"""What clusters share and should not: a load balancer, an address, the name by which a load balancer is found.

Memory does not grow with the clusters: while they come, two sets of bits note which values came once and twice; the few
that came twice are collected in a second pass over the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any
from zlib import crc32

from ccmcheck.cluster.core import NamedTuple, cluster_names
from ccmcheck.cluster.fleet.record import Record

BALANCER, ADDRESS, NAME, PROJECT = (
    "load-balancer-shared",
    "address-shared",
    "load-balancer-name-shared",
    "cluster-name-shared",
)
SHARED_KINDS = {BALANCER: "load balancer", ADDRESS: "published IP", NAME: "load balancer name", PROJECT: "cluster name"}
"""What values are called when they are counted."""
MOST_CLUSTERS = 5
"""Clusters that are named; all are counted."""
_BITS = 24
_MASK = (1 << _BITS) - 1


class Shared(NamedTuple):
    """One value of several clusters.

    Attributes:
        kind: `BALANCER`, `ADDRESS`, `NAME` or `PROJECT`.
        value: The ID, the address or the name.
        clusters: The names of the clusters, the first few.
        total: How many clusters.
        services: A Service of each of these, where it is about Services.
    """

    kind: str
    value: str
    clusters: tuple[str, ...]
    total: int
    services: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is wrong, one sentence."""
        if self.kind == BALANCER:
            return f"load balancer {self.value} is used by {self.total} clusters: each replaces the others' members"
        if self.kind == ADDRESS:
            return f"address {self.value} is published by Services of {self.total} clusters"
        if self.kind == NAME:
            return (
                f"{self.total} clusters of one project have a Service whose load balancer is found by the name "
                f"{self.value}: the second cluster adopts the first one's"
            )
        default = ", the default of --cluster-name" if self.value == cluster_names.DEFAULT_CLUSTER_NAME else ""
        return (
            f"{self.total} clusters of one project are called {self.value}{default}: Services of one name in one "
            "namespace get one load balancer"
        )

    def as_record(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "kind": self.kind,
            "value": self.value,
            "clusters": self.total,
            "names": list(self.clusters),
            "services": list(self.services),
            "text": self.text,
        }


class SeenValues:
    """Which values came once, and which more than once, as bits: a few that came once may count as twice."""

    def __init__(self) -> None:
        self._once = bytearray(1 << (_BITS - 3))
        self._twice = bytearray(1 << (_BITS - 3))

    def add(self, record: Record) -> None:
        """Note the values of a cluster."""
        for key in {key for key, _ in _values(record)}:
            byte, bit = self._place(key)
            if self._once[byte] & bit:
                self._twice[byte] |= bit
            self._once[byte] |= bit

    def twice(self, key: tuple[str, str, str]) -> bool:
        """Whether a value may be of several clusters."""
        byte, bit = self._place(key)
        return bool(self._twice[byte] & bit)

    @staticmethod
    def _place(key: tuple[str, str, str]) -> tuple[int, int]:
        number = crc32("\0".join(key).encode("utf-8", "replace")) & _MASK
        return number >> 3, 1 << (number & 7)


def shared(records: Iterable[Record], seen: SeenValues) -> list[Shared]:
    """The values of several clusters.

    Args:
        records: All clusters, each once.
        seen: The same clusters' values.
    """
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for record in records:
        for key, service in _values(record):
            if seen.twice(key):
                found.setdefault(key, {}).setdefault(str(record.get("name")), service)
    order = (BALANCER, NAME, PROJECT, ADDRESS)
    result = [
        Shared(
            kind,
            value,
            tuple(clusters)[:MOST_CLUSTERS],
            len(clusters),
            tuple(service for service in clusters.values() if service)[:MOST_CLUSTERS],
        )
        for (kind, _, value), unsorted in found.items()
        for clusters in (dict(sorted(unsorted.items())),)
        if len(clusters) > 1
    ]
    return sorted(result, key=lambda one: (order.index(one.kind), -one.total, one.value))


def _values(record: Record) -> Iterator[tuple[tuple[str, str, str], str]]:
    """The values of a cluster that no other may have: kind, where that counts, value; with the Service."""
    project = record.get("project") or ""
    for service, balancer in record.get("balancers", ()):
        yield (BALANCER, "", _uuid(balancer)), service
    for service, address in record.get("addresses", ()):
        # the networks of two projects may have the same private addresses
        if not _is_private(address):
            yield (ADDRESS, "", address), service
        elif project:
            yield (ADDRESS, project, address), service
    if not project:
        return
    for service, name in record.get("balancer_names", ()):
        yield (NAME, project, name), service
    for name in {ccm.get("cluster_name") or cluster_names.DEFAULT_CLUSTER_NAME for ccm in record.get("ccms", ())}:
        yield (PROJECT, project, name), ""


def _uuid(text: str) -> str:
    """One spelling of an ID."""
    digits = text.lower().replace("-", "")
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10")


def _is_private(address: str) -> bool:
    """Whether an address is of a network that others may have, too; by its first bits, for there are many."""
    packed = _packed(address)
    return any(
        len(packed) == size and int.from_bytes(packed, "big") >> shift == prefix for size, shift, prefix in _networks()
    )


def _packed(address: str) -> bytes:
    """An address as bytes; empty for what is none."""
    from socket import AF_INET, AF_INET6, inet_pton

    try:
        return inet_pton(AF_INET6 if ":" in address else AF_INET, address.partition("%")[0])  # without its zone
    except (OSError, ValueError):
        return b""


@cache
def _networks() -> tuple[tuple[int, int, int], ...]:
    """Of each private network: the bytes of its addresses, the bits that differ, and the bits that they share."""
    import ipaddress

    networks = tuple(map(ipaddress.ip_network, _PRIVATE))
    shifts = tuple(network.max_prefixlen - network.prefixlen for network in networks)
    return tuple(
        (one.max_prefixlen // 8, shift, int(one.network_address) >> shift)
        for one, shift in zip(networks, shifts, strict=True)
    )
