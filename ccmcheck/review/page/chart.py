"""Detection time against probe load as a chart: where axes, bars and names stand, so that no name covers another.

templates/review/chart.svg.j2 writes it down; the same figures stand in a table beside.
"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.review.page.fitting import fitted, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ccmcheck.predict.verdicts.detection import Span

WIDE, NARROW = (680, 360), (328, 380)
"""Sizes for a screen and for a telephone."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 14, 48
_BAR = 8
_SIZE = 13
_LOGARITHMIC = 40
"""From this ratio of the largest to the smallest on, equal steps would squeeze all the others."""

_NEAR = 8
"""A name that is no higher above its bars needs no line to them."""

_LEAST_BAR = _BAR


class Mark(NamedTuple):
    """One set of timers.

    Attributes:
        name: Its name.
        own: Whether it is to stand out.
        load: Probes a second.
        refused: Seconds until a node is out that refuses connections; None for never or unknown.
        silent: Seconds until a silent one is out; None for never or unknown.
    """

    name: str
    own: bool
    load: float
    refused: Span | None
    silent: Span | None


class Box(NamedTuple):
    """A rectangle; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box, room: float = 3) -> bool:
        """Whether two come closer than some room."""
        return (
            self.x < other.x + other.width + room
            and other.x < self.x + self.width + room
            and self.y < other.y + other.height + room
            and other.y < self.y + self.height + room
        )


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    text: str


class Bar(NamedTuple):
    """From the earliest to the latest; ``kind`` is ``silent`` or ``refused``."""

    kind: str
    box: Box
    text: str


class Name(NamedTuple):
    """The name of a set, beside its bars.

    Attributes:
        text: The name.
        own: Whether the cluster has it.
        box: Where it stands.
        leader: A line to its bars, as a path; empty where it is near enough.
    """

    text: str
    own: bool
    box: Box
    leader: str


class Chart(NamedTuple):
    """One chart.

    Attributes:
        width: Its width.
        height: Its height.
        plot: What the axes enclose.
        across: The marks of the axis of probes.
        up: The marks of the axis of seconds.
        across_title: What that axis is of.
        up_title: What that axis is of.
        bars: The bars.
        names: The names.
    """

    width: float
    height: float
    plot: Box
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    across_title: str
    up_title: str
    bars: tuple[Bar, ...]
    names: tuple[Name, ...]


def chart(marks: Sequence[Mark], size: tuple[int, int], across: str, up: str) -> Chart:
    """Lay a chart out.

    Args:
        marks: What it shows.
        size: Its width and height.
        across: What the probes are.
        up: What the seconds are.
    """
    wide, high = size
    plot = Box(_LEFT, _TOP + 16, wide - _LEFT - _RIGHT, high - _TOP - 16 - _BOTTOM)
    load = _Scale([one.load for one in marks], plot.x, plot.x + plot.width)
    ends = [end for one in marks for span in (one.refused, one.silent) if span is not None for end in span]
    seconds = _Scale(ends, plot.y + plot.height, plot.y)
    groups = [(one, list(_bars(one, load.at(one.load), seconds))) for one in marks]
    bars = [bar for _, mine in groups for bar in mine]
    return Chart(
        wide,
        high,
        plot,
        tuple(load.ticks(plot.width / 55)),
        tuple(seconds.ticks(plot.height / 36)),
        across + (" (logarithmic)" if load.logarithmic else ""),
        up + (" (logarithmic)" if seconds.logarithmic else ""),
        tuple(bars),
        tuple(_names(groups, plot, bars)),
    )


def _bars(one: Mark, x: float, seconds: _Scale) -> Iterator[Bar]:
    """A set's bars side by side, as they may overlap in time."""
    for kind, who, left, span in (
        ("refused", "refuses connections", x - _BAR - 1, one.refused),
        ("silent", "is silent", x + 1, one.silent),
    ):
        if span is not None:
            high, low = seconds.at(span.most), seconds.at(span.least)
            if low - high < _LEAST_BAR:
                high, low = (low + high - _LEAST_BAR) / 2, (low + high + _LEAST_BAR) / 2
            yield Bar(kind, Box(left, high, _BAR, low - high), f"{one.name}: a node that {who} is out after {span}")


class _Scale:
    """From figures to places: in equal steps from 0, or in equal ratios where the figures lie far apart."""

    def __init__(self, figures: Iterable[float], first: float, last: float) -> None:
        known = sorted(figure for figure in figures if figure > 0) or [1.0]
        least, most = known[0], known[-1]
        self.first, self.last = first, last
        self.logarithmic = most / least > _LOGARITHMIC
        if self.logarithmic:
            self.low, self.high = log10(least / 1.6), log10(most * 1.6)
        else:
            step = _step(most * 1.08, 5)
            self.low, self.high = 0.0, ceil(most * 1.08 / step) * step

    def at(self, figure: float) -> float:
        value = log10(max(figure, 10**self.low)) if self.logarithmic else figure
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self, most: float) -> Iterator[Tick]:
        if not self.logarithmic:
            step = _step(self.high, max(2, int(most)))
            for number in range(int(self.high / step + 1e-9) + 1):
                yield Tick(self.at(number * step), f"{number * step:g}")
            return
        digits = (1, 2, 5) if (self.high - self.low) * 3 <= most else (1,)
        decades = range(floor(self.low), ceil(self.high) + 1)
        every = max(1, ceil((self.high - self.low) / max(most, 1)))
        for figure in (digit * 10.0**power for power in decades if power % every == 0 for digit in digits):
            if self.low <= log10(figure) <= self.high:
                yield Tick(self.at(figure), f"{figure:g}")


