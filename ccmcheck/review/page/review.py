"""The sections of the page of a review.

Sets of timers as a table with bars: the probes that each sends, and the time until it takes a node out.

What changes in a cloud.conf, for the page of a review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ccmcheck.base.model import Severity
from ccmcheck.base.suggest import first_of
from ccmcheck.policy.create_monitor.timers import per_second
from ccmcheck.predict.drivers.record import Seconds
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block, ReportSection
from ccmcheck.review.change import records
from ccmcheck.review.change.points import rate_words
from ccmcheck.review.change.report import TONES
from ccmcheck.review.change.summary import about, broken_lines, counted, points_below, verdict
from ccmcheck.review.create_monitor.tradeoff import Timing, Tradeoff, own_timing, tradeoff
from ccmcheck.review.page.services import services_blocks

_MOST = 200
"""Lists end somewhere; the other formats have all of them."""


def config_blocks(config: records.ConfigChange) -> Iterator[Block]:
    """One cloud.conf before and after."""
    title = b.Code(config.title or "defaults, without a cloud.conf")
    yield b.ReportSection(title, tuple(_blocks(config)), aside=(b.Badge(config.change.value),))


def _blocks(config: records.ConfigChange) -> Iterator[Block]:
    if config.old_title and config.old_title != config.title:
        yield b.Paragraph(("Before: ", b.Code(config.old_title)), "quiet")
    if config.changes_release:
        yield b.Paragraph(f"CCM {config.release_before} → {config.release_after}")
    upgrade = config.upgrade
    if config.stop_after:
        since = f" since {upgrade.fatal_since}" if upgrade is not None and upgrade.fatal_since else ""
        badge = b.Badge("no load balancers" if config.runs_after else "fatal", "bad")
        yield b.Paragraph((badge, f" {config.stop_after}{since}"))
    elif config.stop_before:
        yield b.Paragraph((b.Badge("the CCM runs again", "good"), f" Before, {config.stop_before}"))
    changes = tuple(_changes(config))
    yield from changes
    if not changes and not config.stop_after and not config.stop_before:
        yield b.Paragraph("The CCM reads the same values.", "quiet")
    restart = f"The CCM {'must' if config.restart else 'need not'} be restarted for it."
    if config.stop_after and not config.runs_after:
        restart = "It shows when the CCM starts the next time."
    yield b.Paragraph(f"{restart} {config.services} Service{' uses' if config.services == 1 else 's use'} it.")


def _changes(config: records.ConfigChange) -> Iterator[Block]:
    if config.settings:
        rows = tuple(map(_setting, config.settings[:_MOST]))
        columns: tuple[str, ...] = ("key", "before", "after", "effect")
        if not any(row[-1] for row in rows):
            rows, columns = tuple(row[:-1] for row in rows), columns[:-1]
        yield b.Table("Keys whose values change", columns, rows)
    if config.upgrade is not None and config.upgrade.keys:
        rows = tuple(
            (
                b.Code(f"[{change.section}] {change.key}"),
                change.kind,
                b.Code(change.before) if change.before else "",
                b.Code(change.after) if change.after else "",
                change.since,
                change.do,
            )
            for change in config.upgrade.keys[:_MOST]
        )
        yield b.Table(
            "Keys that the other release reads differently",
            ("key", "change", "before", "after", "since", "what to do"),
            rows,
        )
    keys = config.upgrade.keys if config.upgrade is not None else ()
    yield from _more(max(len(config.settings), len(keys)))


def _setting(setting: records.SettingChange) -> tuple[b.Text, ...]:
    default = b.Quiet(" default")
    return (
        b.Code(f"[{setting.section}] {setting.key}"),
        *(
            (*((b.Code(value),) if value else ("–",)), *((default,) if is_default else ()))
            for value, is_default in ((setting.before, setting.from_default), (setting.after, setting.to_default))
        ),
        (b.Badge("ignored", "warn"), f" {setting.effect}") if setting.ignored else setting.effect,
    )


CAPTION = "Sets of timers: probes, and the time until a node is out"
_NEVER = "never"


def tradeoff_blocks(of: Tradeoff, whose: str = "") -> tuple[Block, ...]:
    """The sets of timers on a cluster.

    Args:
        of: The trade-off.
        whose: Which Services it is of, where it is not all of them.
    """
    is_counted = of.is_counted
    loads = [timers.node if timers.total is None or not is_counted else timers.total for timers in of.sets]
    spans = [span for timers in of.sets for span in (timers.refused, timers.silent) if span is not None]
    longest = max((span.most for span in spans), default=1.0)
    rows = tuple(
        (
            (timers.name, *((b.Quiet(f": {timers.use}"),) if timers.use else ())),
            "{}s/{}s/{}/{}".format(*timers.timing),
            b.Bar(per_second(load), 0, load / max(*loads, 1e-9)),
            *((per_second(timers.node),) if is_counted else ()),
            _span(timers.refused, longest),
            _span(timers.silent, longest),
            str(timers.back or _NEVER),
        )
        for timers, load in zip(of.sets, loads, strict=True)
    )
    probes = ("probes/s in all", "probes/s a node") if is_counted else ("probes/s a node",)
    columns = ("timers", "delay/timeout/up/down", *probes, "out if it refuses", "out if it is silent", "back")
    own = tuple(number for number, timers in enumerate(of.sets) if timers.own)
    notes: list[b.Inline] = [" ".join(filter(None, (whose, *_notes(of))))]
    if of.evidence:
        notes += [" Source: ", b.CitedSource(of.evidence)]
    return b.Table(CAPTION, columns, rows, own), b.Paragraph(tuple(notes), "quiet")


def _span(span: Seconds | None, longest: float) -> b.Inline:
    return _NEVER if span is None else b.Bar(str(span), span.least / longest, span.most / longest)


def _notes(of: Tradeoff) -> Iterator[str]:
    pools = f"{of.pools} pool{'' if of.pools == 1 else 's'}"
    nodes = "" if of.nodes is None else f" on {of.nodes} node{'' if of.nodes == 1 else 's'}"
    probing = ""
    if of.driver.has_amphorae:
        probing = (
            "; "
            + {
                0: "one amphora each is assumed, a pair sends twice as many",
                1: "one amphora each",
                2: "both amphorae of each pair check",
            }[of.amphorae]
        )
    yield f"Probes of {pools}{nodes}{probing}."
    is_mixed = any(other.startswith(f"{of.kind} on ") for other in of.others)
    yield f"Times of {of.kind} monitors{f' on {of.pool} pools' if is_mixed else ''}: {of.how}."
    if of.others:
        yield f"Those of {', '.join(of.others)} differ."


_FIRST = 6
"""Points of the summary."""

_FEW, _MANY = 3, 24
"""Subjects of a point in the summary, and in the list."""


def headline(review: records.Review) -> str:
    """The verdict as a title."""
    said = verdict(review)
    return said[:1].upper() + said[1:]


def facts(review: records.Review) -> b.Facts:
    """What stands below the title."""
    totals = review.totals
    releases = dict.fromkeys(map(_releases, review.configs))
    source = review.configs[0].source if len(review.configs) == 1 else ""
    nodes = "" if totals.nodes is None else f" on {totals.nodes} node{'' if totals.nodes == 1 else 's'}"
    listed = [b.LabelledValue("Before", b.Code(review.base)), b.LabelledValue("After", b.Code(review.head))]
    if releases:
        listed.append(b.LabelledValue("CCM", (", ".join(releases), b.Quiet(f" ({source})" if source else ""))))
    return b.Facts((*listed, b.LabelledValue("Services", f"{totals.services}{nodes}")))


def sections(review: records.Review) -> Iterator[ReportSection]:
    """The page's sections, the summary first."""
    first, others = _told(review)
    yield _summary(review, first)
    if others:
        points = b.ItemList(tuple(_point(point, _MANY) for point in others[:_MOST]))
        title = "What else changes, worst first" if first else "What changes, worst first"
        yield b.ReportSection(
            title, (points, *_more(len(others))), 2, anchor="points", contents=title.partition(",")[0]
        )
    rows = tuple(_figures(review.totals))
    if rows:
        yield b.ReportSection(
            "Figures", (b.PropertyTable("All Services together", rows),), 2, anchor="figures", contents="Figures"
        )
    if review.configs:
        configs = [block for config in review.configs[:_MOST] for block in config_blocks(config)]
        blocks = (*configs, *_more(len(review.configs)))
        yield b.ReportSection("Configuration", blocks, 2, anchor="configs", contents="Configuration")
    if review.services:
        yield b.ReportSection("Services", tuple(services_blocks(review)), 2, anchor="services", contents="Services")
    timers = timers_blocks(review)
    if timers:
        about = "Faster checks find a dead node sooner and send more probes."
        about += " These are the usual sets of timers, and this cluster’s own."
        blocks = (b.Paragraph(about), *timers)
        yield b.ReportSection("Detection time and probe load", blocks, 2, anchor="timers", contents="Timers")
    if review.notes:
        blocks = (b.ItemList(tuple(map(b.ListItem, review.notes[:_MOST]))), *_more(len(review.notes)))
        yield b.ReportSection("Notes", blocks, 2, anchor="notes", contents="Notes")


