"""Services before and after, for the page of a review."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection
from ccmcheck.review.change.points import TITLES
from ccmcheck.review.change.records import Fate, Health, ManifestChange, Review, ServiceChange
from ccmcheck.review.change.shortened import BodyBudget
from ccmcheck.review.change.words import fate_words
from ccmcheck.review.page.way import CHANGED, diagram

_MOST_SERVICES = 400
_MOST_DRAWN = 100
"""Services with diagrams; a page shall stay small."""

_MOST_RULES = 40
_BODIES = 200_000
"""Characters of bodies in one page."""

_CONTINUES = (Health.WORKS, Health.IMPAIRED, Health.STUCK)


def services_blocks(review: Review) -> Iterator[Block]:
    """The Services that change, then the names of those that do not."""
    budget = BodyBudget(_BODIES)
    loud = [change for change in review.services if not change.is_quiet]
    quiet = [change for change in review.services if change.is_quiet]
    for number, change in enumerate(loud[:_MOST_SERVICES]):
        yield _service(change, budget, is_first=not number, is_drawn=number < _MOST_DRAWN)
    if len(loud) > _MOST_SERVICES:
        more = f"And {len(loud) - _MOST_SERVICES} more Services that change, which "
        yield b.Paragraph((more, b.Code("--format json"), " has."), "quiet")
    if quiet:
        items = [b.ListItem((one.service, b.Quiet(f" {one.health_after.value}"))) for one in quiet[:_MOST_SERVICES]]
        if len(quiet) > _MOST_SERVICES:
            items.append(b.ListItem(f"And {len(quiet) - _MOST_SERVICES} more."))
        title = f"{len(quiet)} Service{' that does not change' if len(quiet) == 1 else 's that do not change'}"
        yield b.ReportSection(title, (b.ItemList(tuple(items)),), folded="closed")


def _service(change: ServiceChange, budget: BodyBudget, *, is_first: bool, is_drawn: bool) -> ReportSection:
    fate = b.Badge(change.fate.value) if change.fate not in (Fate.UNTOUCHED, Fate.NONE) else ""
    blocks: list[Block] = list(_becomes(change))
    if is_drawn and (change.before is not None or change.after is not None):
        blocks.append(b.ReportSection("The way of a connection", (_pair(change),), 4))
    rows = [
        (fact.changes, b.PropertyRow(TITLES.get(fact.name, fact.name), fact.before, fact.after, fact.better))
        for fact in change.facts
    ]
    changes = tuple(row for is_changed, row in rows if is_changed)
    if changes:
        blocks.append(b.ReportSection("What changes", (b.PropertyTable(f"Changes of {change.service}", changes),), 4))
    blocks += _rules(change)
    blocks += _requests(change, budget)
    stays = tuple(b.LabelledValue(row.label, row.after) for is_changed, row in rows if not is_changed and row.after)
    if stays:
        blocks.append(b.ReportSection("What stays", (b.Facts(stays),), 4, folded="closed"))
    return b.ReportSection(
        change.service, tuple(blocks), aside=(_mark(change), fate), folded="open" if is_first else "closed"
    )


def _mark(change: ServiceChange) -> b.Badge:
    """What becomes of its traffic, and how bad that is."""
    before, after = change.health_before, change.health_after
    if change.change is ManifestChange.REMOVED:
        return b.Badge("is removed")
    if after is Health.DOWN:
        return b.Badge("stops working" if before in _CONTINUES else "does not work", "bad")
    if after is Health.STUCK:
        return b.Badge("goes on unmanaged", "bad")
    if after is Health.IMPAIRED:
        return b.Badge("begins to lose connections" if before is Health.WORKS else "loses connections", "warn")
    if after is Health.WORKS:
        return b.Badge("works") if before is Health.WORKS else b.Badge("starts working", "good")
    return b.Badge(after.value)


def _becomes(change: ServiceChange) -> Iterator[Block]:
    """What becomes of its load balancer."""
    said = fate_words(change)
    monitors = change.monitors
    counts = ((monitors.made, "created"), (monitors.deleted, "deleted"), (monitors.changed, "changed"))
    parts = [f"{count} {word}" for count, word in counts if count]
    where = f" {change.path}{f':{change.line}' if change.line else ''}" if change.path else ""
    text = f"{said[:1].upper()}{said[1:]}." + (f" Health monitors: {', '.join(parts)}." if parts else "")
    yield b.Paragraph((text, b.Quiet(where)) if where else text)
    if change.recreation_error:
        yield b.Paragraph((b.Badge("could not be created again", "warn"), f" {change.recreation_error}"))
    for ignored in change.ignored:
        yield b.Paragraph((b.Badge("without effect", "warn"), " ", b.Code(ignored.what), f": {ignored.why}"))
    for line in change.stays:
        yield b.Paragraph((b.Badge("stays", "warn"), f" {line}"))


def _pair(change: ServiceChange) -> Block:
    absent = "The Service does not exist."
    before = b.Diagram("Before", (), absent=absent) if change.before is None else diagram(change.before, "Before")
    if change.fate is Fate.STUCK:
        after = b.Diagram("After", (), absent="As before: the CCM can no longer change it.")
    elif change.after is None:
        after = b.Diagram("After", (), absent=absent)
    else:
        after = diagram(change.after, "After", other=change.before)
    return b.DiagramPair(before, after, CHANGED if before.stages and after.stages else "")


def _rules(change: ServiceChange) -> Iterator[Block]:
    rows: list[tuple[b.Text, ...]] = []
    for word, rules in (("added", change.rules_added), ("removed", change.rules_removed)):
        rows += [
            (word, f"{rule.protocol} {rule.ethertype}", str(rule.port), rule.remote, rule.why)
            for rule in rules[:_MOST_RULES]
        ]
        if len(rules) > _MOST_RULES:
            rows.append((word, f"and {len(rules) - _MOST_RULES} more", "", "", ""))
    if rows:
        caption = f"Rules of the security group of {change.service}"
        table = b.Table(caption, ("change", "protocol", "port", "from", "for"), tuple(rows))
        yield b.ReportSection("Security group rules", (table,), 4)


def _requests(change: ServiceChange, budget: BodyBudget) -> Iterator[Block]:
    shown, left_out = budget.requests(change.requests)
    if not shown and not left_out:
        return
    blocks: list[Block] = []
    for request in shown:
        title = b.Code(f"{request.method} {request.path}")
        where = " at Neutron" if request.api == "neutron" else ""
        if request.text:
            body = b.Console(request.text, "json", f"Body of {request.method} {request.path}")
            blocks.append(b.ReportSection((title, where), (body,), 4, folded="closed"))
        else:
            blocks.append(b.Paragraph((title, where)))
    if left_out:
        blocks.append(b.Paragraph((f"And {left_out} more, which ", b.Code("--format json"), " has."), "quiet"))
    yield b.ReportSection("Requests", tuple(blocks), 4)