def _step(most: float, count: int) -> float:
    """A step of 1, 2 or 5 that reaches the end in no more than so many."""
    power = 10.0 ** floor(log10(most / count))
    return next(digit * power for digit in (1, 2, 5, 10, 20) if digit * power * count >= most * 0.999)


def _names(groups: list[tuple[Mark, list[Bar]]], plot: Box, bars: list[Bar]) -> Iterator[Name]:
    """Give each name a place where it covers nothing; what is the cluster's own comes first."""
    taken = [bar.box for bar in bars]
    for one, mine in sorted(groups, key=lambda group: not group[0].own):
        if not mine:
            continue
        text = fitted(one.name, min(plot.width - 8, 190), _SIZE)
        wide, high = width(text, _SIZE) * (1.06 if one.own else 1), _SIZE + 3.0
        group = _around(bar.box for bar in mine)
        anchor = max(mine, key=lambda bar: bar.box.x).box
        fitting = (
            (box, path)
            for places in (_near(group, anchor, wide, high), _anywhere(group, wide, high, plot))
            for box in places
            if _is_within(box, plot) and not any(box.meets(other) for other in taken)
            for path in [_line(group, box)]
            if not any(point.meets(other, 0) for point in path for other in taken)
        )
        box, path = next(fitting, (Box(plot.x, plot.y - high, wide, high), []))
        taken += [box, *path]
        yield Name(
            text, one.own, box, f"M{path[0].x:.1f} {path[0].y:.1f}L{path[-1].x:.1f} {path[-1].y:.1f}" if path else ""
        )


def _around(boxes: Iterable[Box]) -> Box:
    """What holds them all."""
    known = list(boxes)
    left, top = min(box.x for box in known), min(box.y for box in known)
    right, foot = max(box.x + box.width for box in known), max(box.y + box.height for box in known)
    return Box(left, top, right - left, foot - top)


def _near(group: Box, bar: Box, wide: float, high: float) -> Iterator[Box]:
    """The best places: above the bars, then beside them, then higher and higher."""
    middle = group.x + group.width / 2
    starts = [middle - wide * part / 8 for part in (4, 3, 5, 2, 6, 1, 7)]
    above = group.y - high - 4
    yield from (Box(start, above, wide, high) for start in starts)
    for y in (bar.y, bar.y + bar.height / 2 - high / 2, bar.y + bar.height - high):
        yield Box(group.x + group.width + 5, y, wide, high)
        yield Box(group.x - wide - 5, y, wide, high)
    for rise in range(2, int(above), 2):
        yield from (Box(start, above - rise, wide, high) for start in starts)


def _anywhere(group: Box, wide: float, high: float, plot: Box) -> Iterator[Box]:
    """All places, the nearest first."""
    middle = group.x + group.width / 2 - wide / 2
    across = range(int(plot.x), int(plot.x + plot.width), 8)
    down = range(int(plot.y - high), int(plot.y + plot.height), 6)
    every = [Box(x, y, wide, high) for y in down for x in across]
    yield from sorted(every, key=lambda box: (box.x - middle) ** 2 + (box.y - group.y) ** 2)


def _line(group: Box, box: Box) -> list[Box]:
    """A line from the bars to a name, in points; none where the name is near."""
    x, y = group.x + group.width / 2, group.y - 2
    to_x, to_y = min(max(x, box.x + 4), box.x + box.width - 4), box.y + box.height
    if to_y > y:  # beside or below: the line begins at the side
        x = group.x - 2 if box.x < group.x else group.x + group.width + 2
        y = min(max(group.y, box.y + box.height / 2), group.y + group.height)
        to_x, to_y = (box.x + box.width if box.x < group.x else box.x), box.y + box.height / 2
    far = max(abs(to_x - x), abs(to_y - y))
    if far <= _NEAR:
        return []
    count = int(far / 3) + 1
    return [Box(x + (to_x - x) * at / count, y + (to_y - y) * at / count, 0.1, 0.1) for at in range(count + 1)]


def _is_within(box: Box, plot: Box) -> bool:
    return (
        plot.x + 2 <= box.x
        and box.x + box.width <= plot.x + plot.width + _RIGHT - 2
        and plot.y - 14 <= box.y
        and box.y + box.height <= plot.y + plot.height - 2
    )
