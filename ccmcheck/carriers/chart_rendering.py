"""How the upstream chart renders its ``cloudConfig`` map into a cloud.conf, with the YAML node of each piece.

The chart prints six sections with every value quoted, the last since August 2022 (cloud-provider-openstack,
charts/openstack-cloud-controller-manager/templates/_helpers.tpl, chart 2.x). A section that it does not know, such as
``loadbalancer`` in lower case, is not printed at all.

What means nothing to the CCM differs from the chart on purpose: sections and keys stand in the file's order, where the
chart sorts them, so that a line can be added anywhere; and headers of empty sections are omitted, because no edit of
the values could remove them.

How Helm prints a value: Go's ``%v`` of what the YAML parser made of it, quoted by Sprig's ``quote``.

Helm reads values through sigs.k8s.io/yaml, that is through JSON, so that every number is a float64: ``1000000`` is
printed as ``1e+06``. Checked against ``helm template`` v3.18.4.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache

from ccmcheck.base.go_unicode import is_printable
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.carriers.chart_templates import ChartMapping
from ccmcheck.catalog import ccm_chart
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, kubernetes_scalar

_EXPONENT_FROM = 6
_DEPTH = 20
_NOT_FINITE = {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}

_SHORT_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\",
    '"': '\\"',
}  # fmt: skip
_PLAIN = lazy_regex(r"[ !#-\[\]-~]*+\Z")


def printed(node: YamlNode, depth: int = 0) -> str | None:
    """What ``%v`` prints for a value.

    Args:
        node: The value.
        depth: How many lists and maps lie around it.

    Returns:
        The text; None for null, for which ``quote`` prints nothing at all.
    """
    if isinstance(node, Scalar):
        value = kubernetes_scalar(node)
        return value if isinstance(value, str) else printed_scalar(value)
    if depth > _DEPTH:
        return "..."
    if isinstance(node, Sequence):
        return f"[{' '.join(_inside(item, depth) for item in node.items)}]"
    if isinstance(node, Mapping):
        pairs = sorted((key.value, value) for key, value in node.items)
        return f"map[{' '.join(f'{key}:{_inside(value, depth)}' for key, value in pairs)}]"
    return ""


def _inside(node: YamlNode, depth: int) -> str:
    text = printed(node, depth + 1)
    return "<nil>" if text is None else text


def printed_scalar(value: float | bool | None) -> str | None:
    """What ``%v`` prints for a number, a boolean or null."""
    if value is None:
        return None
    if value is True or value is False:
        return "true" if value else "false"
    return _float(float(value))


def quoted(text: str) -> str:
    """What ``%q`` prints for a text (Go, strconv.Quote)."""
    return f'"{text}"' if _PLAIN.match(text) else f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if is_printable(char):
        return char
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _float(value: float) -> str:
    """Go's shortest form of a float64, with an exponent from a million on (strconv.FormatFloat, ``'g'``, -1)."""
    if repr(value) in _NOT_FINITE:
        return _NOT_FINITE[repr(value)]
    sign = "-" if repr(value).startswith("-") else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    power = point - 1 if digits != "0" else 0
    if power < -4 or power >= _EXPONENT_FROM:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{'-' if power < 0 else '+'}{abs(power):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}" if digits != "0" else f"{sign}0"
    if len(digits) <= point:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    return f"{sign}{digits[:point]}.{digits[point:]}"


SECTIONS = {
    "global": "Global",
    "networking": "Networking",
    "loadBalancer": "LoadBalancer",
    "blockStorage": "BlockStorage",
    "metadata": "Metadata",
    "route": "Route",
}
"""The map's keys and the sections they become."""

UPSTREAM = ChartMapping(SECTIONS, unread={})
"""What the newest version of the upstream chart does with its map."""

CLASSES = "cloudConfigContents"
"""The value that has room for the sections of classes, which the map has not."""


@cache
def upstream(version: str) -> ChartMapping:
    """What a version of the upstream chart does with its map."""
    found = UPSTREAM._replace(bare=not ccm_chart.does("values are quoted", version))
    if ccm_chart.does("cloudConfig.route", version):
        return found
    sections = {name: section for name, section in SECTIONS.items() if name != "route"}
    return found._replace(sections=sections, unread={"route": f"chart {ccm_chart.from_when('cloudConfig.route')}"})


MERGE_KEY = "<<"
"""The key that adds the entries of another map, which has its own place in the file."""

_ZERO = (None, "", "0", "false")
_LETTERS = lazy_regex(r"[A-Za-z-]{1,64}")
"""An unread map's name that is shown."""


class RenderedPiece(NamedTuple):
    """A header, a key or a value of the rendered text, and where it comes from.

    Attributes:
        start: Offset in the rendered text.
        end: The same.
        node: The YAML node that it shows.
        section: The map's key of its section.
        line_end: Offset of the end of its line in the rendered text.
        key: The entry's YAML key, None for a header.
        value: The entry's YAML value, None for a header.
        unknown: Whether the chart's templates may print something else.
        meant: For a map that the chart does not read, the name of the one that it does; with the map's path in the
            values for one that stands beside it.
    """

    start: int
    end: int
    node: YamlNode
    section: str
    line_end: int
    key: Scalar | None = None
    value: YamlNode | None = None
    unknown: bool = False
    meant: str = ""


class _Row(NamedTuple):
    """One line of a section: its YAML nodes and the name that the chart prints."""

    name: str
    key: Scalar
    value: YamlNode
    unknown: bool = False


