"""A text in which a backslash escapes some characters, as in a shell's heredoc and between its double quotes."""

from __future__ import annotations

import re

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.segments import Replaced


class Unescaped(Replaced):
    r"""The text as the shell writes it: ``\$`` is ``$``, and a backslash before a line end joins two lines.

    Args:
        outer: The text with its escapes.
        special: The characters that a backslash escapes; it stands for itself before all others.
    """

    __slots__ = ("_outer", "_special")
    kind = "shell text"

    def __init__(self, outer: str, special: str) -> None:
        self._outer = outer
        self._special = re.escape(special)
        escapes = re.finditer(rf"\\([{self._special}\\\n])", outer)
        super().__init__(outer, ((Span(*match.span()), match[1].strip("\n")) for match in escapes))

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry the changes outward, each escaped; see `Lens.carried`."""
        carried: list[Edit] = []
        for edit in ordered:
            span = self.outward(Span(edit.start, edit.end))
            carried.append(Edit(*span, re.sub(rf"([{self._special}\\])", r"\\\1", edit.text)))
        after = re.sub(rf"\\([{self._special}\\\n])", lambda match: match[1].strip("\n"), apply(self._outer, carried))
        if after != apply(self.text, ordered):
            raise CannotEdit("the shell would read the new text in another way")
        return carried
