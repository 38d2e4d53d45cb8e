"""The lens on the upstream chart's ``cloudConfig`` map: inside is the cloud.conf that the chart renders from it.

The chart prints six sections in a fixed order, each with its keys sorted and every value quoted, the last since August
2022 (cloud-provider-openstack, charts/openstack-cloud-controller-manager/templates/_helpers.tpl, chart 2.x). A section
that it does not know, such as ``loadbalancer`` in lower case, is not printed at all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ccmcheck.carriers.go_values import printed, quoted
from ccmcheck.edits import apply, sort
from ccmcheck.errors import CannotEdit
from ccmcheck.layers import scalar_layer
from ccmcheck.layers.quoted import quote
from ccmcheck.model import Edit, Span
from ccmcheck.yamlio import Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.yamlio import Node

SECTIONS = {
    "global": "Global",
    "networking": "Networking",
    "loadBalancer": "LoadBalancer",
    "blockStorage": "BlockStorage",
    "metadata": "Metadata",
    "route": "Route",
}
"""The map's keys and the sections they become, in the chart's order."""

_PLAIN_KEY = re.compile(r"[A-Za-z][\w.-]*\Z")
_UNESCAPED = re.compile(r"\\(.)", re.DOTALL)
_UNESCAPES = {"n": "\n", "t": "\t"}
_BLOCK_ENTRY = re.compile(r"[ \t]*\Z")


class Piece(NamedTuple):
    """A part of the rendered text and where it comes from.

    Attributes:
        start: Inside.
        end: Inside.
        node: The YAML node that it shows.
        line: The whole rendered line for a key or a value; the piece itself for a header.
        key: The entry's YAML key, None for a header.
        value: The entry's YAML value, None for a header.
    """

    start: int
    end: int
    node: Node
    line: Span
    key: Scalar | None = None
    value: Node | None = None


class ChartMap:
    """A ``cloudConfig`` map.

    Args:
        outer: The YAML text.
        cloud_config: The map's node.
        key: Its key's node, which stands for headers of sections that it does not have.
    """

    __slots__ = ("_outer", "_pieces", "_starts", "text")
    kind = "Helm values"
    exact = True

    def __init__(self, outer: str, cloud_config: Mapping, key: Node) -> None:
        self._outer = outer
        parts: list[str] = []
        pieces: list[Piece] = []
        position = 0
        for name, header in SECTIONS.items():
            if parts:
                parts.append("\n\n")
                position += 2
            section = cloud_config.get(name)
            start, position = position, position + len(header) + 2
            parts.append(f"[{header}]")
            pieces.append(Piece(start, position, cloud_config.key(name) or key, Span(start, position)))
            for yaml_key, value in _entries(section):
                value_text = printed(value)
                shown = "" if value_text is None else quoted(value_text)
                start = position + 1
                middle = start + len(yaml_key.value) + 3
                position = middle + len(shown)
                line = Span(start, position)
                parts.append(f"\n{yaml_key.value} = {shown}")
                pieces.append(Piece(start, middle - 3, yaml_key, line, yaml_key, value))
                pieces.append(Piece(middle, position, value, line, yaml_key, value))
        self.text = "".join(parts)
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]

    @property
    def pieces(self) -> list[Piece]:
        """The parts that come from a YAML node, in the order of the rendered text."""
        return self._pieces

    def outward(self, span: Span) -> Span:
        """Find the YAML nodes that a place shows; over several entries, all that lies between. See `Layer.outward`."""
        first = self._at(span.start)
        last = self._at(max(span.start, span.end - 1))
        if first is last and first.value is first.node and isinstance(first.node, Scalar):
            return self._in_value(first, first.node, span)
        low, high = _shown(first.node), _shown(last.node)
        return Span(min(low.start, high.start), max(low.end, high.end))

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry changes of values and keys to their YAML scalars, and removed lines to their entries.

        The chart quotes what it prints, so a value that is changed inside or with its quotes gives the same YAML. See
        `Layer.put`.
        """
        by_piece: dict[int, list[Edit]] = {}
        carried: list[Edit] = []
        for edit in sort(edits):
            removed = self._removed_entries(edit)
            if removed is not None:
                carried += removed
                continue
            index = self._index_of(edit)
            by_piece.setdefault(index, []).append(edit)
        for index, changes in by_piece.items():
            piece = self._pieces[index]
            old = self.text[piece.start : piece.end]
            new = apply(old, [Edit(one.start - piece.start, one.end - piece.start, one.text) for one in changes])
            carried += self._renamed(piece, new) if piece.node is piece.key else self._changed(piece, new)
        return sort(carried)

    def _at(self, offset: int) -> Piece:
        return self._pieces[max(bisect_right(self._starts, offset) - 1, 0)]

    def _in_value(self, piece: Piece, node: Scalar, span: Span) -> Span:
        """A place in a value, character by character where the YAML and the rendered text say it alike."""
        shown = self.text[piece.start + 1 : piece.end - 1]
        layer = scalar_layer(node, self._outer)
        start, end = span.start - piece.start - 1, span.end - piece.start - 1
        if not layer.exact or layer.text != shown or start < 0 or end > len(shown):
            return _shown(node)
        return layer.outward(Span(start, end))

    def _index_of(self, edit: Edit) -> int:
        """The key or value that a change lies in, its ends included."""
        index = max(bisect_right(self._starts, edit.start) - 1, 0)
        for number in (index, index - 1):
            piece = self._pieces[number]
            if number >= 0 and piece.key is not None and piece.start <= edit.start and edit.end <= piece.end:
                return number
        raise CannotEdit("the chart renders this text from several values; change them by hand")

    def _renamed(self, piece: Piece, new: str) -> list[Edit]:
        node = piece.node
        if not isinstance(node, Scalar) or not _PLAIN_KEY.match(new):
            raise CannotEdit("this cannot be a key of the chart's values")
        return list(scalar_layer(node, self._outer).put([Edit(0, len(node.value), new)]))

    def _changed(self, piece: Piece, new: str) -> list[Edit]:
        node = piece.node
        if not isinstance(node, Scalar):
            raise CannotEdit("the value is a list or a map; change it by hand")
        value = _unquoted(new)
        layer = scalar_layer(node, self._outer)
        if not layer.exact:
            raise CannotEdit("the value is written over several lines; change it by hand")
        carried = list(layer.put([Edit(0, len(layer.text), value)]))
        if node.style == "plain" and _as_plain(value) != value:
            carried = [Edit(*node.content, ("" if layer.text else " ") + quote(value))]
        return carried

    def _removed_entries(self, edit: Edit) -> list[Edit] | None:
        """The YAML lines of an entry whose whole line a change removes."""
        if edit.text.strip("\n") or edit.end <= edit.start:
            return None
        entries = [
            piece
            for piece in self._pieces[bisect_right(self._starts, edit.start - 1) :]
            if piece.key is piece.node and piece.start < edit.end
        ]
        if not entries or entries[0].start > edit.start + 1 or entries[-1].line.end > edit.end:
            return None
        if self.text[edit.start : edit.end].strip("\n") != self.text[entries[0].start : entries[-1].line.end]:
            return None
        return [self._removed(piece) for piece in entries]

    def _removed(self, piece: Piece) -> Edit:
        outer = self._outer
        key, value = piece.key, piece.value
        if key is None or not isinstance(value, Scalar) or value.style in ("literal", "folded"):
            raise CannotEdit("the value is a list, a map or a block; remove it by hand")
        start = outer.rfind("\n", 0, key.span.start) + 1
        end = outer.find("\n", value.span.end)
        end = len(outer) if end < 0 else end
        rest = outer[value.span.end : end].strip()
        if not _BLOCK_ENTRY.match(outer[start : key.span.start]) or (rest and not rest.startswith("#")):
            raise CannotEdit("the entry shares its line with others; remove it by hand")
        return Edit(start, min(end + 1, len(outer)), "")


