"""A fleet in one table, worst first; findings that many clusters have in common once, with what produced them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ccmcheck.cluster.core import NamedTuple, model
from ccmcheck.cluster.fleet.across import SeenValues, Shared, shared
from ccmcheck.cluster.fleet.record import FAILED, PARTIAL, READ, Record

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