def _more(count: int) -> tuple[Block, ...]:
    if count <= _MOST:
        return ()
    return (b.Paragraph((f"And {count - _MOST} more, which ", b.Code("--format json"), " has."), "quiet"),)


def _releases(config: records.ConfigChange) -> str:
    if config.changes_release:
        return f"{config.release_before} → {config.release_after}"
    return config.release_after or config.release_before


def _told(review: records.Review) -> tuple[list[records.ReviewPoint], list[records.ReviewPoint]]:
    """The points of the summary, and those that neither it nor another section has."""
    points = points_below(review)
    first = [point for point in points if point.severity > Severity.INFO or point.is_good][:_FIRST]
    return first, [point for point in points if point not in first]


def _summary(review: records.Review, first: Sequence[records.ReviewPoint]) -> ReportSection:
    if not review.points:
        nothing = "No Service, no load balancer and no value that the CCM reads differs after it."
        return b.ReportSection("In short", (b.Paragraph(nothing),), 2, anchor="summary", tone="good")
    blocks: list[Block] = list(_counts(review))
    blocks += [b.Paragraph(f"{line[0].upper()}{line[1:]}.", "lead") for line in about(review)]
    if first:
        blocks.append(b.ItemList(tuple(_point(point, _FEW) for point in first)))
    tone = "good" if review.worst is None else TONES[review.worst]
    return b.ReportSection("In short", tuple(blocks), 2, anchor="summary", tone=tone)