class RenderedChart:
    """A ``cloudConfig`` map and the cloud.conf that the chart renders from it.

    A map that the chart does not read because of its name's spelling or its place is a comment.

    Args:
        settings: The map.
        mapping: What the chart does with it.
        beside: The keys of sections that stand beside the map, each with the path that is meant.

    Attributes:
        settings: The same.
        mapping: The same.
        text: The rendered cloud.conf.
        pieces: The parts that come from a YAML node, in the order of the rendered text.
    """

    __slots__ = ("_starts", "mapping", "pieces", "settings", "text")

    def __init__(
        self, settings: Mapping, mapping: ChartMapping = UPSTREAM, beside: Iterable[tuple[Scalar, str]] = ()
    ) -> None:
        self.settings = settings
        self.mapping = mapping
        self.pieces: list[RenderedPiece] = []
        parts: list[str] = []
        position = 0
        unread = [(key, None, meant) for key, meant in beside]
        sections = [
            (key, node, meant_section(key.value, node, mapping))
            for key, node in settings.items
            if key.value != MERGE_KEY
        ]
        for section, node, meant in (*unread, *sections):
            name = section.value
            if meant or node is None:
                word = _remark(name, meant)
                parts.append(f"# {word}\n")
                end = position + 2 + len(word)
                self.pieces.append(RenderedPiece(position + 2, end, section, name, end, meant=meant))
                position = end + 1
                continue
            for header, rows in _rows(name, node, mapping):
                if parts:
                    parts.append("\n")
                    position += 1
                end = position + len(header) + 2
                parts.append(f"[{header}]\n")
                self.pieces.append(RenderedPiece(position, end, section, name, end))
                position = end + 1
                for row in rows:
                    shown = _shown(printed(row.value), mapping)
                    middle = position + len(row.name)
                    end = middle + 3 + len(shown)
                    parts.append(f"{row.name} = {shown}\n")
                    self.pieces.append(RenderedPiece(position, middle, row.key, name, end, row.key, row.value))
                    self.pieces.append(
                        RenderedPiece(middle + 3, end, row.value, name, end, row.key, row.value, row.unknown)
                    )
                    position = end + 1
        self.text = "".join(parts)
        self._starts = [piece.start for piece in self.pieces]

    def index_at(self, offset: int) -> int:
        """The index of the last piece that starts at an offset or before it."""
        return max(bisect_right(self._starts, offset) - 1, 0)


def _shown(text: str | None, mapping: ChartMapping) -> str:
    """A value as the chart prints it; null is nothing between quotes, and said without them."""
    if mapping.bare:
        return "<no value>" if text is None else text
    return "" if text is None else quoted(text)


def _rows(name: str, node: YamlNode, mapping: ChartMapping) -> Iterator[tuple[str, list[_Row]]]:
    """The sections that a map becomes, with their lines."""
    entries = entries_of(node)
    if mapping.omits_null:
        entries = [(key, value) for key, value in entries if printed(value) is not None]
    if mapping.omits_zero:
        entries = [(key, value) for key, value in entries if printed(value) not in _ZERO]
    if not entries:
        return
    header = mapping.sections.get(name, name if mapping.any_section else "")
    if header:
        guessed = mapping.guessed
        yield header, [_Row(key.value, key, one, guessed and not isinstance(one, Scalar)) for key, one in entries]
    by_header: dict[str, list[_Row]] = {}
    for key, value in entries:
        target = mapping.entries.get((name, key.value))
        # an empty value stands for one of another values file, as in a chart's own defaults
        if target is not None and printed(value):
            by_header.setdefault(target.section, []).append(_Row(target.key, key, value, not target.as_it_is))
    yield from by_header.items()


def _remark(name: str, meant: str) -> str:
    """What the rendered text says instead of a map that the chart does not read: words, so that they may be shown."""
    word = name if _LETTERS.fullmatch(name) else "this map"
    if meant.startswith("chart "):
        return f"{word} is read from {meant} on"
    around, _, inner = meant.rpartition(".")
    return f"{word} is read below {around} only" if around else f"{word} is not {inner}"


def meant_section(name: str, node: YamlNode, mapping: ChartMapping) -> str:
    """The map that an unread one was meant to be: by its spelling, or by the section of cloud.conf; else empty."""
    names = mapping.names
    if mapping.any_section or name in names or not isinstance(node, Mapping) or not node.items:
        return ""
    folded = fold_name(name)
    if mapping.unread is not None and (name in mapping.unread or folded.startswith("loadbalancerclass")):
        return mapping.unread.get(name, CLASSES)
    for known in names:
        if folded in {fold_name(known), fold_name(mapping.sections.get(known, known))}:
            return known
    return nearest_name(name, names) or ""


def entries_of(section: YamlNode | None) -> list[tuple[Scalar, YamlNode]]:
    """A section's own entries, the last of two equal keys only; those of a merge key are not among them.

    The CCM takes the last of two keys that differ in case, so there the chart's order counts: Go's templates range over
    a map by its sorted keys.
    """
    if not isinstance(section, Mapping):
        return []
    entries = {key.value: (key, value) for key, value in section.items if key.value != MERGE_KEY}
    if len({name.lower() for name in entries}) < len(entries):
        return [pair for _, pair in sorted(entries.items())]
    return list(entries.values())


def shown_span(node: YamlNode) -> Span:
    """A node's place for people: without the blank lines and comments up to the next token, which libyaml counts in."""
    text = node.document.text
    start = node.content.start
    while isinstance(node, (Mapping, Sequence)) and node.items and text[node.content.start] not in "{[":
        if isinstance(node, Sequence):
            node = node.items[-1]
            continue
        key, node = node.items[-1]
        if node.content.start == node.content.end:
            return Span(start, text.index(":", key.span.end) + 1)
    low, high = node.content
    if isinstance(node, Scalar) and node.style in ("literal", "folded"):
        high = low + len(text[low:high].rstrip())
    return Span(start, high)
