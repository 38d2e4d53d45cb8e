"""What `cluster orphans` found, as a report and as plain data."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.core import NamedTuple, lint_results, written
from ccmcheck.cluster.core import blocks as b
from ccmcheck.cluster.live.snapshot import ClusterIdentity
from ccmcheck.cluster.octavia.orphans import Orphan, Orphans

VERSION = 1
_TITLES = {"load balancer": "Load balancers", "floating IP": "Floating IPs", "security group": "Security groups"}


class SearchedCluster(NamedTuple):
    """A cluster whose Services were read.

    Attributes:
        identity: Which one.
        services: How many of them have a load balancer.
        name: Its name in OpenStack; empty where that is unknown.
    """

    identity: ClusterIdentity
    services: int
    name: str = ""


class OrphansReport(NamedTuple):
    """Everything that is reported.

    Attributes:
        clusters: The clusters, the first one first.
        name: Their name in OpenStack.
        cloud: The line that says which project was read.
        found: What was found.
        failures: What could not be read.
        is_stated: Whether the user says that there are no further clusters of that name.
    """

    clusters: tuple[SearchedCluster, ...]
    name: str
    cloud: str
    found: Orphans
    failures: tuple[lint_results.Failure, ...]
    is_stated: bool


def as_lines(report: OrphansReport, form: str, *, quiet: bool = False) -> Iterator[str]:
    """The report for people.

    Args:
        report: The report.
        form: ``text`` or ``markdown``.
        quiet: Whether to leave out by what it was judged, what was not judged, and the total.
    """
    return written(_blocks(report, quiet=quiet), form)


def as_data(report: OrphansReport) -> dict[str, object]:
    """The report as plain data, for JSON."""
    return {
        "version": VERSION,
        "clusters": [{**one.identity._asdict(), "services": one.services, "name": one.name} for one in report.clusters],
        "cluster_name": report.name,
        "cloud": report.cloud,
        "orphans": [
            {**one._asdict(), "notes": list(one.notes), "commands": list(one.commands)} for one in report.found.orphans
        ],
        "left_out": [one._asdict() for one in report.found.left_out],
        "failures": [{"path": one.path, "message": one.message, "hint": one.hint} for one in report.failures],
        "partial": bool(report.failures),
    }


def _blocks(report: OrphansReport, *, quiet: bool) -> Iterator[b.Block]:
    yield b.Lines((*(one.identity.line for one in report.clusters), report.cloud))
    if not quiet:
        yield b.Paragraph(_judged(report))
    for kind, title in _TITLES.items():
        orphans = [one for one in report.found.orphans if one.kind == kind]
        if orphans:
            yield b.ReportSection(f"{title} without a Service: {len(orphans)}", tuple(map(_orphan, orphans)))
    commands = [command for orphan in report.found.orphans for command in orphan.commands]
    if commands:
        about = b.Paragraph("Nothing was deleted. These commands remove what is listed above; check each of it first.")
        yield b.ReportSection("To remove them", (about, b.Console("\n".join(commands), "sh", "commands")))
    if quiet:
        return
    if report.found.left_out:
        items = tuple(b.ListItem(f"{one.kind} {one.name} ({one.id}): {one.why}") for one in report.found.left_out)
        yield b.ReportSection(f"Not judged: {len(items)}", (b.ItemList(items),))
    yield b.Paragraph(_total(report))


def _orphan(orphan: Orphan) -> b.Block:
    created = f"created {orphan.created}" if orphan.created else "of unknown age"
    text = f"{orphan.name} ({orphan.id}), {created}: made for {orphan.service}, {orphan.verdict}"
    return b.ItemList((b.ListItem(text, details=orphan.notes),))


def _judged(report: OrphansReport) -> str:
    services = sum(one.services for one in report.clusters)
    count = len(report.clusters)
    alike = sum(one.name == report.name for one in report.clusters)
    clusters = "1 cluster" if count == 1 else f"{count} clusters, {alike} of them"
    basis = "as stated, there is no other" if report.is_stated else "there must be no other"
    return (
        f"Judged by the {services} Services with a load balancer of {clusters} named {report.name}; {basis} of that "
        "name in the project."
    )


def _total(report: OrphansReport) -> str:
    found = len(report.found.orphans)
    total = f"{found} without a Service" if found else "Nothing is without a Service"
    partial = "; this is a partial result: what could not be read is not judged" if report.failures else ""
    return f"{total}{partial}."
