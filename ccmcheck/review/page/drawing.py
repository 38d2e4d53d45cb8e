"""The way of a connection as a drawing: client, floating IP, listeners, pools, nodes, and the monitor beside.

It is drawn from top to bottom and narrow, so that a telephone shows it at its full size, and before and after stand
side by side on a screen. Here is where everything stands; templates/review/drawing.svg.j2 writes it down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.forms.connection import checks
from ccmcheck.predict.records import Outcome
from ccmcheck.review.page.fitting import fitted, width, wrapped

if TYPE_CHECKING:
    from ccmcheck.predict.records import Plan, Prediction

WIDTH = 328
"""What is left of 360 pixels between margins."""

_MIDDLE = WIDTH / 2
_PAD = 12
_LISTENER, _POOL = 132, 148
"""Widths of the columns."""

_POOLS = WIDTH - _PAD - _POOL
_TRUNK = WIDTH - _PAD - 30
"""Where the traffic leaves the pools."""

_CHECKS = 48
"""Where the checks leave the monitor."""

_ROW, _GAP = 28, 6
_BETWEEN = 22
_MOST_PORTS = 5
_MOST_NODES = 44
_SQUARE, _STEP, _PER_ROW = 9, 14, 22
_LINE = 16
_MOST_LINES = 4
_SIZE = 13
_SIZES = {"tiny": 10.5, "small": 11.5}
"""Sizes of the font by class, as in the style sheet."""


class Shape(NamedTuple):
    """A rectangle; ``kind`` is its class in the style sheet."""

    kind: str
    x: float
    y: float
    width: float
    height: float


class Stroke(NamedTuple):
    """A path; ``kind`` is its class in the style sheet."""

    kind: str
    path: str


class Words(NamedTuple):
    """A line of text; ``kind`` is its class in the style sheet, ``whole`` what was cut; empty where nothing was."""

    kind: str
    x: float
    y: float
    text: str
    whole: str = ""


class Drawing(NamedTuple):
    """One drawing.

    Attributes:
        title: What it shows, in a few words.
        description: The same in words, for whoever does not see it.
        height: Its height; the width is ``WIDTH``.
        shapes: The rectangles, from the one farthest behind.
        strokes: The lines.
        words: The texts.
    """

    title: str
    description: str
    height: float
    shapes: tuple[Shape, ...]
    strokes: tuple[Stroke, ...]
    words: tuple[Words, ...]


def draw(found: Prediction, title: str, *, other: Prediction | None = None) -> Drawing:
    """Draw one Service's way.

    Args:
        found: What is predicted.
        title: What the drawing is called.
        other: What it was before; what differs from it is marked.
    """
    sheet = _Sheet()
    parts = [_entry(found, sheet, other)]
    if found.outcome is Outcome.ACCEPTED and found.plans:
        parts += [_balancer(found, sheet, other), _nodes(found, sheet, other)]
    else:
        parts.append(_missing(found, sheet))
    description = ". ".join(["Connections from the client go to " + parts[0], *parts[1:]]) + "."
    return Drawing(title, description, sheet.y, tuple(sheet.shapes), tuple(sheet.strokes), tuple(sheet.words))


class _Sheet:
    """Collects what is drawn, from top to bottom; ``y`` is where the next thing stands."""

    def __init__(self) -> None:
        self.y = 0.0
        self.shapes: list[Shape] = []
        self.strokes: list[Stroke] = []
        self.words: list[Words] = []

    def box(self, kind: str, x: float, y: float, wide: float, high: float, *, changed: bool = False) -> None:
        self.shapes.append(Shape(f"{kind} changed" if changed else kind, x, y, wide, high))

    def write(self, kind: str, x: float, y: float, text: str, room: float) -> None:
        mono = "mono" in kind
        size = next((size for name, size in _SIZES.items() if name in kind), _SIZE)
        shown = fitted(text, room, size, mono=mono)
        self.words.append(Words(kind, x, y, shown, text[:300] if shown.endswith("…") and shown != text else ""))

    def arrow(self, x: float, start: float, end: float, kind: str = "flow") -> None:
        self.strokes.append(Stroke(kind, f"M{x:g} {start:g}V{end - 6:g}"))
        self.strokes.append(Stroke(f"{kind} head", f"M{x - 4:g} {end - 8:g}L{x:g} {end - 1:g}L{x + 4:g} {end - 8:g}z"))

    def arrow_right(self, start: float, end: float, y: float) -> None:
        self.strokes.append(Stroke("flow", f"M{start:g} {y:g}H{end - 6:g}"))
        self.strokes.append(Stroke("flow head", f"M{end - 8:g} {y - 4:g}L{end - 1:g} {y:g}L{end - 8:g} {y + 4:g}z"))

    def skip(self, high: float) -> None:
        self.y += high


def _entry(found: Prediction, sheet: _Sheet, other: Prediction | None) -> str:
    """The client, and the address that it connects to."""
    sheet.box("soft", _MIDDLE - 46, 0, 92, 28)
    sheet.write("middle", _MIDDLE, 18.5, "client", 80)
    sheet.skip(28)
    sheet.arrow(_MIDDLE, sheet.y, sheet.y + _BETWEEN)
    sheet.skip(_BETWEEN)
    title, where = _address(found)
    changed = other is not None and _address(other) != (title, where)
    sheet.box("box", 0, sheet.y, WIDTH, 44, changed=changed)
    sheet.write("small quiet middle", _MIDDLE, sheet.y + 17, title, WIDTH - 12)
    sheet.write("small mono middle", _MIDDLE, sheet.y + 34, where, WIDTH - 12)
    sheet.skip(44)
    return f"the {title} ({where})"


def _address(found: Prediction) -> tuple[str, str]:
    one = found.floating
    if one.wanted:
        return "floating IP", one.address or (f"from {one.network}" if one.network else "from the external network")
    address = next((entry.ip for entry in found.published if entry.ip), "")
    return "VIP", address if address and " " not in address else "in the load balancer's subnet"


def _balancer(found: Prediction, sheet: _Sheet, other: Prediction | None) -> str:
    sheet.arrow(_MIDDLE, sheet.y, sheet.y + _BETWEEN)
    sheet.skip(_BETWEEN)
    top = sheet.y
    sheet.shapes.append(Shape("", 0, 0, 0, 0))  # its place; its height is known at the end
    place = len(sheet.shapes) - 1
    provider = found.provider or "the default provider"
    sheet.write("strong", _PAD, top + 22, "load balancer", 130)
    was = (other.provider or "the default provider") if other is not None and other.plans else provider
    named = provider if was == provider else f"{provider} (was {was})"
    sheet.write("small quiet end" if was == provider else "small end", WIDTH - _PAD, top + 22, named, 190)
    sheet.write("small quiet", _PAD, top + 44, "listeners" if len(found.plans) > 1 else "listener", _LISTENER)
    sheet.write("small quiet", _POOLS, top + 44, "pools" if len(found.plans) > 1 else "pool", _POOL)
    sheet.y = top + 52
    shown = found.plans[:_MOST_PORTS]
    before = {(plan.port, plan.protocol): plan for plan in other.plans} if other is not None else None
    for plan in shown:
        if plan is not shown[0]:  # all pools lead to the nodes
            sheet.strokes.append(Stroke("flow", f"M{_TRUNK:g} {sheet.y - _GAP:g}v{_GAP}"))
        known = None if before is None else before.get((plan.port, plan.protocol))
        _port(plan, sheet, known, new=before is not None and known is None)
    if len(found.plans) > len(shown):
        text = f"and {len(found.plans) - len(shown)} more ports"
        sheet.write("small quiet", _PAD, sheet.y + 12, text, _LISTENER)
        sheet.skip(20)
    below = sheet.y - _GAP
    sheet.skip(6)
    said = _monitor(found, sheet, other)
    monitored = any(plan.monitor is not None for plan in found.plans)
    bottom = sheet.y + _PAD
    sheet.shapes[place] = Shape("frame", 0, top, WIDTH, bottom - top)
    sheet.y = bottom + 34
    sheet.arrow(_TRUNK, below, sheet.y)
    sheet.write("small quiet", _TRUNK + 8, bottom + 20, "traffic", 70)
    if monitored:
        sheet.arrow(_CHECKS, bottom - _PAD, sheet.y, "check")
        sheet.write("small quiet", _CHECKS + 8, bottom + 20, "checks", 100)
    ports = ", ".join(f"listener {plan.listener}/{plan.port} to pool {plan.pool} ({plan.method})" for plan in shown)
    more = f" and {len(found.plans) - len(shown)} more" if len(found.plans) > len(shown) else ""
    return f"The load balancer ({provider}) has {ports}{more}. {said}"


def _port(plan: Plan, sheet: _Sheet, was: Plan | None, *, new: bool) -> None:
    y = sheet.y
    sheet.box("box", _PAD, y, _LISTENER, _ROW, changed=new or (was is not None and was.listener != plan.listener))
    sheet.box("box", _POOLS, y, _POOL, _ROW, changed=new or (was is not None and was[4:6] != plan[4:6]))
    port = f"/{plan.port}"
    size = _size(plan.listener + port, _LISTENER - 14)
    protocol = fitted(plan.listener, _LISTENER - 14 - width(port, size), size)
    sheet.write(_kind(size), _PAD + 8, y + 18.5, protocol + port, _LISTENER)
    pool = f"{plan.pool} {plan.method}"
    sheet.write(_kind(_size(pool, _POOL - 14)), _POOLS + 8, y + 18.5, pool, _POOL - 14)
    sheet.arrow_right(_PAD + _LISTENER, _POOLS, y + _ROW / 2)
    sheet.skip(_ROW + _GAP)


def _size(text: str, room: float) -> float:
    """The largest size in which a text fits, or the smallest that there is."""
    sizes = sorted((_SIZE, *_SIZES.values()), reverse=True)
    return next((size for size in sizes if width(text, size) <= room), sizes[-1])


def _kind(size: float) -> str:
    return next((name for name, known in _SIZES.items() if known == size), "")


def _monitor(found: Prediction, sheet: _Sheet, other: Prediction | None) -> str:
    """The monitor's box, left of where the traffic passes."""
    lines = _asked(found)
    changed = other is not None and other.outcome is Outcome.ACCEPTED and _asked(other) != lines
    wide = _TRUNK - _PAD - 16
    high = 14 + _LINE * len(lines)
    sheet.box("box" if len(lines) > 1 else "gap", _PAD, sheet.y, wide, high, changed=changed)
    for number, line in enumerate(lines):
        y = sheet.y + 20 + number * _LINE
        sheet.write("small" if number else "small strong", _PAD + 10, y, line, wide - 16)
    sheet.skip(high)
    return ", ".join(lines) if len(lines) > 1 else f"There is {lines[0]}: nothing checks the nodes"


