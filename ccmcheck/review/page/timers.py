"""Sets of timers as a table with bars: the probes that each sends, and the time until it takes a node out."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.policy.create_monitor.timers import per_second
from ccmcheck.predict.drivers.times import Seconds
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.blocks import Block
from ccmcheck.review.create_monitor.tradeoff import Tradeoff

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