def _entries(section: Node | None) -> list[tuple[Scalar, Node]]:
    """A section's entries as Go's templates range over them: by their keys, the last of two equal ones."""
    if not isinstance(section, Mapping):
        return []
    return [pair for _, pair in sorted({key.value: (key, value) for key, value in section.items}.items())]


def _shown(node: Node) -> Span:
    """A node's place for people: a map or a list without what libyaml counts to it up to the next token."""
    span = node.content
    text = node.document.text
    if isinstance(node, Scalar) and node.style not in ("literal", "folded"):
        return span
    return Span(span.start, span.start + len(text[span.start : span.end].rstrip()))


def _unquoted(shown: str) -> str:
    """The value of a rendered text, quoted or not, as gcfg would read it."""
    text = shown.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return _UNESCAPED.sub(lambda match: _UNESCAPES.get(match[1], match[1]), text[1:-1])
    if '"' in text or "\\" in text or "\n" in text:
        raise CannotEdit("this value cannot be carried to the chart's values; change it by hand")
    return text


def _as_plain(value: str) -> str | None:
    from ccmcheck.carriers.go_values import printed_scalar
    from ccmcheck.yamlio.meaning import resolve

    meant = resolve(value)
    return meant if isinstance(meant, str) else printed_scalar(meant)
