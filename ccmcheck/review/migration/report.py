"""A migration as a report: what cannot be kept, the Services, the new cloud.conf, and the steps in their order."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.policy.migrations.facts import IN_CSI, NEUTRON, OCTAVIA, MigrationFact
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection, Tone
from ccmcheck.review.change.points import cost_lines
from ccmcheck.review.change.report import TONES, point_item
from ccmcheck.review.change.summary import about, counts, points_below
from ccmcheck.review.migration.plan import MigrationPlan

_TONES: dict[str, Tone] = {severity.word: tone for severity, tone in TONES.items()}
_OF_SERVICES = frozenset({"settings", "restart", "release", "keys", "config", "unused"})
"""Kinds of points that the steps and the table of keys have already."""


def blocks(plan: MigrationPlan) -> Iterator[Block]:
    """The whole report."""
    yield b.Heading(title(plan), 3, below=(plan.source,))
    yield from sections(plan)


def title(plan: MigrationPlan) -> str:
    """From what to what."""
    return f"{plan.before} → {plan.after}"


def sections(plan: MigrationPlan) -> Iterator[ReportSection]:
    """The parts, what hurts first."""

    def part(name: str, short: str, *inside: Block, tone: Tone = "") -> ReportSection:
        return b.ReportSection(name, inside, 2, anchor=short.lower(), contents=short, tone=tone)

    if plan.cannot:
        items = tuple(_item(one, "bad") for one in plan.cannot)
        yield part("What cannot be migrated", "Lost", b.ItemList(items), tone="bad")
    review = plan.review
    services: list[Block] = (
        [b.ItemList(tuple(_item(one, _TONES[one.severity]) for one in plan.live))] if plan.live else []
    )
    if _is_all_new(plan):
        count = len(review.services)
        services = [
            b.Paragraph(f"{count} Service{' gets a new load balancer' if count == 1 else 's get new load balancers'}.")
        ]
    elif review.services and not review.stand_ins:
        services.insert(0, b.Lines((counts(review), *list(about(review))[:1], *cost_lines(review.services))))
        points = [point for point in points_below(review) if point.kind not in _OF_SERVICES]
        services.append(b.ItemList(tuple(map(point_item, points))))
    if services:
        yield part("Load balancers that are there", "Services", *services)
    rows = tuple((f"[{key.section}] {key.key}", key.value or "–", key.becomes) for key in plan.keys)
    conf: list[Block] = [b.ItemList(tuple(b.ListItem(line, "bad") for line in plan.stops))] if plan.stops else []
    conf.append(b.Table("What becomes of each key", ("key", "value", "becomes"), rows))
    if plan.by_hand:
        conf.append(b.ItemList((b.ListItem(f"edit it by hand: {plan.by_hand}", "warn"),)))
    if plan.diff:
        conf.append(b.Console("\n".join(plan.diff), "diff", "The new cloud.conf", 4))
    moved = [f"{key.key} = {key.value}" for key in plan.keys if key.becomes == IN_CSI]
    if moved:
        text = "\n".join(["[BlockStorage]", *moved])
        conf.append(b.Paragraph("The CSI driver's own cloud.conf, below the same [Global]:"))
        conf.append(b.Console(text, "ini", "The CSI driver's cloud.conf", 4))
    yield part("cloud.conf", "Configuration", *conf)
    steps = tuple(
        b.ListItem((b.Strong(f"{number}. {fact.title}: "), f"{fact.text} ", b.CitedSource(fact.source)))
        for number, fact in enumerate(plan.steps, 1)
    )
    yield part("Steps, in this order", "Steps", b.ItemList(steps, is_plain=True))


def _is_all_new(plan: MigrationPlan) -> bool:
    """Whether all load balancers that are there are left behind, as what cannot be migrated says."""
    if plan.review.stand_ins or not plan.review.services:
        return False
    abouts = {fact.about for fact in (*plan.cannot, *plan.live, *plan.steps)}
    return NEUTRON in abouts and OCTAVIA not in abouts


def _item(fact: MigrationFact, tone: Tone) -> b.ListItem:
    return b.ListItem((f"{fact.text} ", b.CitedSource(fact.source)), tone)
