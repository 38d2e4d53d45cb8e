"""What `cluster resync` does with each Service: a sync where the CCM corrects something itself, else what does.

A sync is triggered by an annotation: the service controller compares all of a Service's annotations with those that it
saw last (kubernetes/cloud-provider controllers/service/controller.go needsUpdate).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ccmcheck.cluster.access.documents import mapping, moment_text, text
from ccmcheck.cluster.access.errors import CONFLICT, Refused
from ccmcheck.cluster.access.requests import CORE, GET, MERGE_PATCH, RequestKind
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.core import NamedTuple, errors, lint_results, live_records, octavia_repairs, written
from ccmcheck.cluster.core import blocks as b
from ccmcheck.cluster.live.snapshot import ClusterIdentity

VERSION = 1
ANNOTATION = "ccmcheck.dev/resync"
"""Its value is a time; nothing reads it."""
_TAKES = "renamed next"
_ADOPTIONS = {
    "shared": "{} uses it, too: the CCMs of both change it in turn",
    "was renamed": "it was made by {}, whose CCM makes another one at its next sync",
    "same name": "its members are no nodes of this cluster: another {} uses it, too",
}
"""How a load balancer came to two clusters, in words."""
_INTERRUPTS = {
    "pool-protocol": "the pool is deleted and made again: its connections end",
    "monitor-type": "the monitor is deleted and made again: members count as up until its first checks",
    "listener-extra": "the listener is deleted: its connections end",
    "floating-ip-extra": "the floating IP is taken off: clients lose the address",
}


class ResyncPlan(NamedTuple):
    """What becomes of one Service.

    Attributes:
        title: ``shop/web``.
        balancer: Its load balancer beside the one that the CCM would make.
        refused: Why no sync is triggered although it would correct something; empty where one is, or none would.
    """

    title: str
    balancer: live_records.LiveBalancer
    refused: str = ""

    @property
    def corrected(self) -> list[live_records.LiveDifference]:
        """What the next sync corrects."""
        return [one for one in self.balancer.differences if one.repaired_by != octavia_repairs.NOTHING]

    @property
    def left(self) -> list[live_records.LiveDifference]:
        """What it does not."""
        return [one for one in self.balancer.differences if one.repaired_by == octavia_repairs.NOTHING]

    @property
    def is_triggered(self) -> bool:
        """Whether a sync is triggered."""
        return bool(self.corrected) and not self.refused


def plans(
    titles: Collection[str], balancers: Mapping[str, live_records.LiveBalancer], services: Collection[str]
) -> list[ResyncPlan]:
    """Decide for each Service.

    Args:
        titles: The Services, ``shop/web``; empty for all.
        balancers: The load balancers by the Services' subjects.
        services: All Services of type LoadBalancer, by their titles.

    Raises:
        WrongUse: There is no such Service, or it cannot be judged.
    """
    found = []
    for title in titles or services:
        if title not in services:
            from ccmcheck.cluster.core import hint

            raise errors.WrongUse(
                f"there is no Service {title} of type LoadBalancer",
                hint(title, services) or "Name it as NAMESPACE/NAME.",
            )
        balancer = balancers.get(f"Service {title}")
        if balancer is None:
            if titles:
                why = "the CCM makes no load balancer for it, or its load balancer could not be read"
                raise errors.WrongUse(
                    f"Service {title} cannot be judged: {why}", "`ccmcheck cluster lint --octavia` says more."
                )
            continue
        refused = ""
        if balancer.adoption == _TAKES:
            refused = (
                f"a sync would take load balancer {balancer.id} from cluster {balancer.other_cluster}: remove the "
                "annotation load-balancer-id first"
            )
        elif balancer.attach and balancer.differences:
            refused = "a sync would publish another address, and clients of this one are cut off: give it back first"
        found.append(ResyncPlan(title, balancer, refused))
    return found


class ResyncReport(NamedTuple):
    """Everything that is reported.

    Attributes:
        identity: The cluster.
        cloud: The line that says which project was read.
        plans: What becomes of each Service.
        failures: What could not be read or judged.
    """

    identity: ClusterIdentity
    cloud: str
    plans: tuple[ResyncPlan, ...]
    failures: tuple[lint_results.Failure, ...]

    @property
    def triggered(self) -> list[ResyncPlan]:
        """The Services that a sync corrects."""
        return [plan for plan in self.plans if plan.is_triggered]

    @property
    def is_left(self) -> bool:
        """Whether something differs that no sync corrects, or none is triggered."""
        return any(
            plan.left or plan.refused or plan.balancer.lost or plan.balancer.health or plan.balancer.adoption
            for plan in self.plans
        )


def as_lines(report: ResyncReport, form: str, closing: str = "") -> Iterator[str]:
    """The report for people.

    Args:
        report: The report.
        form: ``text`` or ``markdown``.
        closing: The summary line; empty for none.
    """
    return written(_blocks(report, closing), form)


def as_data(report: ResyncReport) -> dict[str, object]:
    """The report as plain data, for JSON."""
    return {
        "version": VERSION,
        "cluster": report.identity._asdict(),
        "cloud": report.cloud,
        "services": [
            {
                "service": plan.title,
                "load_balancer": plan.balancer.id,
                "sync_corrects": plan.is_triggered,
                "refused": plan.refused,
                "lost_address": plan.balancer.lost,
                "attach": plan.balancer.attach,
                "health": list(plan.balancer.health),
                "other_cluster": plan.balancer.other_cluster,
                "corrected": [_difference(one) for one in plan.corrected],
                "left": [{**_difference(one), "why": _otherwise(one)} for one in plan.left],
            }
            for plan in report.plans
        ],
        "failures": [{"path": one.path, "message": one.message, "hint": one.hint} for one in report.failures],
        "partial": bool(report.failures),
    }


def _difference(one: live_records.LiveDifference) -> dict[str, str]:
    return {"part": one.part, "kind": one.kind, "live": one.live, "wanted": one.wanted}


def _blocks(report: ResyncReport, closing: str) -> Iterator[b.Block]:
    yield b.Lines((report.identity.line, report.cloud))
    yield from _services(report.plans)
    if closing:
        yield b.Paragraph(closing)


def _services(found: Collection[ResyncPlan]) -> Iterator[b.Block]:
    """What becomes of each Service, for people."""
    for plan in found:
        identifier = plan.balancer.id or "none"
        items = [b.ListItem(f"{_words(one)}; a sync corrects it", details=_interrupts(one)) for one in plan.corrected]
        items += [b.ListItem(f"{_words(one)}; {_otherwise(one)}") for one in plan.left]
        items += [b.ListItem(words, "bad") for words in plan.balancer.health]
        if plan.balancer.adoption and not plan.refused:
            words = _ADOPTIONS.get(plan.balancer.adoption, "{} has it, too")
            items.append(b.ListItem(words.format(f"cluster {plan.balancer.other_cluster or '(of this name)'}"), "bad"))
        if plan.balancer.lost:
            command = (plan.balancer.attach,) if plan.balancer.attach else ()
            items.append(b.ListItem(plan.balancer.lost, "bad", details=command))
        if plan.refused:
            items.append(b.ListItem(plan.refused, "bad"))
        if not items:
            items.append(b.ListItem("nothing to correct", "good"))
        yield b.ReportSection(f"Service {plan.title}, load balancer {identifier}", (b.ItemList(tuple(items)),))


def _words(difference: live_records.LiveDifference) -> str:
    where = f"{difference.part}, " if difference.part else ""
    return f"{where}{octavia_repairs.REPAIRS[difference.kind].title}: {difference.live}, not {difference.wanted}"


def _interrupts(difference: live_records.LiveDifference) -> tuple[str, ...]:
    return tuple(words for kind, words in _INTERRUPTS.items() if kind == difference.kind)


def _otherwise(difference: live_records.LiveDifference) -> str:
    if difference.blocked:
        return f"the sync ends before: {difference.blocked}"
    otherwise = octavia_repairs.REPAIRS[difference.kind].otherwise
    return f"no sync corrects it; {otherwise}" if otherwise else "no sync corrects it"


_TRIES = 3
"""The CCM and others write to Services as well; the annotation depends on nothing of that."""


def trigger(writer: Writer, title: str, uid: str) -> None:
    """Write the annotation.

    Args:
        writer: Writes to the API server.
        title: ``shop/web``.
        uid: The Service that was judged.

    Raises:
        ApiError: It was not written, or nobody knows.
    """
    namespace, _, name = title.partition("/")
    path = RequestKind(CORE, "v1", "services", GET, namespace, name).path
    now = moment_text()
    for left in reversed(range(_TRIES)):
        metadata = mapping(writer.get(path).get("metadata"))
        if text(metadata.get("uid")) != uid:
            raise Refused(CONFLICT)  # another Service of that name
        version = text(metadata.get("resourceVersion"))
        patch = {"metadata": {"resourceVersion": version, "annotations": {ANNOTATION: now}}}
        try:
            writer.send("PATCH", path, patch, query={"fieldManager": FIELD_MANAGER}, content_type=MERGE_PATCH)
        except Refused as error:
            if error.status != CONFLICT or not left:
                raise
        else:
            return
