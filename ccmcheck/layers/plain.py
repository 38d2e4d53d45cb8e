"""Plain scalars: words without quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ccmcheck.edits import apply, sort
from ccmcheck.errors import CannotEdit
from ccmcheck.layers.base import NEEDS_ESCAPE
from ccmcheck.layers.quoted import quote
from ccmcheck.model import Edit, Span
from ccmcheck.yamlio.meaning import resolve

_UNSAFE = re.compile(
    r"""[\s,\[\]{}#&*!|>'"%@`]|[-?:](?:\s|\Z)|---|\.\.\."""  # at the start
    r"""|(?s:.*?)(?:[\t\n]|\s\Z|:\s|:\Z|\s\#)"""  # anywhere
)
_FLOW = frozenset(",[]{}")


class Plain:
    """A plain scalar on one line, or nothing at all where a value is left out.

    Args:
        outer: The text around.
        span: The scalar without anchor and tag.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_locked", "_outer", "_start", "text")
    kind = "plain"
    exact = True

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        self._outer = outer
        self._start = span.start
        self.text = text
        self._locked = locked

    def outward(self, span: Span) -> Span:
        """Shift a place; see `Layer.outward`."""
        return Span(span.start + self._start, span.end + self._start)

    def put(self, edits: Sequence[Edit]) -> list[Edit]:
        """Carry the changes outward, and put quotes around where the result would not be read as text otherwise.

        A value that was a number, a boolean or nothing may become another one without quotes; a text stays a text. See
        `Layer.put`.
        """
        ordered = sort(edits)
        if not ordered:
            return []
        if self._locked:
            raise CannotEdit(self._locked)
        old, start = self.text, self._start
        new = apply(old, ordered)
        if not _can_be_plain(old, new):
            if NEEDS_ESCAPE.search(new) and not new.isprintable() and re.search(r"[\ud800-\udfff]", new):
                raise CannotEdit("the text holds bytes that are not UTF-8")
            ordered = [Edit(0, len(old), quote(new))]
        carried = [Edit(edit.start + start, edit.end + start, edit.text) for edit in ordered]
        if not old and start and not self._outer[start - 1].isspace():
            carried[0] = carried[0]._replace(text=" " + carried[0].text)
        return carried


def _can_be_plain(old: str, new: str) -> bool:
    if _UNSAFE.match(new) or NEEDS_ESCAPE.search(new):
        return False
    if not _FLOW.isdisjoint(new) and _FLOW.isdisjoint(old):
        return False  # the scalar may stand in a flow collection
    return isinstance(resolve(new), str) or not isinstance(resolve(old), str)
