"""One text on the way inward: the file, what a scalar of it holds, what that decodes to, and so on.

A level knows how it was reached (its stack of layers) and which places of it are template marks. Where a layer is
entered the marks go along: YAML and gcfg read the text with its marks masked, people see it as it was written.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers import Masked, Variables, scalar_layer
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.layers import Layer
    from ccmcheck.yamlio import Mark, Node, Scalar


class Level(NamedTuple):
    """One text and how it was reached.

    Attributes:
        stack: The layers around it; ``stack.inner`` is the text, marks masked.
        written: The same text with its marks as written.
        marks: The marks in it, in order.
        final: False where something renders the text later.
        route: The objects on the way, outermost first, for people.
        depth: How many texts lie around it.
    """

    stack: Stack
    written: str
    marks: tuple[Span, ...] = ()
    final: bool = True
    route: tuple[str, ...] = ()
    depth: int = 0

    @property
    def text(self) -> str:
        """The text that YAML and gcfg read."""
        return self.stack.inner

    def within(self, span: Span) -> tuple[Span, ...]:
        """The marks of this level that overlap a place."""
        marks = self.marks
        if not marks:
            return ()
        first = bisect_left(marks, span.start, key=_end)
        while first < len(marks) and marks[first].end <= span.start:
            first += 1
        last = first
        while last < len(marks) and marks[last].start < span.end:
            last += 1
        return marks[first:last]

    def has_mark(self, node: Node) -> bool:
        """Whether a template mark is a part of a node."""
        return bool(self.marks) and bool(self.within(node.content))

    def said(self, node: Scalar) -> str:
        """A scalar's text for people, its marks as written."""
        if not self.has_mark(node):
            return node.value
        start, end = node.content
        return self.written[start:end].strip("\"'")

    def inside(self, node: Scalar) -> Level:
        """Enter a scalar.

        Args:
            node: A scalar of this level's text.
        """
        layer = scalar_layer(node, self.text)
        found = self.within(node.content)
        stack = self.stack.push(layer)
        if not found:
            return self._replace(stack=stack, written=layer.text, marks=(), depth=self.depth + 1)
        marks, written = _inward(layer, found, self.written)
        return self._replace(stack=stack, written=written, marks=marks, final=False, depth=self.depth + 1)

    def through(self, layer: Layer, *, final: bool | None = None) -> Level:
        """Enter a layer that has no marks of its own: what base64 holds, or a part of the text as it stands.

        Args:
            layer: A lens on this level's text.
            final: Whether something renders the text inside; as for this level when None.
        """
        found: tuple[Span, ...] = ()
        written = layer.text
        if self.marks and layer.exact:
            found, written = _inward(layer, self.within(layer.outward(Span(0, len(layer.text)))), self.written)
        kept = self.final if final is None else final
        return self._replace(
            stack=self.stack.push(layer), written=written, marks=found, final=kept and not found, depth=self.depth + 1
        )

    def masked(self, *, with_shell: bool = False) -> Level:
        """Mask the template marks of a text that has not been looked through for them yet; it is not final then.

        Args:
            with_shell: Whether ``$VAR`` is one too.
        """
        found = template_marks.find(self.text, shell=with_shell)
        return self.masking(found)._replace(final=False) if found else self

    def masking(self, found: list[Mark]) -> Level:
        """Mask some template marks.

        Args:
            found: The marks, in order.
        """
        layer = Masked(self.text, found)
        return self._replace(stack=self.stack.push(layer), marks=tuple(mark.span for mark in found))


def _end(span: Span) -> int:
    return span.end


def _inward(layer: Layer, found: tuple[Span, ...], written: str) -> tuple[tuple[Span, ...], str]:
    """Carry marks into a layer.

    Args:
        layer: What is entered.
        found: The marks of the text around that overlap it.
        written: The text around with its marks as written.

    Returns:
        The marks inside, and the text inside with its marks as written.
    """
    text = layer.text
    if not layer.exact:
        return (Span(0, len(text)),) if found else (), text
    marks: list[Span] = []
    pieces: list[str] = []
    position = 0
    for outer in found:
        start = max(_offset(layer, outer.start), position)
        end = _offset(layer, outer.end)
        if end <= start:
            continue
        marks.append(Span(start, end))
        pieces += (text[position:start], _as_written(layer, text, start, end, written))
        position = end
    pieces.append(text[position:])
    return tuple(marks), "".join(pieces)


def _offset(layer: Layer, outer: int) -> int:
    """The first offset inside whose place outside is not before an offset there; places keep their order."""
    low, high = 0, len(layer.text)
    while low < high:
        middle = (low + high) // 2
        if layer.outward(Span(middle, middle)).start < outer:
            low = middle + 1
        else:
            high = middle
    return low


def _as_written(layer: Layer, text: str, start: int, end: int, written: str) -> str:
    """A mark inside as it is written outside, line by line; the mask where they are not of one length."""
    pieces: list[str] = []
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        low, high = layer.outward(Span(start, stop)) if stop > start else (0, 0)
        pieces.append(written[low:high] if high - low == stop - start else text[start:stop])
        if stop < end:
            pieces.append("\n")
            stop += 1
        start = stop
    return "".join(pieces)


def substituted(text: str, values: Mapping[str, str]) -> tuple[Variables, list[Mark]] | None:
    """Replace the variables of a template, as clusterctl's envsubst does.

    A variable without a value gets its default (``${NAME:=default}``); without that it stays a mark.

    Args:
        text: The template.
        values: By the variables' names.

    Returns:
        The layer and the marks that are left in its text; None where nothing is replaced.
    """
    found = template_marks.find(text)
    replaced: list[tuple[Mark, str]] = []
    kept: list[Mark] = []
    shift = 0
    for mark in found:
        value = values.get(mark.name, mark.default) if mark.name and mark.prints else None
        if value is None:
            kept.append(mark._replace(span=Span(mark.span.start + shift, mark.span.end + shift)))
        else:
            replaced.append((mark, value))
            shift += len(value) - (mark.span.end - mark.span.start)
    return (Variables(text, replaced), kept) if replaced else None
