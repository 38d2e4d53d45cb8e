"""Plain scalars: words without quotes."""

from __future__ import annotations

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.layers.base import Shifted, must_escape
from ccmcheck.yamlio.meaning import resolve

_UNSAFE = lazy_regex(
    r"""[\s,\[\]{}#&*!|>'"%@`?:]|-(?:\s|\Z)|---|\.\.\."""  # at the start
    r"""|(?s:.*?)(?:[\t\n]|\s\Z|:\s|:\Z|\s\#)"""  # anywhere
)
_BEFORE_NOTHING = lazy_regex(r"(?:[^\n]:|(?:^|[ \n])-)([ \t]*)\Z")
_LOOK_BACK = 200
_FLOW = frozenset(",[]{}")


class PlainScalar(Shifted):
    """A plain scalar on one line, or an empty one where the value is missing.

    Args:
        outer: The text around.
        span: The scalar without anchor and tag.
        text: Its value.
        locked: Why it must not be edited; empty where it may.
    """

    __slots__ = ("_outer", "locked")
    kind = "plain"

    def __init__(self, outer: str, span: Span, text: str, locked: str = "") -> None:
        super().__init__(span.start, text)
        self._outer = outer
        self.locked = locked

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Carry the changes outward, and quote the result where it would not be a string otherwise.

        A number, a boolean or an empty value may become another one without quotes; a string stays a string. See
        `Lens.carried`.
        """
        old = self.text
        new = apply(old, ordered)
        if not _can_be_plain(old, new):
            from ccmcheck.layers.quoted import quote

            ordered = [Edit(0, len(old), quote(new))]
        if not old:
            ordered = [Edit(0, 0, self._separator() + "".join(edit.text for edit in ordered))]
        return super().carried(ordered)

    def _separator(self) -> str:
        """The text before a value where there was none."""
        before = _BEFORE_NOTHING.search(self._outer, max(self.start - _LOOK_BACK, 0), self.start)
        if before is None:
            raise CannotEdit("there is no value, and no `:` or `-` to write one after")
        return "" if before[1] else " "


def _can_be_plain(old: str, new: str) -> bool:
    if _UNSAFE.match(new) or must_escape(new).search(new):
        return False
    if not _FLOW.isdisjoint(new) and _FLOW.isdisjoint(old):
        return False  # the scalar may be in a flow collection
    return isinstance(resolve(new), str) or not isinstance(resolve(old), str)
