"""A fleet in one table, worst first; findings that many clusters have in common once, with what produced them.

What clusters share and should not: a load balancer, an address, the name by which a load balancer is found.

Memory does not grow with the clusters: while they come, two sets of bits note which values came once and twice; the few
that came twice are collected in a second pass over the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any
from zlib import crc32

from ccmcheck.cluster.core import NamedTuple, cluster_names, model
from ccmcheck.cluster.fleet.record import FAILED, PARTIAL, READ, Record

BALANCER, ADDRESS = "load-balancer-shared", "address-shared"
NAME, PROJECT = "load-balancer-name-shared", "cluster-name-shared"
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


MOST_NAMES = 3
"""Clusters that a finding of many names."""
_WORDS = {severity.word: severity for severity in model.Severity}


class ClusterRow(NamedTuple):
    """One cluster in the table.

    Attributes:
        name: Its name.
        state: `READ`, `PARTIAL` or `FAILED`.
        ccm: The workload that runs the CCM, ``+1`` for a second one; empty without one.
        release: Its release.
        fatal: Findings at which the CCM stops.
        errors: Findings that are errors.
        warnings: Findings that are warnings.
        infos: Further findings.
        services: Services of type LoadBalancer.
        broken: Those that do not work.
        restart: Whether the CCM needs a restart: ``yes``, ``possible``, ``no``; empty where that is unknown.
        compared: Services whose status was compared with the prediction.
        differ: Those that differ.
        message: Why it was not read, or what of it was not.
    """

    name: str
    state: str
    ccm: str = ""
    release: str = ""
    fatal: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    services: int = 0
    broken: int = 0
    restart: str = ""
    compared: int = 0
    differ: int = 0
    message: str = ""

    @property
    def order(self) -> tuple[Any, ...]:
        """What sorts the worst cluster first; one that could not be reached may be anything."""
        return (
            -bool(self.fatal),
            -self.broken,
            -self.errors,
            -(self.state == FAILED),
            -self.differ,
            -(self.restart == "yes"),
            -self.warnings,
            -(self.state == PARTIAL),
            -self.infos,
            self.name,
        )

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to say of it."""
        return self.state == READ and not (
            self.fatal or self.errors or self.warnings or self.infos or self.broken or self.differ
        )


class FindingGroup(NamedTuple):
    """A finding that clusters have in common.

    Attributes:
        rule: The rule.
        severity: Its severity.
        fatal: Whether the CCM stops there.
        made_by: What produced the object; empty where nothing says so.
        label: What is wrong, in the first of the clusters.
        same: Whether it is the same in all of them.
        clusters: How many clusters.
        findings: How many findings.
        names: The first clusters by name.
        help: What to do.
    """

    rule: str
    severity: model.Severity
    fatal: bool
    made_by: str
    label: str
    same: bool
    clusters: int
    findings: int
    names: tuple[str, ...]
    help: str = ""


class Totals(NamedTuple):
    """A fleet in numbers."""

    clusters: int = 0
    read: int = 0
    partial: int = 0
    failed: int = 0
    twice: int = 0
    services: int = 0
    broken: int = 0
    restart: int = 0
    compared: int = 0
    differ: int = 0


class FleetSummary:
    """What the records of a fleet say together; a record is not kept."""

    def __init__(self) -> None:
        self.rows: list[ClusterRow] = []
        self.totals = Totals()
        self.twins: list[tuple[str, str]] = []
        """Names of clusters that were reached before under another name, with that name."""
        self.across: list[Shared] = []
        self.worst = 0
        self._groups: dict[tuple[str, str, str, bool], FindingGroup] = {}
        self._last: dict[tuple[str, str, str, bool], str] = {}
        self._uids: dict[str, tuple[str, str]] = {}
        self._seen = SeenValues()
        self._twins: set[str] = set()

    def add(self, record: Record) -> None:
        """Take the record of a cluster in."""
        uid = record.get("uid") or ""
        key, name = self._uids.setdefault(uid, (record["key"], record["name"])) if uid else (record["key"], "")
        totals = self.totals
        if key != record["key"]:
            self._twins.add(record["key"])
            self.twins.append((record["name"], name))
            self.totals = totals._replace(twice=totals.twice + 1)
            return
        row = _row(record)
        self.rows.append(row)
        self._seen.add(record)
        self.totals = totals._replace(
            clusters=totals.clusters + 1,
            read=totals.read + (row.state == READ),
            partial=totals.partial + (row.state == PARTIAL),
            failed=totals.failed + (row.state == FAILED),
            services=totals.services + row.services,
            broken=totals.broken + row.broken,
            restart=totals.restart + (row.restart == "yes"),
            compared=totals.compared + row.compared,
            differ=totals.differ + row.differ,
        )
        for finding in record.get("findings", ()):
            self._group(record["name"], finding)

    def finish(self, records: Callable[[], Iterable[Record]]) -> None:
        """After the last record: what clusters share.

        Args:
            records: All records again.
        """
        self.rows.sort(key=lambda row: row.order)
        self.across = shared((record for record in records() if record["key"] not in self._twins), self._seen)

    @property
    def groups(self) -> list[FindingGroup]:
        """The findings, the worst and most frequent first."""
        return sorted(
            self._groups.values(),
            key=lambda group: (-group.fatal, -group.severity, -group.clusters, group.rule, group.made_by),
        )

    def _group(self, cluster: str, finding: dict[str, Any]) -> None:
        severity = _WORDS.get(finding["severity"], model.Severity.INFO)
        self.worst = max(self.worst, severity)
        key = (finding["rule"], finding["severity"], finding["made_by"], finding["fatal"])
        group = self._groups.get(key)
        if group is None:
            group = FindingGroup(
                finding["rule"],
                severity,
                finding["fatal"],
                finding["made_by"],
                finding["label"],
                True,
                0,
                0,
                (),
                finding["help"],
            )
        if self._last.get(key) != cluster:  # the findings of one cluster come one after another
            self._last[key] = cluster
            group = group._replace(
                clusters=group.clusters + 1, names=tuple(sorted((*group.names, cluster))[:MOST_NAMES])
            )
        self._groups[key] = group._replace(
            findings=group.findings + finding["count"], same=group.same and group.label == finding["label"]
        )


def _row(record: Record) -> ClusterRow:
    state = record["state"]
    if state == FAILED:
        return ClusterRow(record["name"], state, message=record["error"]["message"])
    ccms = record["ccms"]
    counts = record["counts"]
    failures = record["failures"]
    first = f"{failures[0]['path']}: {failures[0]['message']}" if failures else ""
    more = f" and {len(failures) - 1} more" if len(failures) > 1 else ""
    ccm = ccms[0]["workload"].rpartition("/")[2] if ccms else ""
    return ClusterRow(
        record["name"],
        state,
        f"{ccm} +{len(ccms) - 1}" if len(ccms) > 1 else ccm,
        ", ".join(dict.fromkeys(one["release"] for one in ccms if one["release"])),
        record["fatal"],
        counts["error"],
        counts["warning"],
        counts["info"],
        record["services"]["all"],
        record["services"]["broken"],
        record["restart"] if ccms else "",
        record["prediction"]["compared"],
        record["prediction"]["differ"],
        first + more,
    )


def rows_to_show(rows: Iterable[ClusterRow], most: int) -> Iterator[ClusterRow]:
    """The rows that are worth a line, the first of them; 0 for all."""
    shown = 0
    for row in rows:
        if row.is_clean:
            continue
        shown += 1
        if most and shown > most:
            return
        yield row
