"""Literal block scalars (``|``): the text stands there line by line, only indented."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ccmcheck.edits import OverlappingEdits, apply, sort
from ccmcheck.errors import CannotEdit
from ccmcheck.layers.base import NEEDS_ESCAPE
from ccmcheck.model import Edit, Span

_HEADER = re.compile(r"\|(?P<signs>[+\-1-9]{0,2})[^\n]*+(?P<end>\n|\Z)")
_PARENT = re.compile(r"[ \-?:]*+")
_STRANGE_BREAK = re.compile(r"[\x85\u2028\u2029]|\r(?!\n)")
_MARKER = re.compile(r"(?:\A|\n)(?:---|\.\.\.)(?:\s|\Z)")


class Line(NamedTuple):
    """One line of the block in the text around.

    Attributes:
        start: Its first column.
        content: Where its text starts, after the indentation; its end where it is blank and shorter than that.
        end: Where its text ends, before the line end.
        next: Where the next line starts.
    """

    start: int
    content: int
    end: int
    next: int


class _Layout(NamedTuple):
    lines: list[Line]
    starts: list[int]  # of each line inside
    indent: int
    newline: str


class LiteralBlock:
    """A literal block scalar.

    Where each line is gets worked out when the first place is asked for: most texts are right, and nobody asks.

    Args:
        outer: The text around.
        span: The scalar from its ``|``, up to the next token.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_layout", "_locked", "_outer", "_span", "text")
    kind = "literal block"

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        self._outer = outer
        self._span = span
        self.text = text
        self._locked = locked
        self._layout: _Layout | bool = False

    @property
    def exact(self) -> bool:
        """True unless the block has line ends that only YAML's own reader knows; see `Layer.exact`."""
        return self._read() is not None

    def outward(self, span: Span) -> Span:
        """Find the place; over several lines it holds the indentation between them. See `Layer.outward`."""
        layout = self._read()
        if layout is None:
            return self._span
        start = self._offset(layout, span.start)
        if span.end <= span.start:
            return Span(start, start)
        line = bisect_right(layout.starts, span.end) - 1
        at_line_start = layout.starts[line] == span.end
        return Span(start, layout.lines[line].start if at_line_start else self._offset(layout, span.end))

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
        changed = apply(self.text, ordered)
        if NEEDS_ESCAPE.search(changed):
            raise CannotEdit("a block scalar cannot hold the new text")
        try:
            carried = sort(self._carry(edit, layout) for edit in self._apart(ordered, layout))
        except OverlappingEdits as error:
            raise CannotEdit("the block scalar's lines overlap in this change") from error
        start, end = self._span
        after = apply(self._outer[start:end], [Edit(e.start - start, e.end - start, e.text) for e in carried])
        if _value(after, layout.indent) != changed or (layout.indent == 0 and _MARKER.search(changed)):
            raise CannotEdit("the block scalar's indentation or its end cannot hold the new text")
        return carried

    def _offset(self, layout: _Layout, offset: int) -> int:
        index = bisect_right(layout.starts, offset) - 1
        return layout.lines[index].content + offset - layout.starts[index]

    def _apart(self, edits: list[Edit], layout: _Layout) -> list[Edit]:
        """Join changes that meet on one line, so that each line's indentation is decided once."""
        apart: list[Edit] = []
        for edit in edits:
            if apart:
                before = apart[-1]
                line = bisect_right(layout.starts, edit.start)
                if bisect_right(layout.starts, before.end) == line:
                    text = before.text + self.text[before.end : edit.start] + edit.text
                    apart[-1] = Edit(before.start, edit.end, text)
                    continue
            apart.append(edit)
        return apart

    def _carry(self, edit: Edit, layout: _Layout) -> Edit:
        """Carry one change: decide whether it begins and ends at a line's first column or within a line."""
        starts, lines = layout.starts, layout.lines
        indent = " " * layout.indent
        first = bisect_right(starts, edit.start) - 1
        last = bisect_right(starts, edit.end) - 1
        new = edit.text.split("\n")
        begins_line = edit.start == starts[first]
        ends_line = edit.end == starts[last] and (not new[-1] and (len(new) > 1 or begins_line))
        rest = self._rest_of_line(edit.end, last, starts)
        pieces = [
            (indent if piece or (number == len(new) - 1 and rest and not ends_line) else "") + piece
            for number, piece in enumerate(new)
        ]
        if not begins_line:
            pieces[0] = new[0]
            start = lines[first].content + edit.start - starts[first]
        else:
            start = lines[first].start
        if ends_line:
            pieces[-1] = ""
            end = lines[last].start
        else:
            end = lines[last].content + edit.end - starts[last]
        text = layout.newline.join(pieces)
        if begins_line and text.startswith(indent) and end >= start + layout.indent <= lines[first].content:
            start += layout.indent  # the indentation is there already
            text = text[layout.indent :]
        return Edit(start, end, text)

    def _rest_of_line(self, offset: int, line: int, starts: list[int]) -> bool:
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(self.text)
        return end > offset

    def _read(self) -> _Layout | None:
        if self._layout is False:
            self._layout = self._lay_out() or True
        return self._layout if isinstance(self._layout, _Layout) else None

    def _lay_out(self) -> _Layout | None:
        start, end = self._span
        raw = self._outer[start:end]
        header = _HEADER.match(raw)
        if header is None or _STRANGE_BREAK.search(raw):
            return None
        lines = _lines(raw, header.end())
        indent = self._indent(raw, lines)
        if _value(raw, indent) != self.text:
            return None
        starts = [0]
        for piece in self.text.split("\n")[:-1]:
            starts.append(starts[-1] + len(piece) + 1)
        placed = [
            Line(
                line_start + start,
                min(line_start + indent, line_end) + start,
                line_end + start,
                next_start + start,
            )
            for line_start, line_end, next_start in lines
        ]
        newline = "\r\n" if raw[: header.end()].endswith("\r\n") else "\n"
        return _Layout(placed, starts, indent, newline)

    def _indent(self, raw: str, lines: list[tuple[int, int, int]]) -> int:
        """Find the indentation by what YAML's reader made of the first line that is not blank.

        An indentation indicator counts from the parent's column, which cannot be seen from here.
        """
        blank = 0
        for (start, end, _), inside in zip(lines, self.text.split("\n"), strict=False):
            line = raw[start:end]
            if inside or line.strip(" "):
                return len(line) - len(inside)
            blank = max(blank, len(line))
        if blank:
            return blank
        line_start = self._outer.rfind("\n", 0, self._span.start) + 1
        parent = _PARENT.match(self._outer, line_start, self._span.start)
        return (parent.end() - line_start if parent else 0) + 2


