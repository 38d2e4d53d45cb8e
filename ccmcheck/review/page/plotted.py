"""Sets of timers as a chart in both sizes, and as the rows of the table beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.policy.create_monitor.timers import per_second
from ccmcheck.predict.verdicts.detection import Span
from ccmcheck.review.page.chart import NARROW, WIDE, Mark, chart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.review.create_monitor.records import TimersPoint
    from ccmcheck.review.create_monitor.tradeoff import Tradeoff
    from ccmcheck.review.page.chart import Chart

_NEVER = "never"


class Cell(NamedTuple):
    """One set of timers in the table.

    Attributes:
        name: Its name.
        use: What it is for; may be empty.
        own: Whether it is to stand out.
        figures: What stands in the columns.
    """

    name: str
    use: str
    own: bool
    figures: tuple[str, ...]


class Plotted(NamedTuple):
    """A chart with its table.

    Attributes:
        wide: For a screen; None where the probes are not known, and so there is no chart.
        narrow: For a telephone.
        description: The chart in words.
        columns: The table's columns, after the name.
        rows: Its rows.
        notes: What the times and probes are those of.
        evidence: Where they are from; may be empty.
    """

    wide: Chart | None
    narrow: Chart | None
    description: str
    columns: tuple[str, ...]
    rows: tuple[Cell, ...]
    notes: tuple[str, ...]
    evidence: str = ""


def plot(of: Tradeoff) -> Plotted:
    """The chart of a trade-off.

    Args:
        of: What it shows.
    """
    marks = [
        Mark(one.name, one.own, one.node if one.total is None else one.total, one.refused, one.silent)
        for one in of.sets
    ]
    rows = tuple(
        Cell(
            one.name,
            one.use,
            one.own,
            (
                f"{one.timing[0]} s",
                f"{one.timing[1]} s",
                f"{one.timing[3]} / {one.timing[2]}",
                *(() if one.total is None else (per_second(one.total),)),
                per_second(one.node),
                str(one.refused or _NEVER),
                str(one.silent or _NEVER),
                str(one.back or _NEVER),
            ),
        )
        for one in of.sets
    )
    in_all = ("probes/s in all",) if of.counted else ()
    per = "in all" if of.counted else "on each node"
    return Plotted(
        *_both(marks, f"probes per second, {per}", "seconds until a node is out"),
        _described(marks),
        ("delay", "timeout", "down / up", *in_all, "probes/s a node", "refuses", "is silent", "back"),
        rows,
        tuple(_notes(of)),
        of.evidence,
    )


def plot_points(points: Sequence[TimersPoint], *, name_of_own: str = "now") -> Plotted | None:
    """The chart of what the question of create-monitor compares; None where it compares nothing.

    Args:
        points: The sets.
        name_of_own: The name of the cluster's own.
    """
    if not points:
        return None
    marks = [
        Mark(
            f"{one.name}, recommended" if one.chosen else one.name,
            one.chosen or one.name == name_of_own,
            one.probes,
            None if one.refused is None else Span(one.refused, one.refused),
            None if one.silent is None else Span(one.silent, one.silent),
        )
        for one in points
        if one.probes
    ]
    rows = tuple(
        Cell(
            one.name,
            "recommended" if one.chosen else "",
            one.chosen,
            (
                one.timers,
                "not known" if one.probes is None else per_second(one.probes),
                {True: "yes", False: "no", None: "not known"}[one.within],
                *("never or not known" if end is None else f"{end:g} s" for end in (one.refused, one.silent)),
            ),
        )
        for one in points
    )
    wide, narrow = None, None
    if marks:
        wide, narrow = _both(marks, "probes per second, in all", "seconds until a node is out, at the latest")
    columns = ("delay/timeout/up/down", "probes/s", "within the budget", "refuses", "is silent")
    return Plotted(wide, narrow, _described(marks), columns, rows, ())


def _both(marks: Sequence[Mark], across: str, up: str) -> tuple[Chart, Chart]:
    return chart(marks, WIDE, across, up), chart(marks, NARROW, across, up)


def _described(marks: Sequence[Mark]) -> str:
    said = [
        f"{one.name}: {per_second(one.load)} probes per second, out after {one.refused or _NEVER} where a node "
        f"refuses, {one.silent or _NEVER} where it is silent"
        for one in marks
    ]
    return "Each set of timers stands at the probes that it sends, and at the time until a node is out. " + "; ".join(
        said
    )


def _notes(of: Tradeoff) -> list[str]:
    pools = f"{of.pools} pool{'' if of.pools == 1 else 's'}"
    nodes = "" if of.nodes is None else f" on {of.nodes} node{'' if of.nodes == 1 else 's'}"
    probing = ""
    if of.driver == "amphora":
        both = "both amphorae of each pair check"
        probing = {0: "one amphora each is assumed, a pair sends twice as many", 1: "one amphora each", 2: both}[
            of.amphorae
        ]
    found = [
        f"Probes of {pools}{nodes}" + (f"; {probing}." if probing else "."),
        f"Times of {of.kind} monitors: {of.how}.",
    ]
    if of.others:
        found.append(f"Those of {', '.join(of.others)} differ.")
    return found
