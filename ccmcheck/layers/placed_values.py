"""Plain data in which every value, and every name of a field, knows its place in the text that it was read from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ccmcheck.base.errors import BadYaml, TooLarge
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, documents, kubernetes_scalar, values_of

MOST_VALUES = 100_000
"""Values of one object with its aliases expanded; a manifest has hundreds."""
_TEXT_A_VALUE = 100
"""Characters of a text that count as one more value: ten aliases of a text of a megabyte are read, no hundred."""
_DEEPEST = 64
_SINGLE_LINE = frozenset({"plain", "single", "double"})
_MERGE_KEY = "<<"


class Line(NamedTuple):
    """A part of a value that stands in the text around as it is.

    Attributes:
        start: Where it starts in the value.
        end: Where it ends there.
        outer: Where it starts in the text around.
    """

    start: int
    end: int
    outer: int


def _start(line: Line) -> int:
    return line.start


class Leaf:
    """One scalar.

    Attributes:
        value: What Kubernetes reads: a text, a number, a bool, or None.
        text: The same as a text.
        place: Where it is set.
        raw: How it is written, where a copy of that has the same value: in one line.
        lines: The parts of ``text`` that stand there as they are.
        unknown: Whether its value is unknown.
    """

    __slots__ = ("lines", "place", "raw", "text", "unknown", "value")

    def __init__(
        self,
        value: object,
        text: str,
        place: Span,
        raw: str = "",
        lines: tuple[Line, ...] = (),
        *,
        unknown: bool = False,
    ) -> None:
        self.value = value
        self.text = text
        self.place = place
        self.raw = raw
        self.lines = lines
        self.unknown = unknown

    def clone(self) -> Leaf:
        """The same scalar as another object."""
        return Leaf(self.value, self.text, self.place, self.raw, self.lines, unknown=self.unknown)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Leaf):
            return not self.unknown and not other.unknown and self.value == other.value
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Leaf({self.text!r})"


class Map(dict[str, "Tree"]):
    """A mapping.

    Attributes:
        place: Where it is.
        names: Where the names of its fields are.
    """

    __slots__ = ("names", "place")

    def __init__(self, place: Span) -> None:
        super().__init__()
        self.place = place
        self.names: dict[str, Span] = {}

    def put(self, name: str, value: Tree, place: Span | None = None) -> None:
        """Set a field whose name stands somewhere."""
        if place is not None and name not in self:
            self.names[name] = place
        self[name] = value


class List(list["Tree"]):
    """A sequence and its place."""

    __slots__ = ("place",)

    def __init__(self, place: Span) -> None:
        super().__init__()
        self.place = place


Tree: TypeAlias = Leaf | Map | List


def copied(tree: Tree, *, anew: bool = False) -> Tree:
    """A copy whose mappings and sequences may be changed.

    Args:
        tree: The values.
        anew: Whether the scalars are copied too, which tell by their identity that several fields share one.
    """
    if isinstance(tree, Map):
        new = Map(tree.place)
        new.names.update(tree.names)
        for name, value in tree.items():
            new[name] = copied(value, anew=anew)
        return new
    if isinstance(tree, List):
        items = List(tree.place)
        items.extend(copied(item, anew=anew) for item in tree)
        return items
    return tree.clone() if anew else tree


def size_of(tree: Tree) -> tuple[int, int]:
    """How many values there are in a tree, itself counted, and how deep they lie: 0 for a scalar."""
    count, depth, level = 0, -1, [tree]
    while level:
        count, depth = count + len(level), depth + 1
        below: list[Tree] = []
        for one in level:
            if isinstance(one, Map):
                below += one.values()
            elif isinstance(one, List):
                below += one
        level = below
    return count, depth


def line_at(leaf: Leaf, place: int) -> Line | None:
    """The line of a text, of those that stand in the text around, that a place is in."""
    at = bisect_right(leaf.lines, place, key=_start) - 1
    return leaf.lines[at] if at >= 0 and place <= leaf.lines[at].end else None


def plain(tree: Tree) -> object:
    """The data without places."""
    if isinstance(tree, Map):
        return {name: plain(value) for name, value in tree.items()}
    if isinstance(tree, List):
        return [plain(item) for item in tree]
    return tree.value


def at(tree: Tree | None, *names: str) -> Tree | None:
    """What is at a path of fields; None where there is nothing."""
    for name in names:
        tree = tree.get(name) if isinstance(tree, Map) else None
    return tree


def text_at(tree: Tree | None, *names: str) -> str:
    """The text at a path of fields; empty where there is none, or it is unknown."""
    found = at(tree, *names)
    return found.text if isinstance(found, Leaf) and not found.unknown and found.value is not None else ""


class PlacedReader:
    """Reads the nodes of one text.

    Args:
        text: The text.
        base: Where the text begins in the text around, in which all places count.
        unknown: Whether a scalar's value is unknown, as a template's mark makes it.
    """

    def __init__(self, text: str, base: int = 0, unknown: Callable[[Scalar], bool] | None = None) -> None:
        self._text = text
        self._base = base
        self._unknown = unknown
        self._left = MOST_VALUES

    def try_read(self, node: YamlNode) -> Tree | None:
        """The same as `read`; None where it has too many values, or lies too deep."""
        try:
            return self.read(node)
        except TooLarge:
            return None

    def read(self, node: YamlNode, depth: int = 0) -> Tree:
        """Read a node with all below it, aliases and merge keys expanded.

        Raises:
            TooLarge: It has too many values, or lies too deep.
        """
        if not depth:
            self._left = min(self._left, values_of(node.span.end - node.span.start))
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise TooLarge("an object has too many values, or too deep ones")
        if isinstance(node, Scalar):
            self._left -= len(node.value) // _TEXT_A_VALUE
            return self._leaf(node)
        place = self._span(node.content)
        if isinstance(node, Sequence):
            items = List(place)
            items.extend(self.read(item, depth + 1) for item in node.items)
            return items
        found = Map(place)
        names = found.names
        merged: list[Tree] = []
        for key, value in node.items if isinstance(node, Mapping) else ():
            name = key.value
            if name == _MERGE_KEY:
                merged.append(self.read(value, depth + 1))
                continue
            if name not in found:
                names[name] = self._span(key.content)
            found[name] = self.read(value, depth + 1)
        sources = [source for other in merged for source in (other if isinstance(other, List) else (other,))]
        for source in [source for source in sources if isinstance(source, Map)]:
            for name, inherited in source.items():
                if name not in found:
                    found.put(name, copied(inherited), source.names.get(name))
        return found

    def _span(self, span: Span) -> Span:
        base = self._base
        return Span(span.start + base, span.end + base) if base else span

    def _leaf(self, node: Scalar) -> Leaf:
        content = node.content
        start, end = content
        text, value, style = node.value, kubernetes_scalar(node), node.style
        raw = self._text[start:end]
        is_bare = start == node.start
        unknown = self._unknown is not None and self._unknown(node)
        one_line = is_bare and style in _SINGLE_LINE and "\n" not in raw and "\r" not in raw
        lines: tuple[Line, ...] = ()
        if not unknown:
            # most scalars are written as they are read
            lines = (Line(0, len(text), start + self._base),) if raw == text else tuple(self._lines(node, text))
        return Leaf(value, text, self._span(content), raw if one_line else "", lines, unknown=unknown)

    def _lines(self, node: Scalar, text: str) -> Iterator[Line]:
        """The lines of a scalar that stand in the text around as they are."""
        layer = scalar_layer(node, self._text)
        if not layer.exact:
            return
        at_line = 0
        for line in text.split("\n"):
            outer = layer.outward(Span(at_line, at_line + len(line)))
            if self._text[outer.start : outer.end] == line:
                yield Line(at_line, at_line + len(line), outer.start + self._base)
            at_line += len(line) + 1


def made(text: str, place: Span) -> Leaf:
    """A text that is made from what stands somewhere."""
    return Leaf(text, text, place)


def part(leaf: Leaf, start: int, end: int) -> Leaf:
    """A part of a text as a text of its own."""
    text = leaf.text[start:end]
    first = max(bisect_right(leaf.lines, start, key=_start) - 1, 0)
    last = bisect_right(leaf.lines, end, key=_start)
    lines = tuple(
        Line(max(line.start, start) - start, min(line.end, end) - start, line.outer + max(start - line.start, 0))
        for line in leaf.lines[first:last]
        if line.end >= start
    )
    return Leaf(text, text, leaf.place, lines=lines, unknown=leaf.unknown)


def whole_text(text: str, base: int) -> Leaf:
    """A whole text of the text around as a value."""
    lines = []
    start = 0
    for line in text.split("\n"):
        lines.append(Line(start, start + len(line), base + start))
        start += len(line) + 1
    first = text.find("\n")
    return Leaf(text, text, Span(base, base + (len(text) if first < 0 else first)), lines=tuple(lines))


def moved(tree: Tree, source: Leaf) -> Tree:
    """Values that were read in a text, with their places in the text around it.

    Args:
        tree: The values.
        source: The text.
    """
    if isinstance(tree, Map):
        new = Map(_outer(tree.place, source)[0])
        for name, value in tree.items():
            new[name] = moved(value, source)
        new.names.update({name: _outer(place, source)[0] for name, place in tree.names.items()})
        return new
    if isinstance(tree, List):
        items = List(_outer(tree.place, source)[0])
        items.extend(moved(item, source) for item in tree)
        return items
    place, exact = _outer(tree.place, source)
    lines = tuple(
        line._replace(outer=where[0].start)
        for line in tree.lines
        if (where := _outer(tree.place._replace(start=line.outer, end=line.outer + line.end - line.start), source))[1]
    )
    return Leaf(tree.value, tree.text, place, tree.raw if exact else "", lines, unknown=tree.unknown)


def _outer(span: Span, source: Leaf) -> tuple[Span, bool]:
    line = line_at(source, span.start)
    if line is None:
        return source.place, False
    start = line.outer + span.start - line.start
    end = line.outer + min(span.end, line.end) - line.start
    return span._replace(start=start, end=max(start, end)), span.end <= line.end


def read_within(source: Leaf) -> Tree:
    """What a text holds as YAML, its places those of the text's lines; itself where that is not one document."""
    try:
        (document,) = documents(source.text)
    except ValueError:
        return source
    root = None if isinstance(document, BadYaml) else document.root
    tree = PlacedReader(source.text).try_read(root) if root is not None else None
    return source if tree is None else moved(tree, source)
