"""Writes values with places as YAML, as a layer on the text that they come from.

The YAML is for ccmcheck itself: what reads manifests reads it as it reads a file, and what it says about a place of it
is said about the place where the value is set.
"""

from __future__ import annotations

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.layers.base import must_escape
from ccmcheck.layers.composed import Composed, ComposedPiece
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree
from ccmcheck.yamlio import TemplateMark

MOST_WRITTEN = 16 * 1024 * 1024
"""Characters of one object; Kubernetes stores none above 1.5 MB."""
_STEP = 2
_UNKNOWN = "unknown"
_PLAIN_NAME = lazy_regex(r"[A-Za-z][A-Za-z0-9_./-]*\Z")
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class PlacedWriter:
    """Values as YAML.

    Attributes:
        layer: The YAML, as a layer on the text around.
        unknown: The unknown values, as marks of a template.
    """

    __slots__ = ("layer", "unknown")

    def __init__(self, layer: Composed, unknown: list[TemplateMark]) -> None:
        self.layer = layer
        self.unknown = unknown


def write(tree: Map, outer: str) -> PlacedWriter:
    """Write a mapping as a YAML document.

    Args:
        tree: The mapping.
        outer: The text around, in which its places count.

    Raises:
        TooLarge: That is too much text.
    """
    writer = _Writer(outer)
    writer.mapping(tree, 0)
    text = "".join(writer.parts)
    return PlacedWriter(Composed(outer, text, writer.pieces), writer.unknown)


class _Writer:
    def __init__(self, outer: str) -> None:
        self.parts: list[str] = []
        self.pieces: list[ComposedPiece] = []
        self.unknown: list[TemplateMark] = []
        self._outer = outer
        self._length = 0

    def mapping(self, tree: Map, indent: int, *, inline: bool = False) -> None:
        """Write a mapping's lines; inline where the first goes on a line that is begun."""
        for number, (name, value) in enumerate(tree.items()):
            if indent and (number or not inline):
                self._add(" " * indent)
            self._name(name, tree.names.get(name))
            self._value(value, indent)

    def _value(self, tree: Tree, indent: int) -> None:
        """Write what is behind the name of a field."""
        if isinstance(tree, Leaf):
            self._add(": ")
            self._leaf(tree, indent)
        elif not tree:
            self._add(": {}\n" if isinstance(tree, Map) else ": []\n")
        elif isinstance(tree, Map):
            self._add(":\n")
            self.mapping(tree, indent + _STEP)
        else:
            self._add(":\n")
            self._sequence(tree, indent)

    def _sequence(self, items: List, indent: int) -> None:
        for item in items:
            self._add(" " * indent + "- ")
            if isinstance(item, Leaf):
                self._leaf(item, indent)
            elif isinstance(item, Map) and item:
                self.mapping(item, indent + _STEP, inline=True)
            elif isinstance(item, List) and item:
                self._add("\n")
                self._sequence(item, indent + _STEP)
            else:
                self._add("{}\n" if isinstance(item, Map) else "[]\n")

    def _name(self, name: str, place: Span | None) -> None:
        raw = self._outer[place.start : place.end] if place is not None else ""
        if place is not None and raw.strip("\"'") == name and "\n" not in raw:
            self._piece(raw, place, verbatim=True)
        else:
            text = name if _PLAIN_NAME.match(name) else _quoted(name)
            if place is not None:
                self._piece(text, place, verbatim=False)
            else:
                self._add(text)

    def _leaf(self, leaf: Leaf, indent: int) -> None:
        if leaf.unknown:
            self._unknown(leaf)
        elif leaf.raw:
            self._piece(leaf.raw, leaf.place, verbatim=True)
        elif leaf.value is None:
            self._piece("null", leaf.place, verbatim=False)
        elif "\n" in leaf.text and "\r" not in leaf.text and not must_escape(leaf.text).search(leaf.text):
            self._block(leaf, indent)
            return
        elif isinstance(leaf.value, str):
            line = leaf.lines[0] if len(leaf.lines) == 1 else None
            quoted = _quoted(leaf.text)
            if line is not None and line.end - line.start == len(leaf.text) and quoted == f'"{leaf.text}"':
                self._add('"')
                self._piece(leaf.text, Span(line.outer, line.outer + len(leaf.text)), verbatim=True)
                self._add('"')
            else:
                self._piece(quoted, leaf.place, verbatim=False)
        else:
            self._piece(
                str(leaf.value).lower() if isinstance(leaf.value, bool) else leaf.text, leaf.place, verbatim=False
            )
        self._add("\n")

    def _unknown(self, leaf: Leaf) -> None:
        start = self._length
        self._piece(leaf.raw or _UNKNOWN, leaf.place, verbatim=False)
        self.unknown.append(TemplateMark(Span(start, self._length), "braces"))

    def _block(self, leaf: Leaf, indent: int) -> None:
        text = leaf.text
        chomping = "-" if not text.endswith("\n") else "+" if text.endswith("\n\n") or not text.strip("\n") else ""
        self._add(f"|{_STEP}{chomping}\n")
        by_start = {line.start: line for line in leaf.lines}
        start = 0
        body = text.removesuffix("\n")
        for line in body.split("\n"):
            if line:
                self._add(" " * (indent + _STEP))
                known = by_start.get(start)
                if known is not None and known.end - known.start == len(line):
                    self._piece(line, Span(known.outer, known.outer + len(line)), verbatim=True)
                else:
                    self._piece(line, leaf.place, verbatim=False)
            self._add("\n")
            start += len(line) + 1

    def _piece(self, text: str, outer: Span, *, verbatim: bool) -> None:
        start = self._length
        self._add(text)
        self.pieces.append(ComposedPiece(start, self._length, outer, verbatim))

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)
        if self._length > MOST_WRITTEN:
            raise TooLarge("an object that a kustomization builds is too large")


def _quoted(text: str) -> str:
    escaped = "".join(_ESCAPED.get(letter, letter) for letter in text)
    pattern = must_escape(escaped)
    if not pattern.search(escaped):
        return f'"{escaped}"'
    return '"' + pattern.sub(lambda match: "".join(f"\\U{ord(letter):08x}" for letter in match[0]), escaped) + '"'
