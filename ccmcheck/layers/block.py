"""Literal block scalars (``|``): the text is written line by line, only indented."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers import block_text
from ccmcheck.layers.base import must_escape
from ccmcheck.layers.block_text import BlockText

_BLANKS_AT_END = lazy_regex(r" ++\Z")  # libyaml omits them from the span, where no line end follows


class _Layout(NamedTuple):
    """How lines inside and outside correspond: one to one, so their numbers are equal."""

    block: BlockText
    starts: list[int]  # of each line inside
    indent: int

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1


class LiteralBlock:
    """A literal block scalar.

    The layout of the lines is computed when the first place is mapped: most texts have no finding.

    Args:
        outer: The text around.
        span: The scalar from its ``|``, up to the next token.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_is_read", "_layout", "_locked", "_outer", "_span", "text")
    kind = "literal block"

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        self._outer = outer
        blanks = _BLANKS_AT_END.match(outer, span.end)
        self._span = Span(span.start, blanks.end()) if blanks else span
        self.text = text
        self._locked = locked
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
        start = self._place(layout, span.start)
        if span.end <= span.start:
            return Span(start, start)
        line = layout.line(span.end)
        if layout.starts[line] == span.end:
            return Span(start, layout.block.starts[line] + self._span.start)
        return Span(start, self._place(layout, span.end))

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry the changes outward line by line, new lines with the block's indentation; see `Layer.put`."""
        ordered = sort(edits)
        if not ordered:
            return []
        if self._locked:
            raise CannotEdit(self._locked)
        layout = self._read()
        if layout is None:
            raise CannotEdit("the block scalar has unusual line ends")
        if not layout.block.guessed and not self.text.strip("\n"):
            raise CannotEdit("the block scalar is empty and has an indentation indicator")
        changed = apply(self.text, ordered)
        if must_escape(changed).search(changed):
            raise CannotEdit("a block scalar cannot hold the new text")
        carried = sort(self._carry(edit, layout) for edit in self._apart(ordered, layout))
        start, end = self._span
        after = apply(self._outer[start:end], carried)
        if end < len(self._outer) and not after.endswith("\n"):  # the next line must stay on its own line
            carried[-1] = carried[-1]._replace(text=carried[-1].text + layout.block.newline)
            after += layout.block.newline
        if BlockText(after).value(layout.indent) != changed:
            raise CannotEdit("the block scalar's indentation or its end cannot hold the new text")
        return [Edit(edit.start + start, edit.end + start, edit.text) for edit in carried]

    def _place(self, layout: _Layout, offset: int) -> int:
        line = layout.line(offset)
        return layout.block.content(line, layout.indent) + offset - layout.starts[line] + self._span.start

    def _apart(self, edits: list[Edit], layout: _Layout) -> list[Edit]:
        """Merge changes that touch one line, so that each line's indentation is decided once."""
        apart = edits[:1]
        for edit in edits[1:]:
            before = apart[-1]
            if layout.line(before.end) == layout.line(edit.start):
                text = before.text + self.text[before.end : edit.start] + edit.text
                apart[-1] = Edit(before.start, edit.end, text)
            else:
                apart.append(edit)
        return apart

    def _carry(self, edit: Edit, layout: _Layout) -> Edit:
        """Carry one change: decide whether it begins and ends at a line's first column or within a line.

        Returns:
            The edit on the block alone: offsets count from its ``|``.
        """
        block, starts = layout.block, layout.starts
        margin = " " * layout.indent
        first, last = layout.line(edit.start), layout.line(edit.end)
        new = edit.text.split("\n")
        begins_line = edit.start == starts[first]
        ends_line = edit.end == starts[last] and not new[-1] and (len(new) > 1 or begins_line)
        line_end = starts[last + 1] - 1 if last + 1 < len(starts) else len(self.text)
        pieces = [margin + piece if piece else "" for piece in new]
        if not pieces[-1] and edit.end < line_end and not ends_line:
            pieces[-1] = margin  # the rest of the old line follows
        if begins_line:
            start = block.starts[first]
        else:
            pieces[0] = new[0]
            start = block.content(first, layout.indent) + edit.start - starts[first]
        end = block.starts[last] if ends_line else block.content(last, layout.indent) + edit.end - starts[last]
        text = block.newline.join(pieces)
        if (
            begins_line
            and text.startswith(margin)
            and end >= start + layout.indent <= block.content(first, layout.indent)
        ):
            start += layout.indent  # the indentation is there already
            text = text[layout.indent :]
        return Edit(start, end, text)

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
        starts = list(accumulate([0, *[len(line) + 1 for line in self.text.split("\n")[:-1]]]))
        return _Layout(block, starts, indent)
