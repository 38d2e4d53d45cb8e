"""One text on the way inward: the file, what a scalar of it holds, what that decodes to, and so on.

A source text knows how it was reached (its stack of layers) and which places of it are template marks. Entering a layer
carries the marks along: YAML and gcfg read the text with its marks masked, people see it as it was written.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.span_index import joined_spans
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import Scalar, TemplateMark, YamlNode
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.layers.base import Layer
    from ccmcheck.layers.variables import Variables

_ADDS_NOTHING = lazy_regex(r"\{#|\{\{-?\s*/\*|[{%][{%][-~]?\s*end")
"""A template's comment, and the end of a condition: of the whole object where none begins in it."""


class SourceText(NamedTuple):
    """One text and how it was reached.

    Attributes:
        stack: The layers around it; ``stack.inner`` is the text, marks masked.
        written: The same text with its marks as written.
        marks: The marks in it, in order.
        final: False where something renders the text later: its marks are then not the only places that may change.
        literal: Whether a ``$NAME`` in it is the value itself, as between a shell's single quotes.
        route: The objects on the way, outermost first, for people.
        depth: How many texts lie around it.
    """

    stack: Stack
    written: str
    marks: tuple[Span, ...] = ()
    final: bool = True
    literal: bool = False
    route: tuple[str, ...] = ()
    depth: int = 0

    @property
    def text(self) -> str:
        """The text that YAML and gcfg read."""
        return self.stack.inner

    def marks_in(self, span: Span) -> tuple[Span, ...]:
        """The template marks that overlap a place."""
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

    def has_mark(self, node: YamlNode) -> bool:
        """Whether a template mark is a part of a node."""
        return bool(self.marks) and bool(self.marks_in(node.content))

    def has_lines_of_marks(self, span: Span) -> bool:
        """Whether a line of a span starts with a template mark, so that rendering may add or remove lines there."""
        return bool(self._lines_of_marks(span))

    def _lines_of_marks(self, span: Span) -> list[Span]:
        text, marks = self.written, self.marks_in(span)  # a comment for a mark may begin before it
        return [mark for mark in marks if not text[text.rfind("\n", 0, mark.start) + 1 : mark.start].strip()]

    def may_gain_lines(self, node: YamlNode) -> bool:
        """Whether rendering may add lines to an object, also behind its last one, or take some of them away."""
        rest = self.text.find("\n---", node.content.end)
        span = Span(node.content.start, rest if rest >= 0 else len(self.text))
        return any(not _ADDS_NOTHING.match(self.written, mark.start) for mark in self._lines_of_marks(span))

    def value_of(self, node: Scalar) -> str:
        """A scalar's text for people, its template marks as written."""
        if not self.has_mark(node):
            return node.value
        start, end = node.content
        return self.written[start:end].strip("\"'")

    def enter_scalar(self, node: Scalar) -> SourceText:
        """The text that a scalar of this text holds."""
        layer = scalar_layer(node, self.text)
        marks_around = self.marks_in(node.content)
        stack = self.stack.push(layer)
        if not marks_around:
            return self._replace(stack=stack, written=layer.text, marks=(), depth=self.depth + 1)
        marks, written = _inward(layer, marks_around, self.written)
        return self._replace(stack=stack, written=written, marks=marks, depth=self.depth + 1)

    def enter(self, layer: Layer, *, final: bool | None = None) -> SourceText:
        """The text inside a layer that has no marks of its own: what base64 holds, or a part of the text as it stands.

        Args:
            layer: A lens on this text.
            final: Whether nothing renders the text inside; as for this text when None.
        """
        marks: tuple[Span, ...] = ()
        written = layer.text
        if self.marks and layer.exact:
            marks, written = _inward(layer, self.marks_in(layer.outward(Span(0, len(layer.text)))), self.written)
        inner_final = self.final if final is None else final
        return self._replace(
            stack=self.stack.push(layer), written=written, marks=marks, final=inner_final, depth=self.depth + 1
        )

    def find_and_mask_marks(self) -> SourceText:
        """Mask the template marks of a text that was not searched for them yet."""
        marks = template_marks.find(self.text)
        return self.mask_marks(marks) if marks else self

    def mask_bare_variables(self) -> SourceText:
        """Mask the values that are a ``$VAR``, where something may put a value in its place."""
        marks = template_marks.bare_variables(self.text) if not self.literal else []
        return self.mask_marks(marks) if marks else self

    def mask_marks(self, marks: list[TemplateMark]) -> SourceText:
        """Mask these template marks, which are in the order of the text."""
        from ccmcheck.layers.masked import Masked

        layer = Masked(self.text, marks)
        masked = tuple(mark.span for mark in marks)
        return self._replace(stack=self.stack.push(layer), marks=tuple(sorted({*self.marks, *masked})))

    def mask_references(self, *, tokens: bool = False) -> SourceText:
        """Mask the values that another tool decrypts or looks up; what is final stays so.

        Args:
            tokens: See `ccmcheck.yamlio.references.find`.
        """
        from ccmcheck.yamlio import references

        text = self.text
        found = references.find(text, tokens=tokens)
        hidden = references.metadata(text)
        if hidden is not None:
            found = [mark for mark in found if mark.span.start < hidden.span.start]
        if not found and hidden is None:
            return self
        from ccmcheck.layers.masked import Masked

        layer = Masked(text, [*found, *((hidden,) if hidden is not None else ())])
        return self._replace(
            stack=self.stack.push(layer), marks=joined_spans([*self.marks, *(mark.span for mark in found)])
        )


def _end(span: Span) -> int:
    return span.end


def _inward(layer: Layer, marks_around: tuple[Span, ...], written: str) -> tuple[tuple[Span, ...], str]:
    """Carry marks into a layer.

    Args:
        layer: The layer that is entered.
        marks_around: The marks of the text around that overlap it.
        written: The text around with its marks as written.

    Returns:
        The marks inside, and the text inside with its marks as written.
    """
    text = layer.text
    if not layer.exact:
        return (Span(0, len(text)),) if marks_around else (), text
    marks: list[Span] = []
    pieces: list[str] = []
    position = 0
    for outer in marks_around:
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


def substituted(text: str, values: Mapping[str, str]) -> tuple[Variables, list[TemplateMark]] | None:
    """Replace the variables of a template, as clusterctl's envsubst does.

    A variable without a value gets its default (``${NAME:=default}``); without that it stays a mark.

    Args:
        text: The template.
        values: By the variables' names.

    Returns:
        The layer and the marks that are left in its text; None where nothing is replaced.
    """
    marks = template_marks.find(text)
    replaced: list[tuple[TemplateMark, str]] = []
    remaining: list[TemplateMark] = []
    shift = 0
    for mark in marks:
        value = values.get(mark.name, mark.default) if mark.name and mark.prints else None
        if value is None:
            remaining.append(mark._replace(span=Span(mark.span.start + shift, mark.span.end + shift)))
        else:
            replaced.append((mark, value))
            shift += len(value) - (mark.span.end - mark.span.start)
    if not replaced:
        return None
    from ccmcheck.layers.variables import Variables

    return Variables(text, replaced), remaining
