"""Services before and after, for the page of a review.

The way of a connection as a diagram: client, address, load balancer with its monitors, nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.suggest import first_of
from ccmcheck.predict.forms.connection import checks, port
from ccmcheck.predict.records import EXTERNAL_NETWORK, Outcome, PortPlan, Prediction
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection
from ccmcheck.review.change.points import TITLES
from ccmcheck.review.change.records import Fate, Health, ManifestChange, Review, ServiceChange
from ccmcheck.review.change.shortened import BodyBudget
from ccmcheck.review.change.words import fate_words

_MOST_PORTS = 5
_MOST_KINDS = 3
_LONGEST = 300
"""Characters of one text."""

_MISSING = {
    Outcome.REFUSED: "OpenStack refuses the load balancer",
    Outcome.FAILS: "the load balancer ends in ERROR",
    Outcome.ERROR: "the CCM requests no load balancer",
    Outcome.NOTHING: "the CCM requests nothing",
}
CHANGED = "What differs has a thick outline."


def diagram(prediction: Prediction, title: str, *, other: Prediction | None = None) -> b.Diagram:
    """The diagram of one Service.

    Args:
        prediction: The prediction.
        title: What the diagram is called.
        other: What it was before; what differs from it is marked.
    """
    entry = b.DiagramStage(
        *_address(prediction), is_changed=other is not None and _address(other) != _address(prediction)
    )
    if prediction.outcome is Outcome.ACCEPTED and prediction.plans:
        return b.Diagram(title, (_client(), entry, _balancer(prediction, other), _nodes(prediction, other)))
    missing = b.DiagramStage(
        _MISSING.get(prediction.outcome, "not known"), note=_cut(prediction.why or prediction.error)
    )
    return b.Diagram(title, (_client(), entry, missing), is_broken=True)


def _client() -> b.DiagramStage:
    return b.DiagramStage("client")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _address(prediction: Prediction) -> tuple[str, str]:
    floating = prediction.floating
    if floating.wanted:
        is_known = floating.network not in ("", EXTERNAL_NETWORK)
        network = f"from {floating.network}" if is_known else "from the external network"
        return "floating IP", _cut(floating.address or network)
    address = next((entry.ip for entry in prediction.published if entry.ip), "")
    return "VIP", address if address and " " not in address else "in the load balancer's subnet"


def _balancer(prediction: Prediction, other: Prediction | None) -> b.DiagramStage:
    provider = prediction.provider or "the default provider"
    before = (other.provider or "the default provider") if other is not None and other.plans else provider
    known = None if other is None else {(plan.port, plan.protocol): plan for plan in other.plans}
    rows = [_port(plan, known) for plan in prediction.plans[:_MOST_PORTS]]
    more = len(prediction.plans) - len(rows)
    if more > 0:
        rows.append((b.Box((f"and {more} more ports",)),))
    lines = _monitors(prediction)
    is_changed = other is not None and other.outcome is Outcome.ACCEPTED and _monitors(other) != lines
    rows.append((b.Box(tuple(lines), is_missing=len(lines) == 1, is_changed=is_changed),))
    aside = provider if before == provider else f"{provider} (was {before})"
    return b.DiagramStage("load balancer", _cut(aside), tuple(rows))


def _port(plan: PortPlan, before: dict[tuple[int, str], PortPlan] | None) -> tuple[b.Box, ...]:
    old = None if before is None else before.get((plan.port, plan.protocol))
    is_new = before is not None and old is None
    listener, pool = f"{plan.listener}/{port(plan)}", f"{plan.pool} {plan.method}"
    return (
        b.Box(
            (f"listener {_cut(listener)}",), is_changed=is_new or (old is not None and old.listener != plan.listener)
        ),
        b.Box(
            (f"pool {_cut(pool)}",),
            is_changed=is_new or (old is not None and (old.pool, old.method) != (plan.pool, plan.method)),
        ),
    )


def _monitors(prediction: Prediction) -> list[str]:
    """The monitors in lines; a single line where there is none."""
    seen = checks(prediction)
    if not seen:
        return ["no monitor: nothing checks the nodes"]
    count = sum(seen.values())
    kinds = [_cut(text if number == count else f"{number} × {text}") for text, number in seen.items()]
    more = [f"and {len(kinds) - _MOST_KINDS} more kinds"] if len(kinds) > _MOST_KINDS else []
    timers = next(plan.monitor for plan in prediction.plans if plan.monitor is not None)
    down = timers.get("max_retries_down")
    return [
        f"{count} monitor{'' if count == 1 else 's'}",
        *kinds[:_MOST_KINDS],
        *more,
        f"every {timers.get('delay')} s, timeout {timers.get('timeout')} s",
        f"out after {down if down is not None else 'Octavia’s 3'} failures, back after {timers.get('max_retries')}",
    ]


def _nodes(prediction: Prediction, other: Prediction | None) -> b.DiagramStage:
    count = prediction.nodes
    title = "nodes, not counted" if count is None else f"{count} node{'' if count == 1 else 's'}"
    ports = tuple(f":{plan.node_port}" for plan in prediction.plans if plan.node_port)
    is_changed = other is not None and other.outcome is Outcome.ACCEPTED and other.nodes != count
    empty, note = _without_pod(prediction)
    dots = None if count is None else (count, empty)
    return b.DiagramStage(title, first_of(ports, 12) or "no NodePort", dots=dots, note=note, is_changed=is_changed)


def _without_pod(prediction: Prediction) -> tuple[int, str]:
    """How many nodes have no pod, where that matters and is known, and what becomes of them."""
    answer = prediction.answer("traffic-local") if prediction.policy == "Local" else None
    without = answer.numbers.get("without") if answer is not None else None
    if answer is None or not isinstance(without, int) or not without:
        return 0, ""
    return without, f"{without} without a pod: {'taken out' if answer.good else 'connections go there, too'}"


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
        words = {Health.WORKS: "works", Health.UNKNOWN: "works", Health.STUCK: "is looked after again"}
        return b.Badge(words[before]) if before in words else b.Badge("starts working", "good")
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
