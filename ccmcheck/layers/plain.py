"""Plain scalars: words without quotes."""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import must_escape
from ccmcheck.yamlio.meaning import resolve

_UNSAFE = lazy_regex(
    r"""[\s,\[\]{}#&*!|>'"%@`?:]|-(?:\s|\Z)|---|\.\.\."""  # at the start
    r"""|(?s:.*?)(?:[\t\n]|\s\Z|:\s|:\Z|\s\#)"""  # anywhere
)
_BEFORE_NOTHING = lazy_regex(r"(?:[^\n]:|(?:^|[ \n])-)([ \t]*)\Z")
_LOOK_BACK = 200
_FLOW = frozenset(",[]{}")


class Plain:
    """A plain scalar on one line, or an empty one where the value is missing.

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
        """Carry the changes outward, and quote the result where it would not be a string otherwise.

        A number, a boolean or an empty value may become another one without quotes; a string stays a string. See
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
            from ccmcheck.layers.quoted import quote

            ordered = [Edit(0, len(old), quote(new))]
        if not old:
            return [Edit(start, start, self._separator() + "".join(edit.text for edit in ordered))]
        return [Edit(edit.start + start, edit.end + start, edit.text) for edit in ordered]

    def _separator(self) -> str:
        """The text before a value where there was none."""
        before = _BEFORE_NOTHING.search(self._outer, max(self._start - _LOOK_BACK, 0), self._start)
        if before is None:
            raise CannotEdit("there is no value, and no `:` or `-` to write one after")
        return "" if before[1] else " "


def _can_be_plain(old: str, new: str) -> bool:
    if _UNSAFE.match(new) or must_escape(new).search(new):
        return False
    if not _FLOW.isdisjoint(new) and _FLOW.isdisjoint(old):
        return False  # the scalar may be in a flow collection
    return isinstance(resolve(new), str) or not isinstance(resolve(old), str)