def _asked(found: Prediction) -> list[str]:
    """The monitors in lines; a single line where there is none."""
    seen = checks(found)
    if not seen:
        return ["no monitor"]
    count = sum(seen.values())
    lines = [f"{count} monitor{'' if count == 1 else 's'}"]
    kinds = [text if number == count else f"{number} × {text}" for text, number in seen.items()]
    lines += kinds if len(kinds) < 4 else [*kinds[:3], f"and {len(kinds) - 3} more kinds"]
    timers = next(plan.monitor for plan in found.plans if plan.monitor is not None)
    down = timers.get("max_retries_down")
    lines.append(f"every {timers.get('delay')} s, timeout {timers.get('timeout')} s")
    lines.append(
        f"out after {down if down is not None else 'Octavia’s 3'} failures, back after {timers.get('max_retries')}"
    )
    return lines


def _nodes(found: Prediction, sheet: _Sheet, other: Prediction | None) -> str:
    count = found.nodes
    title = "nodes, not counted" if count is None else f"{count} node{'' if count == 1 else 's'}"
    ports = " ".join(f":{plan.node_port}" for plan in found.plans if plan.node_port) or "no NodePort"
    top = sheet.y
    changed = other is not None and other.outcome is Outcome.ACCEPTED and other.nodes != count
    empty, said = _without_pod(found)
    drawn = min(count or 0, _MOST_NODES)
    rows = -(-drawn // _PER_ROW)
    if count is not None and count > drawn:
        said = f"{said} ({drawn} of {count} drawn)" if said else f"{drawn} of {count} drawn"
    high = 34 + rows * _STEP + (_LINE if said else 0) + (4 if rows or said else 0)
    sheet.box("frame", 0, top, WIDTH, high, changed=changed)
    sheet.write("strong", _PAD, top + 22, title, 150)
    sheet.write("small mono end", WIDTH - _PAD, top + 22, ports, WIDTH - 2 * _PAD - width(title, 13) - 12)
    if count is not None:
        idle = round(empty / count * drawn) if count > drawn and empty else empty
        full, hollow = (_squares(top + 34, first, last) for first, last in ((0, drawn - idle), (drawn - idle, drawn)))
        sheet.strokes += [Stroke(kind, path) for kind, path in (("node", full), ("node idle", hollow)) if path]
    if said:
        sheet.write("small", _PAD, top + high - 9, said, WIDTH - 2 * _PAD)
    sheet.y = top + high
    return f"Traffic goes to {title} at {ports}" + (f"; {said}" if said else "")


def _without_pod(found: Prediction) -> tuple[int, str]:
    """How many nodes have no pod, where that matters and is known, and what becomes of them."""
    answer = found.answer("traffic-local") if found.policy == "Local" else None
    without = answer.numbers.get("without") if answer is not None else None
    if answer is None or not isinstance(without, int) or not without:
        return 0, ""
    noun = f"{without} without a pod"
    return without, f"{noun}: taken out" if answer.good else f"{noun}: connections go there, too"


def _squares(y: float, first: int, last: int) -> str:
    """Squares of a row of nodes, all in one path."""
    return "".join(
        f"M{_PAD + number % _PER_ROW * _STEP:g} {y + number // _PER_ROW * _STEP:g}h{_SQUARE}v{_SQUARE}h-{_SQUARE}z"
        for number in range(first, last)
    )


def _missing(found: Prediction, sheet: _Sheet) -> str:
    """Where no load balancer comes to be: why, in its place."""
    titles = {
        Outcome.REFUSED: "OpenStack refuses the load balancer",
        Outcome.FAILS: "the load balancer ends in ERROR",
        Outcome.ERROR: "the CCM asks for no load balancer",
        Outcome.NOTHING: "the CCM asks for nothing",
    }
    title = titles.get(found.outcome, "not known")
    why = found.why or found.error
    sheet.strokes.append(Stroke("broken", f"M{_MIDDLE:g} {sheet.y:g}V{sheet.y + _BETWEEN:g}"))
    x, y = _MIDDLE, sheet.y + _BETWEEN / 2
    sheet.strokes.append(Stroke("cross", f"M{x - 5:g} {y - 5:g}l10 10m0 -10l-10 10"))
    sheet.skip(_BETWEEN)
    lines = wrapped(why, WIDTH - 2 * _PAD, _SIZES["small"], _MOST_LINES)
    high = 34 + len(lines) * _LINE + (4 if lines else 0)
    sheet.box("gap", 0, sheet.y, WIDTH, high)
    sheet.write("small strong middle", _MIDDLE, sheet.y + 22, title, WIDTH - 2 * _PAD)
    for number, line in enumerate(lines):
        sheet.write("small middle", _MIDDLE, sheet.y + 41 + number * _LINE, line, WIDTH - 2 * _PAD)
    sheet.skip(high)
    return f"No further: {title}" + (f", {why}" if why else "")
