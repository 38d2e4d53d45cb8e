"""Literal block scalars (``|``): the text is written line by line, only indented.

A literal block scalar as it is written: header, lines, indentation.
"""

from __future__ import annotations

from itertools import accumulate, zip_longest

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.base import Lens, must_escape
from ccmcheck.layers.line_map import LineMap

_HEADER = lazy_regex(r"\|([+\-1-9]{0,2})[^\n]*+(?:\n|\Z)")
_STRANGE_BREAK = lazy_regex(r"[\x85\u2028\u2029]|\r(?!\n)")


class BlockText:
    r"""The lines of a literal block.

    Args:
        raw: From the ``|`` to the end of the last line.

    Attributes:
        lines: The lines with their indentation, without ``\n`` or ``\r\n``; the last one is empty where the block ends
            with a line end.
        starts: Where each line starts in ``raw``.
        newline: The line end of the header.
        guessed: Whether the indentation is detected from the lines, because there is no indicator.
        keeps: Whether all line ends at the end count (``|+``).
        strips: Whether none does (``|-``).
    """

    __slots__ = ("guessed", "keeps", "lines", "newline", "starts", "strips")

    def __init__(self, raw: str) -> None:
        header = _HEADER.match(raw)
        signs = header[1] if header else ""
        start = header.end() if header else 0
        self.keeps = "+" in signs
        self.strips = "-" in signs
        self.guessed = not signs.strip("+-")
        self.newline = "\r\n" if raw.startswith("\r", start - 2) else "\n"
        lines = raw[start:].split("\n")
        self.starts = list(accumulate([start, *[len(line) + 1 for line in lines[:-1]]]))
        if "\r" in raw:
            lines = [line.removesuffix("\r") for line in lines]
        self.lines = lines

    def value(self, indent: int) -> str | None:
        """Read the block as YAML does.

        Args:
            indent: Columns of indentation.

        Returns:
            Its text; None where the block would end early or not be read with this indentation.
        """
        margin = " " * indent
        inside = [line[indent:] if line.startswith(margin) else None if line.strip(" ") else "" for line in self.lines]
        if None in inside:
            return None
        texts = [line for line in inside if line]
        if self.guessed and texts and texts[0][0] in " \t":
            return None
        value = "\n".join(line or "" for line in inside)
        if self.keeps:
            return value
        stripped = value.rstrip("\n")
        return stripped if self.strips or not stripped else value[: len(stripped) + 1]

    def indent(self, text: str, parent: int) -> int:
        """The indentation, by the value of the first line that is not blank.

        An indentation indicator counts from the parent's column, which is not known here.

        Args:
            text: The value, as parsed.
            parent: The column of the key before the block, for a block without any text.

        Returns:
            Columns of indentation.
        """
        blank = 0
        for line, inside in zip_longest(self.lines, text.split("\n")):
            if inside:
                return len(line) - len(inside)
            blank = max(blank, len(line))
        return max(blank, parent + 2)


def read(raw: str) -> BlockText | None:
    """Split a literal block into lines.

    Args:
        raw: From the ``|`` to the end of the last line.

    Returns:
        The lines, None where there are line ends that only YAML has (NEL, LS, PS, a lone CR).
    """
    return None if _STRANGE_BREAK.search(raw) else BlockText(raw)


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
        block = read(self._outer[start:end])
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