def _lines(raw: str, position: int) -> list[tuple[int, int, int]]:
    r"""Cut into lines: start, end without ``\n`` or ``\r\n``, start of the next. The last one may be empty."""
    lines: list[tuple[int, int, int]] = []
    while (end := raw.find("\n", position)) >= 0:
        lines.append((position, end - 1 if end > position and raw[end - 1] == "\r" else end, end + 1))
        position = end + 1
    lines.append((position, len(raw), len(raw)))
    return lines


def _value(raw: str, indent: int) -> str | None:
    """Read a literal block as YAML does, None where it would not be one."""
    header = _HEADER.match(raw)
    if header is None:
        return None
    signs = header["signs"]
    guessed = not any(sign.isdigit() for sign in signs)
    margin = " " * indent
    inside: list[str] = []
    lines = _lines(raw, header.end())
    for start, end, _ in lines:
        line = raw[start:end]
        if line.startswith(margin):
            inside.append(line[indent:])
        elif line.strip(" "):
            return None
        else:
            inside.append("")
    if guessed:
        first = next((line for line in inside if line), "")
        if first.startswith((" ", "\t")):
            return None
    value = "\n".join(inside)
    stripped = value.rstrip("\n")
    if "+" in signs:
        return value
    if "-" in signs or not stripped:
        return stripped
    return value[: len(stripped) + 1]
