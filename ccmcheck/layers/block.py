"""Literal block scalars (``|``): the text is written line by line, only indented."""

from __future__ import annotations

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers import block_text
from ccmcheck.layers.base import Lens, must_escape
from ccmcheck.layers.block_text import BlockText
from ccmcheck.layers.line_map import LineMap

_BLANKS_AT_END = lazy_regex(r" ++\Z")  # libyaml omits them from the span, where no line end follows


class _Layout(NamedTuple):
    """The block's lines, and how they correspond to those of its text; offsets outside count from its ``|``."""

    block: BlockText
    lines: LineMap
    indent: int


class LiteralBlock(Lens):
    """A literal block scalar.

    The layout of the lines is computed when the first place is mapped: most texts have no finding.

    Args:
        outer: The text around.
        span: The scalar from its ``|``, up to the next token.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_is_read", "_layout", "_outer", "_span", "locked", "text")
    kind = "literal block"

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        self._outer = outer
        blanks = _BLANKS_AT_END.match(outer, span.end)
        self._span = Span(span.start, blanks.end()) if blanks else span
        self.text = text
        self.locked = locked
        self._is_read = False
        self._layout: _Layout | None = None

    @property
    def exact(self) -> bool:
        """True unless the block has line ends that only YAML's own reader knows; see `Layer.exact`."""
        return self._read() is not None

    def outward(self, span: Span) -> Span:
        """Map a place; over several lines it includes the indentation between them. See `Layer.outward`."""
        layout = self._read()
        if layout is None:
            return self._span
        start, end = layout.lines.outward(span)
        return Span(start + self._span.start, end + self._span.start)

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry the changes outward line by line, new lines with the block's indentation; see `Lens.carried`."""
        layout = self._read()
        if layout is None:
            raise CannotEdit("the block scalar has unusual line ends")
        if not layout.block.guessed and not self.text.strip("\n"):
            raise CannotEdit("the block scalar is empty and has an indentation indicator")
        changed = apply(self.text, ordered)
        if must_escape(changed).search(changed):
            raise CannotEdit("a block scalar cannot hold the new text")
        carried = sort(layout.lines.carried(ordered, lambda _: " " * layout.indent))
        start, end = self._span
        after = apply(self._outer[start:end], carried)
        if end < len(self._outer) and not after.endswith("\n"):  # the next line must stay on its own line
            carried[-1] = carried[-1]._replace(text=carried[-1].text + layout.block.newline)
            after += layout.block.newline
        if BlockText(after).value(layout.indent) != changed:
            raise CannotEdit("the block scalar's indentation or its end cannot hold the new text")
        return [Edit(edit.start + start, edit.end + start, edit.text) for edit in carried]

    def _read(self) -> _Layout | None:
        if not self._is_read:
            self._is_read = True
            self._layout = self._compute_layout()
        return self._layout

    def _compute_layout(self) -> _Layout | None:
        start, end = self._span
        block = block_text.read(self._outer[start:end])
        if block is None:
            return None
        line_start = self._outer.rfind("\n", 0, start) + 1
        line = self._outer[line_start:start]
        indent = block.indent(self.text, len(line) - len(line.lstrip(" -?:")))
        if block.value(indent) != self.text:
            return None
        lines = LineMap(
            self.text, block.lines, block.starts, lambda line: min(indent, len(block.lines[line])), block.newline
        )
        return _Layout(block, lines, indent)