def _counts(review: records.Review) -> Iterator[Block]:
    """How many Services fare worse or better, stay broken or work on, and the warnings, each as a badge."""
    if not review.totals.services:
        return
    pieces: list[b.Inline] = []
    for count, words, tone in counted(review):
        pieces += [" " if pieces else "", b.Badge(f"{count} {words}", tone if count else "")]
    yield b.Paragraph(tuple(pieces))
    broken = [f"{line[0].upper()}{line[1:]}." for line in broken_lines(review)]
    yield from (b.Paragraph(line, "lead") for line in broken)


def _point(point: records.ReviewPoint, most: int) -> b.ListItem:
    subjects = (b.Strong(f"{first_of(point.subjects, most)}: "),) if point.subjects else ()
    details: list[b.Text] = [f"→ {point.do}"] if point.do else []
    if point.evidence:
        details.append(("Source: ", b.CitedSource(point.evidence)))
    tone = "good" if point.is_good else TONES[point.severity]
    word = "better" if point.is_good else point.severity.word
    return b.ListItem((*subjects, point.text), tone, word, tuple(details))


def _figures(totals: records.ReviewTotals) -> Iterator[b.PropertyRow]:
    """The figures before and after."""
    monitors = totals.monitors
    if monitors.before or monitors.after:
        yield b.PropertyRow("health monitors", str(monitors.before), str(monitors.after))
    if totals.quota is not None and totals.quota >= 0:
        used, uses = totals.used + monitors.before, totals.used + monitors.after
        fits = None if uses <= totals.quota else False
        yield b.PropertyRow("quota of health monitors", f"{used} of {totals.quota}", f"{uses} of {totals.quota}", fits)
    if totals.rate_before != totals.rate_after or totals.rate_after.per_node:
        yield b.PropertyRow("probes", rate_words(totals, before=True), rate_words(totals, before=False))
    old, new = totals.detection_before, totals.detection_after
    if old.known or new.known:
        for label, before, after in (
            ("a node that refuses connections is out everywhere", old.refused, new.refused),
            ("a node that is silent is out everywhere", old.silent, new.silent),
        ):
            if before is not None or after is not None:
                yield b.PropertyRow(label, _seconds(before, old), _seconds(after, new), _better(before, after))


def _seconds(value: float | None, of: records.Detection) -> str:
    if not of.known:
        return "not known"
    return "never, while its Node object is there" if value is None else f"after at most {value:g} s"


def _better(before: float | None, after: float | None) -> bool | None:
    return None if before == after else before is None or (after is not None and after < before)


def timers_blocks(review: records.Review) -> tuple[Block, ...]:
    """The sets of timers for the Services after the change, or before where there is nothing after.

    Probes of several clusters do not add up, nor do those of several drivers: the sets are those of the most Services
    that have a cloud.conf and a provider in common.
    """
    accepted = [(change, prediction) for change in review.services if (prediction := _accepted(change)) is not None]
    groups = Counter((change.config, found.provider) for change, found in accepted)
    if not groups:
        return ()
    (config, provider), count = groups.most_common(1)[0]
    mine = [pair for pair in accepted if (pair[0].config, pair[1].provider) == (config, provider)]
    own: dict[str, Timing] = {}
    for name, predictions in (
        ("before", [change.before for change, _ in mine if change.before]),
        ("after", [change.after for change, _ in mine if change.after]),
    ):
        timing = own_timing(predictions)
        if timing is not None:
            own[name] = timing
    if len(own) == 2 and own["before"] == own["after"]:
        own = {"before and after": own["after"]}
    of = tradeoff([found for _, found in mine], review.totals.amphorae, own)
    if of is None:
        return ()
    if len(groups) == 1:
        return tradeoff_blocks(of)
    whose = f"The {count} Services of {config or 'the defaults'}{f' with {provider}' if provider else ''}"
    return tradeoff_blocks(of, f"{whose}; the others are left out.")


def _accepted(change: records.ServiceChange) -> Prediction | None:
    """The Service after the change, or before it where it is deleted."""
    sides = (change.after, change.before)
    return next((side for side in sides if side is not None and side.outcome is Outcome.ACCEPTED), None)
