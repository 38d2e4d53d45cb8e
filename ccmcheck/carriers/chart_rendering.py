"""How the upstream chart renders its ``cloudConfig`` map into a cloud.conf, with the YAML node of each piece.

The chart prints six sections with every value quoted, the last since August 2022 (cloud-provider-openstack,
charts/openstack-cloud-controller-manager/templates/_helpers.tpl, chart 2.x). A section that it does not know, such as
``loadbalancer`` in lower case, is not printed at all.

What means nothing to the CCM differs from the chart on purpose: sections and keys stand in the file's order, where the
chart sorts them, so that a line can be added anywhere; and headers of empty sections are omitted, because no edit of
the values could remove them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.go_values import printed, quoted
from ccmcheck.yamlio import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from ccmcheck.yamlio import Node

SECTIONS = {
    "global": "Global",
    "networking": "Networking",
    "loadBalancer": "LoadBalancer",
    "blockStorage": "BlockStorage",
    "metadata": "Metadata",
    "route": "Route",
}
"""The map's keys and the sections they become."""


class Piece(NamedTuple):
    """A header, a key or a value of the rendered text, and where it comes from.

    Attributes:
        start: Offset in the rendered text.
        end: The same.
        node: The YAML node that it shows.
        section: The map's key of its section.
        line_end: Offset of the end of its line in the rendered text.
        key: The entry's YAML key, None for a header.
        value: The entry's YAML value, None for a header.
    """

    start: int
    end: int
    node: Node
    section: str
    line_end: int
    key: Scalar | None = None
    value: Node | None = None


class RenderedChart:
    """A ``cloudConfig`` map and the cloud.conf that the chart renders from it.

    Attributes:
        settings: The same.
        text: The rendered cloud.conf.
        pieces: The parts that come from a YAML node, in the order of the rendered text.
    """

    __slots__ = ("_starts", "pieces", "settings", "text")

    def __init__(self, settings: Mapping) -> None:
        self.settings = settings
        self.pieces: list[Piece] = []
        parts: list[str] = []
        position = 0
        for section, node in settings.items:
            name = section.value
            entries = entries_of(node)
            header = SECTIONS.get(name)
            if header is None or not entries:
                continue
            if parts:
                parts.append("\n")
                position += 1
            end = position + len(header) + 2
            parts.append(f"[{header}]\n")
            self.pieces.append(Piece(position, end, section, name, end))
            position = end + 1
            for key, value in entries:
                text = printed(value)
                shown = "" if text is None else quoted(text)
                middle = position + len(key.value)
                end = middle + 3 + len(shown)
                parts.append(f"{key.value} = {shown}\n")
                self.pieces.append(Piece(position, middle, key, name, end, key, value))
                self.pieces.append(Piece(middle + 3, end, value, name, end, key, value))
                position = end + 1
        self.text = "".join(parts)
        self._starts = [piece.start for piece in self.pieces]

    def index_at(self, offset: int) -> int:
        """The index of the last piece that starts at an offset or before it."""
        return max(bisect_right(self._starts, offset) - 1, 0)


def entries_of(section: Node | None) -> list[tuple[Scalar, Node]]:
    """A section's entries, the last of two equal keys only.

    The CCM takes the last of two keys that differ in case, so there the chart's order counts: Go's templates range over
    a map by its sorted keys.
    """
    if not isinstance(section, Mapping):
        return []
    entries = {key.value: (key, value) for key, value in section.items}
    if len({name.lower() for name in entries}) < len(entries):
        return [pair for _, pair in sorted(entries.items())]
    return list(entries.values())


def shown_span(node: Node) -> Span:
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
