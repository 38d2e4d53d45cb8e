"""A text in which a backslash escapes some characters, as in a shell's heredoc and between its double quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.segments import Segments


class Unescaped:
    r"""The text as the shell writes it: ``\$`` is ``$``, and a backslash before a line end joins two lines.

    Args:
        outer: The text with its escapes.
        special: The characters that a backslash escapes; it stands for itself before all others.
    """

    __slots__ = ("_escapes", "_outer", "_segments", "_special", "text")
    kind = "shell text"
    exact = True

    def __init__(self, outer: str, special: str) -> None:
        self._outer = outer
        self._special = special
        self._escapes = re.compile(rf"\\([{re.escape(special)}\\\n])")
        pieces: list[str] = []
        lengths: list[tuple[int, int, bool]] = []
        position = 0
        for match in self._escapes.finditer(outer):
            inner = "" if match[1] == "\n" else match[1]
            pieces += (outer[position : match.start()], inner)
            lengths += ((match.start() - position, match.start() - position, True), (len(inner), 2, False))
            position = match.end()
        pieces.append(outer[position:])
        self.text = "".join(pieces)
        self._segments = Segments(lengths, 0)

    def outward(self, span: Span) -> Span:
        """Find the place; an escape is taken whole. See `Layer.outward`."""
        return self._segments.outward(span)

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry the changes outward, each escaped; see `Layer.put`."""
        ordered = sort(edits)
        if not ordered:
            return []
        carried: list[Edit] = []
        for edit in ordered:
            span = self.outward(Span(edit.start, edit.end))
            carried.append(Edit(span.start, span.end, self._escaped(edit.text)))
        after = apply(self._outer, carried)
        if self._escapes.sub(lambda match: "" if match[1] == "\n" else match[1], after) != apply(self.text, ordered):
            raise CannotEdit("the shell would read the new text in another way")
        return carried

    def _escaped(self, text: str) -> str:
        return re.sub(rf"([{re.escape(self._special)}\\])", r"\\\1", text)
